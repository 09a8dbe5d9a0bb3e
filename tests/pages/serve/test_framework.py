"""What is used of Streamlit without its promise: all of it is there, and nothing else is used."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
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
        "ScriptRunContext.session_state",
        "ScriptRunContext.context_info",
    ),
    "streamlit.runtime.state": ("SafeSessionState.get_widget_states",),
    "streamlit.config": ("_config_options", "_config_options_template", "get_option"),
}
# Of the front end, where a style or a script of ours cannot do with a key (`st-key-...`).
MARKS = {
    "stApp": "while a run is live nothing on the page fades",
    "data-stale": "the same: what Streamlit lets fade",
    "data-test-script-state": "a link waits until what a press ended is answered",
    "stPopoverBody": "whether a press ends something: a box that is open",
    "stPageLink": "such a link waits too, and its words wrap instead of being cut",
    "stMain": "what is ours, not the frame's: quotes, buttons, the ring around what has the focus",
    "stMainBlockContainer": "the page is as wide as one reads, and fills a projector's screen",
    "stHeader": "less room above the page; none on a projector",
    "stToolbar": "the same",
    "stColumn": "columns stand below each other where one would be too narrow",
    "stPlotlyChart": "a column with a figure needs more room",
    "katex": "one with formulas too; formulas of a quote are as large as its words",
    "stHorizontalBlock": "a figure comes before its controls on a phone; rows stand closer",
    "stVerticalBlock": "lines stand closer on a projector",
    "stDataFrame": "a table shows that it scrolls",
    "dvn-scroller": "the same",
    "stPopoverButton": "what is assumed is said in lines, not in rows of buttons",
    "stMetricValue": "numbers fit beside each other on a small screen",
    "stMetricLabel": "what a number is called wraps instead of being cut",
    "stMarkdownBadge": "the same for a badge",
    "stCaptionContainer": "a caption has the contrast that reading asks for",
    "stHeading": "a question has no margins on a projector",
    "stMarkdownContainer": "the same",
    "stImageContainer": "of a figure's two drawings a screen shows the one that fills it",
    "stBaseButton-": "words on a button of the first colour can be read in the dark",
    "stButton": "what a phone taps is 44 pixels high",
    "stFormSubmitButton": "the same",
    "stTextInput": "the same",
    "stSlider": "a slider's thumb can be met with a finger",
    "stMarkdown": "no entry of a printed sheet is broken",
    "_streamlit_xsrf": "whether a browser in a frame may send files: it keeps this cookie",
    "_stcore/upload_file": "without a server a file goes to the page's own worker",
    "_stcore/health": "without a server the page answers itself",
    "_stcore/host-config": "the same",
    "__streamlit": "without a server the front end is told where it is",
}


def missing(names: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the names that the installed Streamlit lacks."""
    for module, used in names.items():
        yield from (f"{module}: {name}" for name in used if not there(module, name))


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
    assert list(missing(NAMES)) == []
    scripts = Path(streamlit.__file__).parent / "static" / "static" / "js"
    front = "".join(path.read_text("utf-8") for path in scripts.glob("*.js"))
    assert [mark for mark in MARKS if mark not in front] == []


def test_a_name_that_is_gone_is_said():
    gone = {"streamlit.config": ("get_nothing", "get_option"), "streamlit.nothing": ("A.b",)}
    told = ["streamlit.config: get_nothing", "streamlit.nothing: A.b"]
    assert list(missing(gone)) == told


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
    assert list(missing(used)) == []
    inside = "".join(
        inspect.getsource(import_module(name))
        for name in (
            *used,
            "streamlit.runtime.runtime",
            "streamlit.runtime.scriptrunner.script_runner",
            "streamlit.runtime.app_session",
        )
    )
    own = {"_told", "_late", "_shown", "_urls", "_tell", "_one_thread"}
    for name in {*re.findall(r"\.(_[a-z]\w*)", text)} - own:
        assert re.search(rf"\b{name}\b", inside), name


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
            assert found.startswith(tuple(MARKS)), (path.name, found)
    every = "".join(used.values())
    assert [mark for mark in MARKS if mark not in every] == []


def test_an_option_that_an_older_streamlit_lacks_is_left_out():
    assert framework.known({"server.port": 1, "theme.nothing": 2}) == {"server.port": 1}
