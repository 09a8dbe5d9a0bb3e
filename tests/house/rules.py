"""The house rules that reading the source can hold: each says what breaches it in a tree.

A rule is a function from a tree to breaches, each a place (a file, a room or a circle) with what is
wrong there. So a test can plant a breach in a small tree and see the rule find it.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator

from tests.house.tree import Source, Tree, circle

Rule = Callable[[Tree], Iterator[str]]

LAYERS = ("rates", "sims", "pages", "app")  # each may import those before it
# Rooms that every other may use, and that use no other.
GROUND = {"rates.numbers", "sims.engine", "pages.charts", "pages.core"}
# Printed and documented paths: files of one line that hand on the names of a file in a room.
DOORS = {
    *("pages/figures.py", "rates/presets.py", "sims/run.py", "sims/experiment.py"),
    *("sims/heart.py", "sims/hospitals.py"),
}
NOTEBOOKS = {"rates/__init__.py", *DOORS}  # what they hand on is used by whoever imports them
# What is found by its name: pages by app.py, the layer by a server, commands by an installation.
FOUND = {"draw", "main", "app", "TAB", "PagesManager", "_"}
MOST_LINES = 600
FACE_LINES = 40
EVALUATED = (r"\beval\(", r"\bexec\(", "sympify\\(", "pickle", "unsafe_allow_html", r"st\.html\(")
# What a browser's Python has not, so that it is imported where it is used; and work that takes
# counts and places as the platform's own whole numbers, of 32 bits there.
NEVER = (
    *("multiprocessing", "subprocess", "resvg_py", "distributed", "concurrent.futures.process"),
    "concurrent.futures.ProcessPoolExecutor",
)
PLACES = re.compile(r"np\.(?:repeat|bincount)\([^#\n]*int64")
FRAMES = "rates/numbers/notebook.py"  # makes tables of pandas when a notebook asks for one
GATE = "sims/engine/gate.py"
LAWS = {
    *("standard_normal", "normal", "laplace", "gumbel", "exponential", "standard_exponential"),
    *("gamma", "standard_gamma", "multivariate_normal"),
}
# What draws records of simulated worlds, or unit paths that the gate scales and adds.
WORLDS = {
    *("acc/lattice:triangular_path", "acc/screen:releases", "acc/design:draw_once"),
    *("acc/lattice:statistics", "acc/hospitals:replicate"),
    *("ccv/estimator:responses", "ccv/estimator:pooled"),
    *("ks/reweighting:volunteers", "dplr/study:records", "dplr/study:errors"),
    *("bcmm/data:draw", "cac/two_servers:records"),
}


def _drawn(source: Source) -> bool:
    """Whether a file draws figures and knows no widgets."""
    stem = source.path.stem
    return "pages/charts/" in source.name or stem.endswith(("figure", "figures"))


def layers_one_way(tree: Tree) -> Iterator[str]:
    """App over pages over sims over rates; no widgets below pages, no arithmetic in its parts."""
    for source in tree.sources:
        allowed = LAYERS[: LAYERS.index(source.layer) + 1]
        foreign: tuple[str, ...] = ()
        if source.layer in ("rates", "sims"):
            foreign = ("streamlit", "plotly", "pandas")[: 2 if source.name == FRAMES else 3]
        elif _drawn(source):
            foreign = ("streamlit",)
        elif source.layer == "pages":
            foreign = ("numpy", "scipy", "sympy")
        for found in source.imports:
            top = found.module.partition(".")[0]
            if (top in LAYERS and top not in allowed) or top in foreign:
                yield f"{source.name}: imports {found.dotted}"
            if found.module == source.layer and found.dotted in (top, f"{top}.{found.name}"):
                whole = f"{source.layer}.{found.name}" not in tree.by_name
                if whole and source.room and source.layer != "pages":
                    yield f"{source.name}: imports its own roof, {found.dotted}"


def files_are_short(tree: Tree) -> Iterator[str]:
    """A file is read in one sitting."""
    for source in tree.sources:
        if (lines := len(source.text.splitlines())) > MOST_LINES:
            yield f"{source.name}: {lines} lines"


def faces_hand_names_on(tree: Tree) -> Iterator[str]:
    """Every room has a face, short, and without anything of its own."""
    for room, sources in tree.rooms().items():
        if not any(source.dotted == room and source.face for source in sources):
            yield f"{room.replace('.', '/')}: has no face"
    for source in tree.sources:
        if not source.face or (source.room is None and source.name != "rates/__init__.py"):
            continue
        if (lines := len(source.text.splitlines())) >= FACE_LINES:
            yield f"{source.name}: {lines} lines"
        for node in source.tree.body:
            if not _hands_on(node):
                yield f"{source.name}: line {node.lineno} does more than hand names on"


def _hands_on(node: ast.stmt) -> bool:
    """Whether a statement of a face is an import, its docstring, a list of names, or lazy."""
    if isinstance(node, ast.FunctionDef):
        return node.name in ("__getattr__", "__dir__")
    if isinstance(node, ast.If):  # "if TYPE_CHECKING:"
        return all(map(_hands_on, node.body))
    if isinstance(node, ast.Assign | ast.AnnAssign):
        value = node.value
        return value is not None and all(
            isinstance(part, ast.List | ast.Tuple | ast.Dict | ast.Constant | ast.Load)
            for part in ast.walk(value)
        )
    return isinstance(node, ast.Import | ast.ImportFrom) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


def nothing_behind_a_face(tree: Tree) -> Iterator[str]:
    """From another room one imports from a face: names that it hands on, or a whole file."""
    handed = {
        face.dotted: {found.name for found in face.imports} for face in tree.sources if face.face
    }
    for source, target, found in tree.edges():
        room = target.room
        if room is None or room == source.room or source.name in DOORS:
            continue
        whole = found.dotted == target.dotted  # a file with its name, so that it is said whose
        if target.layer == "pages" and found.module in handed:
            if not whole and found.name not in handed[found.module] and target.dotted != room:
                yield f"{source.name}: imports {found.dotted}, which is not handed on"
            continue
        if room not in (found.module, found.dotted):
            yield f"{source.name}: imports {found.module} behind the face of {room}"
        elif target.dotted != room and found.name not in handed[room]:
            yield f"{source.name}: imports {found.dotted}, which {room} does not hand on"


def no_circle_of_files(tree: Tree) -> Iterator[str]:
    """A file that is imported imports nothing that leads back to it."""
    graph: dict[str, set[str]] = {}
    for source, target, _ in tree.edges():
        graph.setdefault(source.name, set()).add(target.name)
    if group := circle(graph):
        yield f"in a circle of files: {', '.join(group)}"


def no_circle_of_rooms(tree: Tree) -> Iterator[str]:
    """Rooms have an order; the ground rooms know ground rooms alone."""
    graph: dict[str, set[str]] = {}
    for source, target, found in tree.edges():
        if source.room and target.room and source.room != target.room:
            graph.setdefault(source.room, set()).add(target.room)
            if source.room in GROUND and target.room not in GROUND and target.layer == source.layer:
                yield f"{source.name}: in a ground room imports {found.dotted}"
    if group := circle(graph):
        yield f"in a circle of rooms: {', '.join(group)}"


def only_one_file(name: str, *, called: bool = False) -> Rule:
    """Make the rule that one file alone uses a name of Streamlit, or calls it."""

    def uses(node: ast.AST) -> bool:
        used = getattr(node, "func", None) if called else node
        return isinstance(used, ast.Attribute) and used.attr == name

    def rule(tree: Tree) -> Iterator[str]:
        users = [
            source.name
            for source in tree.sources
            if source.layer in ("pages", "app") and any(map(uses, source.nodes))
        ]
        for user in users if len(users) > 1 else ():
            yield f"{user}: uses {name}, as do {len(users) - 1} others"

    rule.__name__ = f"{name}_in_one_file"
    rule.__doc__ = f"One file alone uses {name}; the others ask it."
    return rule


def nothing_typed_is_evaluated(tree: Tree) -> Iterator[str]:
    """What a visitor types or opens is never run, and never markup."""
    for source in tree.sources:
        for word in EVALUATED:
            if re.search(word, source.text):
                yield f"{source.name}: has {word}"


def nothing_a_browser_lacks(tree: Tree) -> Iterator[str]:
    """No process, thread or compiled extra is loaded with a file; places are of any size."""
    for source in tree.sources:
        top = {node.lineno for node in source.tree.body}
        for found in source.imports:
            if found.line in top and found.dotted.startswith(NEVER):
                yield f"{source.name}: imports {found.dotted} when it is loaded"
        if PLACES.search(source.text):
            yield f"{source.name}: counts in int64"


def nothing_for_tests_alone(tree: Tree) -> Iterator[str]:
    """What a module defines is named elsewhere or in its own file; a face's handing on is no use.

    But for what the doors hand on, and for what is found by its name or by a decorator.
    """
    used: Counter[str] = Counter()
    parts = [(s, node, named) for s in tree.sources for node, named in s.named]
    for source, _, named in parts:
        if not source.face or source.name in NOTEBOOKS:
            used.update(named)
    for source in tree.sources:
        if source.name in NOTEBOOKS:
            used.update(found.name for found in source.imports if found.name)
    for source, node, named in parts:
        for name in () if getattr(node, "decorator_list", ()) else _defined(node):
            if name not in FOUND and not name.startswith("__") and used[name] <= named[name]:
                yield f"{source.name}: defines {name} for tests alone"


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    found = node.targets if isinstance(node, ast.Assign) else []
    found = [node.target] if isinstance(node, ast.AnnAssign) else found
    return [one.id for one in found if isinstance(one, ast.Name)]


def privacy_noise_at_the_gate(tree: Tree) -> Iterator[str]:
    """In sims nothing but the gate draws from a law of noise, worlds and unit paths apart."""
    for source in tree.sources:
        if source.layer != "sims" or source.name == GATE:
            continue
        for function in source.nodes:
            if not isinstance(function, ast.FunctionDef):
                continue
            public = f"{source.name.removeprefix('sims/').removesuffix('.py')}:{function.name}"
            for node in ast.walk(function):
                name = getattr(getattr(node, "func", None), "attr", "")
                owner = getattr(getattr(getattr(node, "func", None), "value", None), "id", "")
                if name in LAWS and owner != "engine" and public not in WORLDS:
                    yield f"{source.name}:{node.lineno}: draws {name}"


RULES: tuple[Rule, ...] = (
    layers_one_way,
    files_are_short,
    faces_hand_names_on,
    nothing_behind_a_face,
    no_circle_of_files,
    no_circle_of_rooms,
    only_one_file("plotly_chart"),
    only_one_file("latex", called=True),
    only_one_file("dataframe", called=True),
    only_one_file("table", called=True),
    only_one_file("query_params"),
    nothing_typed_is_evaluated,
    nothing_a_browser_lacks,
    nothing_for_tests_alone,
    privacy_noise_at_the_gate,
)
