"""What the browser's Python is given: the files of all packages, trimmed, in a few packs."""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import json
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, files, version
from pathlib import Path

from distribution import WHEELS, Distribution, Refusal

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
APP = "/app"
Files = dict[str, bytes]
# What is imported late, and the pack that it lies in; all else comes with the first page.
LATE = {
    "pandas": "pandas",
    "dateutil": "pandas",
    "pytz": "pandas",
    "PIL": "pillow",
    "sympy": "sympy",
    "mpmath": "sympy",
    "scipy": "scipy",
}
# Python alone, taken from this environment; what they bring compiled stays out.
INSTALLED = (
    "latex2mathml",
    "streamlit",
    "protobuf",
    "plotly",
    "narwhals",
    "click",
    "packaging",
    "typing_extensions",
    "segno",
    "sympy",
    "mpmath",
)
LEFT_OUT = (
    "streamlit/static/",
    "streamlit/hello/",
    "streamlit/testing/",
    "streamlit/web/",
    "streamlit/.agents/",
    "plotly/labextension/",
    "plotly/package_data/datasets/",
    "plotly/package_data/plotly.min.js",
    "plotly/package_data/widgetbundle.js",
    "plotly/matplotlylib/",
    "plotly/figure_factory/",
    "plotly/express/",
    "plotly/data/",
    "narwhals/_dask/",
    "narwhals/_duckdb/",
    "narwhals/_ibis/",
    "narwhals/_spark_like/",
    "google/protobuf/testdata/",
    "numpy/f2py/",
    "numpy/distutils/",
    "numpy/_core/include/",
    "scipy/cluster/",
    "scipy/datasets/",
    "scipy/differentiate/",
    "scipy/fftpack/",
    "scipy/io/",
    "scipy/misc/",
    "scipy/odr/",
    "scipy/signal/",
    "scipy/special/cython_special",
    "sympy/categories/",
    "sympy/crypto/",
    "sympy/diffgeom/",
    "sympy/holonomic/",
    "sympy/parsing/autolev/",
    "sympy/parsing/latex/",
    "sympy/physics/",
    "sympy/stats/",
    "sympy/testing/",
    "sympy/vector/",
)
# Plotly's kinds of traces that figures are made of; every other kind is left out.
TRACES = ("bar", "heatmap", "layout", "scatter")
TRACE = re.compile(r"plotly/graph_objs/_?([a-z][a-z0-9]*)[/.]")
ENDS_OUT = (".pyi", ".pxd", ".pyx", ".h", ".hpp", ".c", ".cpp", ".f", ".a", ".map", ".exe")
FOLDERS_OUT = ("/tests/", "/test/", "/benchmarks/", "/__pycache__/", "/_pyinstaller/")


def kept(path: str) -> bool:
    """Whether a file of a package is taken along."""
    slashed, trace = f"/{path}", TRACE.match(path)
    return not (
        path.startswith(LEFT_OUT)
        or (trace and trace[1] not in (*TRACES, "figure", "figurewidget", "frame", "deprecations"))
        or path.endswith(ENDS_OUT)
        or any(folder in slashed for folder in FOLDERS_OUT)
        or (".dist-info/" in path and not path.endswith("/METADATA"))
        or path.startswith("..")
    )


def installed(name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an installed package that are not compiled for this machine.

    Raises:
        Refusal: It is not installed.
    """
    try:
        listed = files(name) or []
    except PackageNotFoundError:
        raise Refusal(
            f"The package {name} is not installed here: run `pip install .` first, and this with "
            "the same Python."
        ) from None
    for one in listed:
        path = one.as_posix()
        if kept(path) and not path.endswith((".so", ".pyd", ".dylib", ".pyc")):
            yield path, Path(str(one.locate())).read_bytes()


def gather(source: Distribution) -> Files:
    """Return all files by the path that they have in the browser."""
    site = f"/lib/python{source.python}/site-packages"
    found: Files = {}
    for name in INSTALLED:
        found |= {f"{site}/{path}": data for path, data in installed(name)}
    for name in WHEELS:
        found |= {f"{site}/{path}": data for path, data in source.wheel(name) if kept(path)}
    for path in ("alone.py", "pyarrow.py"):
        found[f"{site}/{path}"] = (HERE / "browser" / path).read_bytes()
    found[f"{site}/numpy/f2py/__init__.py"] = b""  # SciPy asks for every part of NumPy
    for path in [ROOT / "app.py", ROOT / ".streamlit/config.toml", *_own()]:
        found[f"{APP}/{path.relative_to(ROOT).as_posix()}"] = path.read_bytes()
    return found


def _own() -> Iterator[Path]:
    for top in ("rates", "sims", "pages"):
        for path in sorted((ROOT / top).rglob("*")):
            wanted = path.suffix in (".py", ".toml", ".json", ".md", ".css", ".js")
            if path.is_file() and wanted and "__pycache__" not in path.parts:
                yield path


def compiled(found: Files, source: Distribution) -> tuple[Files, bool]:
    """Return the files with byte code in the place of sources, and whether that was possible.

    Byte code belongs to one version of Python: it is made by this one if it is the same, else by
    Pyodide itself, run by Node. The app's own files go as both: it reads some of its own sources.
    """
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        asked = {}
        scripts = [p for p in found if p.endswith(".py") and p != f"{APP}/app.py"]
        for number, path in enumerate(scripts):
            (place / f"{number}.py").write_bytes(found[path])
            asked[path] = [str(number), path, 0 if path.startswith(f"{APP}/") else 2]
        (place / "asked.json").write_text(json.dumps(list(asked.values())), "utf-8")
        program = HERE / "compile_all.py"
        if f"{sys.version_info[0]}.{sys.version_info[1]}" == source.python:
            command = [sys.executable, str(program), made]
        elif node := shutil.which("node"):
            script = HERE / "compile_all.mjs"
            command = [node, str(script), str(source.folder), str(program), made]
        else:
            return found, False
        if subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode:
            return found, False
        after = dict(found)
        tag = f"__pycache__/{{}}.cpython-{source.python.replace('.', '')}.pyc"
        for path, (number, *_) in asked.items():
            folder, _, name = path.removesuffix(".py").rpartition("/")
            code = (place / f"{number}.pyc").read_bytes()
            if path.startswith(f"{APP}/"):  # the app looks its own files up
                after[f"{folder}/{tag.format(name)}"] = code
            else:
                del after[path]
                after[f"{path}c"] = code
        return after, True


def pack_of(path: str) -> str:
    """Return the pack in which a file travels."""
    parts = path.partition("site-packages/")[2].removesuffix("c").removesuffix(".py").split("/")
    return LATE.get(".".join(parts[:2])) or LATE.get(parts[0], "first")


def write(found: Mapping[str, bytes], folder: Path) -> dict[str, str]:
    """Write the packs, each under a name that holds its checksum, and return the names."""
    packs: dict[str, Files] = {}
    for path, data in found.items():
        packs.setdefault(pack_of(path), {})[path] = data
    names = {}
    for name, held in packs.items():
        order = sorted(held, key=lambda path: (path.rpartition(".")[2], path))  # alike by alike
        head = json.dumps([[path, len(held[path])] for path in order]).encode()
        whole = struct.pack("<I", len(head)) + head + b"".join(held[path] for path in order)
        packed = gzip.compress(whole, 9, mtime=0)
        names[name] = f"packs/{name}-{hashlib.sha256(packed).hexdigest()[:16]}.bin"
        (folder / names[name]).parent.mkdir(exist_ok=True)
        (folder / names[name]).write_bytes(packed)
    return names


def streamlit_folder() -> Path:
    """Return where Streamlit's own front end lies.

    Raises:
        Refusal: Streamlit is not installed.
    """
    spec = importlib.util.find_spec("streamlit")
    if spec is None or spec.origin is None:
        next(installed("streamlit"))
        raise Refusal("Streamlit cannot be found: install it again.")
    return Path(spec.origin).parent / "static"


def versions() -> dict[str, str]:
    """Return the versions of the packages that were taken from here."""
    return {name: version(name) for name in INSTALLED}
