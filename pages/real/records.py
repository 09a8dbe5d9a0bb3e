"""Which records the page is about: a public data set, or a table that a visitor brings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import streamlit as st

from pages import core
from pages.charts import between, number, signed, words
from pages.core import Block, Menu, Note, Switch, Table, Upload, button, live, of_visitor
from pages.core.live import Missing, Open, Plan, Tab
from sims import real
from sims.engine import Experiment, Request, Values, check_values

SETS = {one.key: one.title for one in real.SETS}
SETS |= {"invented": "Invented sites, all alike"}
DATA = core.choice("data", SETS, "Public records of real sites; the invented ones are alike.")
KINDS = {"curve": "A number", "classification": "0 or 1"}
KIND = core.choice("kind", KINDS, "What y is in your own table.")
_MOST_SITES = 12
_RUN_ON = "real_run_on"  # the visitor's own records of the last run
_PUBLIC = live.kept(real.REAL)


def _checked(data: bytes) -> bytes:
    """Return a table that can be read, whatever y is: a curve takes all that labels do."""
    # The bytes, as what y is can be changed after the table was brought.
    real.read_csv(data)
    return data


OWN: Upload[bytes] = Upload(
    "real_own",
    "Your own table with columns site, x and y",
    _checked,
    "One row per record, at most 10 MB. It is read in memory for this session and not stored.",
    behind="Bring a table",
)


# Of the visitor alone: a cache for all would keep the records beyond the session.
_read = of_visitor(4)(real.read_csv)


def sites(values: Values) -> real.Sites:
    """Return the records that are asked for, or the visitor's own.

    Raises:
        DomainError: They cannot be used.
        Missing: They come with a package that is not installed.
    """
    if (own := OWN.now()) is not None:
        return _read(own, kind=values.among("kind", KINDS))  # type: ignore[arg-type]
    if values["data"] not in real.INVENTED and not real.available():
        licence = f"{real.PACKAGE} {real.VERSION}, {real.LICENCE}; read from there alone."
        raise Missing(
            "The public records come with a package that is **not installed here**. Install it "
            "and start the app anew, bring a table of your own, or look at the invented sites.",
            [core.Code(real.COMMAND, "bash"), Note(licence), *stored(values.word("data"))],
        )
    return real.sites_of(values)


def private() -> bool:
    """Whether a visitor has brought records."""
    return OWN.now() is not None


def request(asked: Plan) -> Request:
    """Return the run of "real-sites", on what the visitor has brought if that is asked for."""
    found, experiment = sites(asked.values), _PUBLIC
    given = {name: value for name, value in asked.values.items() if name != "kind"}
    if found.key == real.OWN:
        experiment = _on(found)
        # A request holds a digest, not the records: whoever draws the run finds them here.
        st.session_state[_RUN_ON] = found
        del given["data"]
    return asked.request(experiment, check_values(experiment.parameters, given))


@of_visitor(4)
def _on(own: real.Sites) -> Experiment:
    return live.kept(real.experiment(own), private=True)


def of_request(run: Request) -> real.Sites:
    """Return the records of a run."""
    own: real.Sites | None = st.session_state.get(_RUN_ON)
    if own is not None and run.values.word("data").endswith(own.digest):
        return own
    return real.sites_of(run.values)


def job(made: Request) -> dict[str, Any]:
    """Return what is different of a run on what a visitor has brought, which is another run."""
    own = of_request(made)
    if own.key != real.OWN:
        return {}
    reads = f'sites = read_csv(Path("table.csv").read_bytes(), kind={own.kind!r})'
    imports = ["from sims.real import experiment, read_csv"]
    lines = live.repeat_lines(made, imports, "experiment(sites)", reads)
    # By the digest, or one table's numbers would stand under another's name.
    return {"key": f"real_{own.digest[:8]}", "auto": False, "repeat": lines}


def ask(source: Open) -> None:
    """Ask which records."""
    own = OWN.now() is not None
    Menu("data", "Records", SETS, disabled=own).draw(source)
    OWN.draw()
    if own:
        st.info("**Your own table** is in use.", icon=":material/table:")
        # Of a public set that is known; 0 and 1 may be a number as well.
        Switch("kind", "y is", KINDS).draw(source)
        button("Back to the public records", "real_own_drop", OWN.drop)


def of_sites(found: real.Sites) -> Iterable[Block]:
    """The largest sites, what was dropped, and whose records these are."""
    rows = found.listed()
    shown = rows[:_MOST_SITES]
    titles = first(found.words["sites"]), first(found.words["records"])
    yield Table.of(
        (*titles, f"Mean of {found.words['y']}", "Mean place of x"),
        [(words.md(name), f"{n:,}", number(y), number(u)) for name, n, y, u in shown],
        alt=f"The {len(shown)} largest sites with records, mean outcome and mean place of x",
    )
    if rest := len(rows) - len(shown):
        yield Note(f"And {rest:,} more, down to {found.sizes[-1]:,} records.")
    for note in found.notes:
        yield Note(words.md(note))
    for one in real.SETS:
        if one.key == found.key:
            yield Note(f"{words.md(one.source)}. {words.md(one.licence)}.")


def tab(**fields: Any) -> Tab:
    """Return a tab of the page."""
    common: dict[str, Any] = {"page": "real", "alone": lambda: not private()}
    common["cannot"] = "These records cannot be used."
    return Tab(**common | fields)


def error(found: real.Sites) -> str:
    """Return what is measured."""
    return "excess risk" if found.kind == "classification" else "squared error"


def who(found: real.Sites) -> str:
    """Return how many sites of what there are, with their records."""
    return (
        f"**{found.m:,}** {words.md(found.words['sites'])} with **{found.records:,}** "
        f"{words.md(found.words['records'])}"
    )


def first(text: str) -> str:
    """Return words as a title: the first letter large, all others as they are.

    >>> first("points at A level")
    'Points at A level'
    """
    return text[:1].upper() + text[1:]


# What a run says, of a live one or a stored one --------------------------------------------------

NAMES = {name: text[:1].upper() + text[1:] for name, text in real.SERIES.items()}


def tables(found: real.Findings) -> Iterable[Block]:
    """The slopes beside theory, and what privacy costs where the equation calls it free."""
    yield Table.of(
        ("Slope in", "measured, 95%", "mechanism", "far out", "verdict"),
        [
            (NAMES[x.series], _measured(x), signed(x.mechanism), signed(x.asymptotic), x.verdict)
            for x in found.slopes
        ],
        alt="Measured slopes with 95% intervals beside those of theory",
    )
    yield Note(
        "*Mechanism*: its own equation over the same points. *Far out*: where one term decides. "
        "A slope agrees where its interval meets what lies between the two."
    )
    for one in found.slopes:
        if one.argument:
            yield Note(f"**{NAMES[one.series]}.** {one.argument.replace(' -', ' −')}")
    yield Table.of(
        ("Privacy is free for", "from ε", "error there, equation", "measured, 95%"),
        [
            (x.name.capitalize(), number(x.epsilon), f"× {number(x.equation)}", _times(x))
            for x in found.factors
        ],
        alt="Error over that without privacy, at the budgets from which the equation calls it free",
    )


def _times(one: real.Factor) -> str:
    # nan too: what the truth is too rough to tell.
    if not one.value > 0:
        return "not known"
    return f"× {number(one.value)} ({between(one.low, one.high)})"


def _measured(one: real.Slope) -> str:
    # Two points, as a slope through one is any.
    if one.used < 2:
        return "-"
    return f"{signed(one.value)} ({signed(one.low)} to {signed(one.high)})"


def stored(key: str) -> Iterable[Block]:
    """What a stored run of a public data set found; nothing where none is stored."""
    if (one := real.stored(key)) is not None:
        yield core.Heading(f"A stored run: {real.data_set(key).title}")
        yield Note(
            f"{one.sites:,} sites, {one.records:,} records, {one.findings.replicates} "
            f"replicates, seed {one.findings.seed}."
        )
        yield from tables(one.findings)
        yield Note(words.md(one.differ))
