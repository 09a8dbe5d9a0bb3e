// Runs pytest in Pyodide: node suite.mjs DISTRIBUTION ROOT ARGUMENTS
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [given, top, ...more] = process.argv.slice(2);
const distribution = resolve(given);
const root = resolve(top);
const { loadPyodide } = await import(pathToFileURL(join(distribution, "pyodide.mjs")));
const py = await loadPyodide({ indexURL: distribution });
const lock = JSON.parse(readFileSync(join(distribution, "pyodide-lock.json"), "utf-8"));
const asked = ["numpy", "scipy", "pandas", "sympy", "mpmath", "scikit-learn"];
const wheels = asked.filter((name) => name in lock.packages); // older lines have no SymPy
await py.loadPackage(wheels, { messageCallback: () => {} });
// What is Python alone comes from the environment that runs the tests, but for what FIRST holds.
const paths = 'import sysconfig; print(sysconfig.get_path("purelib"))';
const python = process.env.PYTHON ?? "python3";
const site = execFileSync(python, ["-c", paths], { encoding: "utf-8" }).trim();
for (const [from, to] of [[root, "/project"], [site, "/pure"], [process.env.FIRST, "/first"]]) {
  py.FS.mkdirTree(to);
  py.FS.mount(py.FS.filesystems.NODEFS, { root: from }, to);
}
py.globals.set("arguments", py.toPy(more));
const code = await py.runPythonAsync(`
import importlib.util, os, sys
sys.dont_write_bytecode = True
PURE = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "attr",
        "attrs", "openpyxl", "et_xmlfile", "xdist", "execnet", "py.py", "sympy", "mpmath",
        "dp_accounting", "absl", "plotly", "_plotly_utils", "narwhals")
os.makedirs("/chosen")
for name in PURE:
    known = importlib.util.find_spec(name.removesuffix(".py"))
    if known is None and os.path.exists(f"/pure/{name}"):
        os.symlink(f"/pure/{name}", f"/chosen/{name}")
for name in os.listdir("/pure"):
    if name.endswith(".dist-info") and name.startswith(("pytest-", "pluggy", "plotly")):
        os.symlink(f"/pure/{name}", f"/chosen/{name}")
sys.path[:0] = ["/project", "/first", "/chosen"]
os.chdir("/project")
import pytest
# A file that has no name any more cannot be asked for its size here: output is not kept in one.
FLAGS = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--capture=sys")
int(pytest.main([*arguments, *FLAGS]))
`);
process.exit(code);
