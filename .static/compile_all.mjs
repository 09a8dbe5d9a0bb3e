// Runs compile_all.py in Pyodide, whose byte code the browser then reads.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [distribution, program, folder] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(join(distribution, "pyodide.mjs")));
const py = await loadPyodide({ indexURL: distribution });
py.FS.mkdirTree("/work_here");
py.FS.mount(py.FS.filesystems.NODEFS, { root: folder }, "/work_here");
py.FS.writeFile("/compile_all.py", readFileSync(program));
py.runPython(`
import sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")
sys.path.insert(0, "/")
import compile_all
compile_all.main(Path("/work_here"))
`);
