"""What is used of Streamlit without its promise: all of it is there, and nothing else is used."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Mapping
from functools import reduce
from importlib import import_module
from pathlib import Path

import streamlit

from pages import framework
from tests.house.tree import ROOT, Tree

ALONE = ROOT / ".static" / "browser" / "alone.py"
PUBLIC = {"streamlit", "streamlit.testing.v1"}
# Modules, and what is used of them, with a dot before the attribute of a class.
NAMES = {
    "streamlit.runtime.pages_manager": ("PagesManager.uses_pages_directory",),
    "streamlit.runtime.scriptrunner_utils.script_run_context": (
        *("ScriptRunContext.session_state", "ScriptRunContext.context_info"),
    ),
    "streamlit.runtime.state": ("SafeSessionState.get_widget_states",),
    "streamlit.config": ("_config_options", "_config_options_template", "get_option"),
}


def missing(names: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The names that the installed Streamlit lacks."""
    return [
        f"{module}: {x}" for module, used in names.items() for x in used if not there(module, x)
    ]


def there(module: str, name: str) -> bool:
    """Whether a module, or a class of it, has a name; some are set when an object is made."""
    holder, _, attribute = name.rpartition(".")
    try:
        found = reduce(getattr, filter(None, [holder]), import_module(module))
    except (ImportError, AttributeError):
        return False
    made = rf"\b{attribute}\b\s*(:|=)"
    return hasattr(found, attribute) or bool(re.search(made, inspect.getsource(found)))


def test_the_installed_streamlit_has_every_name():
    assert missing(NAMES) == []


def asked(tree: ast.Module) -> dict[str, tuple[str, ...]]:
    """Modules of Streamlit that a file imports, and what of each."""
    found: dict[str, tuple[str, ...]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("streamlit"):
            found[node.module or ""] = tuple(one.name for one in node.names)
        elif isinstance(node, ast.Import):
            found |= {one.name: () for one in node.names if one.name.startswith("streamlit")}
        elif isinstance(node, ast.Constant) and re.match(r"streamlit\.\w", str(node.value)):
            found[str(node.value)] = ()
    return found


def test_only_one_module_uses_what_is_not_promised():
    for source in Tree(ROOT).sources:
        if source.name != "pages/framework.py":
            assert set(asked(source.tree)) <= PUBLIC, source.name
            assert not re.search(r"\b(config|runtime|web)\._|get_script_run_ctx", source.text)


def test_the_app_without_a_server_uses_what_is_there():
    """One visitor, one thread: it stands between a message and the script."""
    text = ALONE.read_text("utf-8")
    used = {name: of for name, of in asked(ast.parse(text)).items() if of}
    assert missing(used) == []
    parts = ("runtime", "scriptrunner.script_runner", "app_session")
    names = [*used, *(f"streamlit.runtime.{part}" for part in parts)]
    inside = "".join(inspect.getsource(import_module(name)) for name in names)
    own = {"_told", "_late", "_shown", "_urls", "_tell", "_one_thread"}
    for name in {*re.findall(r"\.(_[a-z]\w*)", text)} - own:
        assert re.search(rf"\b{name}\b", inside), name


MARK = re.compile(
    r"\[(?:data-testid=)?(st[A-Z][\w-]+|data-(?:stale|test)[\w-]+)"
    r"|\.(st[A-Z]\w+|dvn-\w+|katex)|(_stcore/[\w/-]+\w|__streamlit|_streamlit_xsrf)"
)


def test_the_front_end_has_every_mark_of_our_styles_and_scripts():
    scripts = Path(streamlit.__file__).parent / "static" / "static" / "js"
    front = "".join(path.read_text("utf-8") for path in scripts.glob("*.js"))
    ends = (".css", ".js", "address.py", "alone.py")
    folders = (ROOT / "pages", ROOT / ".static" / "browser")
    paths = [path for folder in folders for path in folder.rglob("*") if path.name.endswith(ends)]
    found = {"".join(one) for path in paths for one in MARK.findall(path.read_text("utf-8"))}
    assert len(found) > 20
    assert [mark for mark in found if mark.removeprefix("stBaseButton-") not in front] == []


def test_an_option_that_an_older_streamlit_lacks_is_left_out():
    assert framework.known({"server.port": 1, "theme.nothing": 2}) == {"server.port": 1}
