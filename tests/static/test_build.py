"""The builder on a tiny distribution: what it writes, and every sentence that it refuses with."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import struct
import tomllib
import zipfile
from pathlib import Path
from types import SimpleNamespace

import build
import distribution
import frontend
import packs
import pytest

from tests.house.tree import ROOT

SITE = "/lib/python3.99/site-packages"


def wheel(files: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return out.getvalue()


@pytest.fixture
def pyodide(tmp_path: Path) -> Path:
    """A folder that has every part of a distribution, each of a few bytes."""
    folder = tmp_path / "pyodide"
    folder.mkdir()
    listed = {}
    for name in distribution.WHEELS:
        inside = {f"{name}/__init__.py": "x = 1\n", f"{name}/tests/test_x.py": "assert 0\n"}
        data = wheel(inside)
        (folder / f"{name}-1.whl").write_bytes(data)
        listed[name] = {"file_name": f"{name}-1.whl", "sha256": hashlib.sha256(data).hexdigest()}
    for name in distribution.CORE:
        (folder / name).write_text(f'version = "{distribution.TESTED}.3"')
    lock = {"info": {"python": "3.99.0"}, "packages": listed}
    (folder / distribution.LOCK).write_text(json.dumps(lock))
    return folder


def said(capsys, *arguments: object) -> str:
    assert build.main([str(x) for x in arguments]) == 2
    return str(capsys.readouterr().err)


def test_the_folder_holds_pages_packs_and_a_manifest(pyodide, tmp_path, monkeypatch, capsys):
    few = {"streamlit": "streamlit/version.py", "sympy": "sympy/release.py"}
    monkeypatch.setattr(packs, "INSTALLED", tuple(few))
    monkeypatch.setattr(packs, "installed", lambda name: iter([(few[name], b"y = 2\n")]))
    monkeypatch.setattr(packs.shutil, "which", lambda name: None)  # no Node: the sources go
    site = tmp_path / "site"
    assert build.main([str(site), "--pyodide", str(pyodide)]) == 0
    told = capsys.readouterr().out
    assert "MB compressed" in told
    assert "install one of them and build again" in told
    manifest = json.loads((site / "manifest.json").read_text("utf-8"))
    assert manifest["pyodide"] == f"{distribution.TESTED}.3"
    held = {name: read(site / path) for name, path in manifest["packs"].items()}
    assert held["sympy"] == {f"{SITE}/sympy/release.py": b"y = 2\n"}
    assert held["pandas"][f"{SITE}/pandas/__init__.py"] == b"x = 1\n"
    first = held["first"]
    assert {"/app/app.py", "/app/.streamlit/config.toml", f"{SITE}/alone.py"} <= set(first)
    assert not any("/tests/" in path for pack in held.values() for path in pack)
    for path in manifest["packs"].values():
        assert hashlib.sha256((site / path).read_bytes()).hexdigest()[:16] in path
    page = (site / "study" / "index.html").read_text("utf-8")
    assert 'src="../page.js"' in page
    entry = page.partition('data-entry="')[2].partition('"')[0]
    assert (site / entry).is_file()
    (site / "old").write_text("")
    assert list(build.emptied(site).iterdir()) == [site / "manifest.json"]  # for the next time


def read(path: Path) -> dict[str, bytes]:
    """Take a pack apart as the worker does."""
    whole = gzip.decompress(path.read_bytes())
    (length,) = struct.unpack_from("<I", whole)
    at, found = 4 + length, {}
    for name, size in json.loads(whole[4:at]):
        found[name] = whole[at : at + size]
        at += size
    assert at == len(whole)
    return found


@pytest.mark.parametrize(
    ("spoilt", "text", "site", "told"),
    [
        ("pyodide/scipy-1.whl", None, "site", "has no scipy-1.whl"),
        ("pyodide/pyodide.asm.wasm", None, "site", "unpack the full distribution"),
        (
            "pyodide/pyodide.mjs",
            'const v = "0.27.7";',
            "site",
            "has Pyodide 0.27.7; this was tried",
        ),
        ("thesis.tex", "all", "", "holds other files: give a new or an empty folder"),
        ("file", "", "file/site", "give a folder that is yours"),
    ],
)
def test_what_is_not_whole_or_not_ours_is_refused_and_left_alone(
    pyodide, tmp_path, capsys, spoilt, text, site, told
):
    (tmp_path / spoilt).unlink(missing_ok=True)
    if text is not None:
        (tmp_path / spoilt).write_text(text)
    before = sorted(tmp_path.rglob("*"))
    assert told in said(capsys, tmp_path / site, "--pyodide", pyodide)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_changed_wheel_is_refused(pyodide):
    (pyodide / "numpy-1.whl").write_bytes(b"other")
    with pytest.raises(distribution.Refusal, match=r"numpy-1\.whl is not the file .* get Pyodide"):
        list(distribution.read(pyodide).wheel("numpy"))


def test_every_package_of_the_app_is_taken_along():
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    names = {re.match(r"[\w-]+", one)[0] for one in wanted}
    # resvg-py is compiled for machines alone: reports go without PNG pictures.
    assert names - {"resvg-py"} <= {*packs.INSTALLED, *distribution.WHEELS}


def test_a_package_that_is_not_installed_is_named():
    with pytest.raises(distribution.Refusal, match=r"pip install \."):
        next(packs.installed("a-package-of-nobody"))


def test_pyodide_is_fetched_once_with_its_checksum(tmp_path, monkeypatch, capsys):
    asked: list[str] = []

    def pip(command: list[str], **_: object) -> SimpleNamespace:
        asked.append(Path(command[command.index("-r") + 1]).read_text("utf-8"))
        inside = {f"{distribution.INSIDE}{distribution.LOCK}": "{}", "open_webui/other.py": ""}
        (tmp_path / "one.whl").write_bytes(wheel(inside))
        return SimpleNamespace(returncode=0, stderr="")

    monkeypatch.setattr(distribution.subprocess, "run", pip)
    folder = distribution.fetch(tmp_path)
    assert distribution.fetch(tmp_path) == folder
    assert asked == [f"{distribution.CARRIER} --hash=sha256:{distribution.SUM}\n"]
    assert [path.name for path in folder.iterdir()] == [distribution.LOCK]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["asked.txt", "open_webui"]
    gone = SimpleNamespace(returncode=1, stderr="WARNING: slow\nERROR: no network\n")
    monkeypatch.setattr(distribution.subprocess, "run", lambda *given, **told: gone)
    text = said(capsys, tmp_path / "new" / "site")
    assert "could not be fetched (ERROR: no network)" in text
    assert "with --pyodide" in text


def test_the_front_end_loses_only_what_no_page_draws():
    source = packs.streamlit_folder()
    first = frontend.ENTRY.search((source / "index.html").read_text("utf-8"))
    assert first is not None
    kept = set(frontend.reached(source / "static" / "js", Path(first[1]).name))
    names = {name.partition(".")[0] for name in kept}
    assert {"PlotlyChart", "DataFrame", "FileUploader", "Slider", "rehype-katex"} <= names
    assert not {"DeckGlJsonChart", "GraphVizChart", "EChartsChart"} & names
