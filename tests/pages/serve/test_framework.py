"""What is used of Streamlit without its promise: all of it is there, and nothing else is used."""

from __future__ import annotations

import ast
import re

from pages import framework
from tests.house.tree import ROOT, Tree

ALONE = ROOT / ".static" / "browser" / "alone.py"
PUBLIC = {"streamlit", "streamlit.testing.v1"}


def test_the_installed_streamlit_has_every_name():
    assert list(framework.missing()) == []


def test_a_name_that_is_gone_is_said(monkeypatch):
    gone = {"streamlit.config": ("get_nothing",), "streamlit.nothing": ("A.b",)}
    monkeypatch.setattr(framework, "NAMES", gone)
    monkeypatch.setattr(framework, "MARKS", {"stNothing": "", "stMain": ""})
    monkeypatch.setattr(framework, "ALONE", {"streamlit.runtime": ("Runtime.nothing",)})
    told = ["streamlit.config: get_nothing", "streamlit.nothing: A.b"]
    assert list(framework.missing()) == [*told, "streamlit.runtime: Runtime.nothing", "stNothing"]


def asked(tree: ast.Module) -> dict[str, set[str]]:
    """Modules of Streamlit that a file imports, and what of each."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("streamlit"):
            found.setdefault(node.module or "", set()).update(one.name for one in node.names)
        elif isinstance(node, ast.Import):
            for one in node.names:
                if one.name.startswith("streamlit"):
                    found.setdefault(one.name, set())
        elif isinstance(node, ast.Constant) and re.match(r"streamlit\.\w", str(node.value)):
            found.setdefault(str(node.value), set())
    return found


def test_only_one_module_uses_what_is_not_promised():
    for source in Tree(ROOT).sources:
        if source.name != "pages/framework.py":
            assert set(asked(source.tree)) <= PUBLIC, source.name
            assert not re.search(r"\b(config|runtime|web)\._|get_script_run_ctx", source.text)


def test_the_app_without_a_server_uses_what_is_listed():
    text = ALONE.read_text("utf-8")
    listed = {module: set(names) for module, names in framework.ALONE.items()}
    modules = {*listed, *framework.NAMES, "streamlit", "streamlit.runtime.scriptrunner"}
    assert set(asked(ast.parse(text))) <= {*modules, "streamlit.starlette"}
    own = {"_told", "_late", "_shown", "_urls", "_tell", "_one_thread"}
    inner = {name.rpartition(".")[2] for names in listed.values() for name in names}
    assert set(re.findall(r"\.(_[a-z]\w*)", text)) <= inner | own


def marks(text: str) -> list[str]:
    """Marks of Streamlit's front end in a style sheet or a script."""
    found = re.findall(r"\[(?:data-testid=)?(st[A-Z][\w-]+|data-(?:stale|test)[\w-]+)", text)
    return [
        *found,
        *re.findall(r"\.(st[A-Z]\w+|dvn-\w+|katex)|(_stcore/[\w/-]+\w|__streamlit)", text),
    ]


def test_styles_and_scripts_use_the_marks_and_every_mark_is_used():
    ends = (".css", ".js", "address.py", "alone.py")
    folders = (ROOT / "pages", ROOT / ".static" / "browser")
    paths = [path for folder in folders for path in folder.rglob("*") if path.name.endswith(ends)]
    used = {path: path.read_text("utf-8") for path in paths}
    for path, text in used.items():
        for found in map("".join, marks(text)):
            assert found.startswith(tuple(framework.MARKS)), (path.name, found)
    every = "".join(used.values())
    assert [mark for mark in framework.MARKS if mark not in every] == []


def test_an_option_that_an_older_streamlit_lacks_is_left_out():
    assert framework.known({"server.port": 1, "theme.nothing": 2}) == {"server.port": 1}
