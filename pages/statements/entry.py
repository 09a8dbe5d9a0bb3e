"""One statement of the ledger as blocks: both forms, verdicts, counterexample, proof and test."""

from __future__ import annotations

import math
import re
import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial

import streamlit as st

from pages import charts
from pages.charts import words
from pages.core import Block, Fold, Formula, Note, Text, button, fold, formula
from pages.current import takeaway
from pages.phases import designs
from pages.statements import run
from pages.statements.view import GREEK, LOOKS, badge, go, page_link
from rates import errata, formal
from rates import statements as theory
from rates.statements import FORMLESS, Evaluation, Statement, StoredVerdict, statement, statements
from rates.study import codec

_POWER = "power_"  # of a parameter that a check takes as an exponent of N
_ID = re.compile(rf"(?:{'|'.join(theory.PAPERS)}):[\w.:*-]*\w")
_QUOTED = {"paraphrase": "As printed, in our words", "implied": "As the text implies"}
_DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_DRAWS = "Random parameter sets inside the hypotheses; at each, by how much the statement fails."
_LINES = {"printed": (LOOKS["refuted"].colour, "dash"), "computed": (charts.EQUATION, "solid")}
_RUNS = "A stored run of ours; each of its settings counts as a draw, and the seed plays no part."

at_counterexample = lru_cache(maxsize=256)(lambda name: theory.evaluate(statement(name), number=1))


def blocks(item: Statement, *, paper: bool = False) -> Iterator[Block]:
    """What stands below the title of a statement: on its page, or on one sheet of paper."""
    row, fresh = run.verdicts_on(item)
    yield Text(heading(item))
    if text := " ".join(_place(item)):
        yield Text(text)
    yield from (Note(words.md(text)) for text in item.history)
    yield Text(words.cited(item.claim))
    if item.hypotheses:
        conditions = "; ".join(words.cited(text.rstrip(".")) for text in item.hypotheses)
        yield Text(f"Where {conditions}.")
    yield partial(forms, item, row, tight=paper)
    if item.why:
        yield Text(f"**Why.** {words.cited(item.why)}")
    if item.untestable:
        yield Text(f"**Why numbers cannot decide it.** {words.cited(item.untestable)}")
    if text := _counterexample(item, fresh):
        yield Text(text)
        if not paper:
            yield partial(example_links, item)
    if item.proof:
        which = titles(item)[item.used].lower()
        yield Text(f"**Proof of {'the form as printed' if which == 'as printed' else which}**")
        yield Text("\n".join(f"{k}. {words.cited(step)}" for k, step in enumerate(item.proof, 1)))
    if item.check is not None:
        yield Text(f"**The test.** {' '.join(_drawn(item, verdict) for verdict in row)}")
    if paper:
        return
    if item.check is not None:
        yield from _gaps(item, fresh)
    yield partial(_see_also, item)
    yield partial(_derivation, item)
    yield from _checked(item)
    yield partial(_again, item)
    yield partial(_used_on, item)


def titles(item: Statement) -> dict[str, str]:
    """Name the forms of a statement; a formula of ours has not been printed."""
    first = "Our formula" if item.kind == "derived" else _QUOTED.get(item.quoted, "As printed")
    return {"printed": first, "reading": "Our reading"}


def heading(item: Statement) -> str:
    """Say where a statement stands."""
    kind = "formula of ours" if item.kind == "derived" else item.kind
    text = f"{words.cited(f'[{item.paper}] Section {item.section}')}, {kind}, `{item.id}`"
    if item.errata:
        number = "corrections" if len(item.errata) > 1 else "correction"
        text += f", {number} {', '.join(item.errata)} of our list"
    return f"{text}."


def _place(item: Statement) -> Iterator[str]:
    """What kind of slip it is, whether it counts, and how it came to stand here."""
    if item.category:
        yield f"Kind of slip: **{item.category}**."
    if item.repeats:
        yield f"It repeats {words.md(item.repeats)} and is not counted again."
    if item.extraction:
        yield "Our text of the paper may be damaged here, so it is not counted."
    if item.withdrawn:
        yield "**Dropped from the ledger**: it is not counted, and its link stays open."
    yield words.md(settings(item))


def settings(item: Statement) -> str:
    """Say where a simulated result came out otherwise, and by how much; empty for other entries."""
    if not item.simulated or not item.category:
        return ""
    found = run.stored()[item.id][0]
    return (
        f"In {found.violations} of {found.number} settings of ours ({'; '.join(item.hypotheses)}) "
        "the interval of the difference lies on the other side of 0, by up to "
        f"{100 * (found.worst or 0):.1f} points; all intervals of a run hold together at 95%."
    )


def forms(item: Statement, row: Sequence[StoredVerdict] = (), *, tight: bool = True) -> None:
    """Show the printed form and our reading side by side.

    Args:
        item: The statement.
        row: Verdicts on them, shown as badges; none for the formulas alone.
        tight: Whether its formulas stand line by line, as on paper, or with room around them.
    """
    texts = [text for text in (item.printed, item.reading) if text is not None]
    places = st.columns(len(texts), gap="medium", border=bool(row))
    badges = [f" {badge(verdict)}" for verdict in row] or [""] * len(texts)
    for place, title, mark, text in zip(places, titles(item).values(), badges, texts, strict=False):
        with place:
            st.markdown(f"**{title}**{mark}")
            st.markdown(formula.compact(text, "  \n" if tight else "\n\n"))


def symbol(name: str) -> str:
    """Return the name of a parameter as a page writes it.

    >>> symbol("n0"), symbol("eps21"), symbol("gamma"), symbol("m")
    ('n₀', 'ε₂₁', 'γ', 'm')
    """
    stem = name.rstrip("0123456789")
    number = name[len(stem) :].translate(_DIGITS)
    return f"{GREEK.get(stem, stem.replace('_', ' '))}{number}"


def at(parameters: Mapping[str, float]) -> str:
    """Return a parameter set in words; an exponent stands as a power of N.

    >>> at({"power_delta0": -0.2, "gamma": 1})
    'δ₀ = N^(-0.2), γ = 1'
    """
    return ", ".join(
        f"{symbol(key.removeprefix(_POWER))} = {_value(value, power=key.startswith(_POWER))}"
        for key, value in parameters.items()
    )


def grows(parameters: Mapping[str, float]) -> bool:
    """Say whether a parameter set holds powers of N, which stands for any large number."""
    return any(key.startswith(_POWER) for key in parameters)


def _value(x: float, *, power: bool = False) -> str:
    if power:
        return f"N^{_value(x) if x >= 0 else f'({_value(x)})'}"
    if math.isinf(x):
        return "∞" if x > 0 else "-∞"
    return f"{int(x):,}" if float(x).is_integer() and abs(x) < 1e7 else words.number(float(x), 6)


def _counterexample(item: Statement, fresh: Evaluation | None) -> str:
    """The numbers at which the printed form fails; empty where none are known."""
    drawn = fresh.of("printed").outcome if fresh else None
    if item.counterexample is not None:
        text = f"**Counterexample.** {words.md(at(item.counterexample))}. {_there(item)}"
        if item.smallest:
            text += f" {words.md(item.smallest)}"
        if item.holds_at is not None:
            text += f" The printed form still holds at {words.md(at(item.holds_at))}."
        return text
    return f"**Worst draw.** {words.md(at(drawn.at))}." if drawn and drawn.fails else ""


def _there(item: Statement) -> str:
    """How both forms do at the stored counterexample."""
    parts = []
    for verdict in at_counterexample(item.id).verdicts:
        outcome = verdict.outcome
        if outcome is not None and (gap := outcome.counterexample) is not None:
            name = "The printed form" if verdict.form == "printed" else "our reading"
            fails = gap > outcome.tolerance
            parts.append(f"{name} {f'fails by {words.number(gap)}' if fails else 'holds'} there")
    return f"{', '.join(parts)}." if parts else ""


def example_links(item: Statement) -> None:
    """Lead to the map and the study at which the printed form fails."""
    if item.study is None and item.map is None:
        return
    with st.container(horizontal=True):
        if item.map is not None:
            table = designs.READING.link(item.table or designs.NONE)
            query = {designs.POINT.parameter: item.map, **table}
            page_link("phases", "Open it on the map", "map", **query)
        if item.study is not None:
            takeaway.as_study("Open it as a study", codec.from_link(item.study))


def _see_also(item: Statement) -> None:
    """Lead to the statements that this one refers to."""
    own = (item.repeats, item.claim, item.why, item.untestable, item.smallest)
    texts = (*own, *item.hypotheses, *item.history, *item.proof)
    known = {other.id: other for other in statements()}
    for name in dict.fromkeys(name for text in texts for name in _ID.findall(text)):
        if name in known and name != item.id:
            label = f"See {words.md(name)}: {words.md(known[name].title)}"
            how = {"type": "tertiary", "wrap": True}
            go(label, f"ledger_see_{name}", {"id": name}, "subdirectory_arrow_right", **how)


def _derivation(item: Statement) -> None:
    """Offer the derivation by computer algebra, made only when it is asked for."""
    title = "Derivation by computer algebra, step by step"
    if item.derivation is None or not (place := fold(title, f"derive_{item.id}")):
        return
    with place:
        found = theory.derive(item.derivation)  # with it come all derivations
        st.markdown(
            f"{words.md(found.title)}. ✓ marks a step whose two sides agree, ✗ one where they "
            "differ; each has just been checked by sympy."
        )
        for k, step in enumerate(found.steps, 1):
            st.markdown(f"{k}. {'✓' if step.residual_is_zero else '✗'} {words.cited(step.words)}")
            formula.show(step.latex)
        st.markdown("**Result**")
        formula.show(found.result)


def _drawn(item: Statement, verdict: StoredVerdict) -> str:
    """What the draws found for one form, in one line."""
    return (
        f"{titles(item)[verdict.form]}: {verdict.number:,} draws with seed {verdict.seed}, "
        f"{verdict.violations:,} violations, largest gap {_gap(verdict)}."
    )


def _gaps(item: Statement, fresh: Evaluation | None) -> Iterator[Block]:
    """What a draw and a gap are, and where the largest ones lie."""
    for again in fresh.verdicts if fresh else ():
        if again.outcome and again.outcome.worst > again.outcome.tolerance:
            where = words.md(at(again.outcome.at))
            yield Text(f"{titles(item)[again.form]}, the largest gap is at {where}.")
    if unit := at_counterexample(item.id).verdicts[0].outcome:
        what = words.md(unit.unit.removeprefix("is "))
        yield Note(
            f"{_RUNS if item.simulated else _DRAWS} Gap: {what}; up to {unit.tolerance:g} it is "
            "rounding."
        )


def _gap(verdict: StoredVerdict) -> str:
    worst = verdict.worst
    if worst is None:
        return ""
    return "none" if math.isinf(worst) and worst < 0 else words.number(worst)


def _checked(item: Statement) -> Iterator[Block]:
    """The formal claims, and what was decided of them in exact arithmetic."""
    if exact := theory.decisions().get(item.id):
        yield Text(
            f"As {exact['claims']} claims of orders it is decided for all sizes, in exact "
            f"arithmetic, with a certificate, at {words.md(exact['exponents'])}."
        )
    if item.formless:
        yield Text(f"**No formula is formed of it.** {FORMLESS[item.formless]}")
    for form in item.forms:
        if claim := formal.claims().get((item.id, form)):
            case = (
                f" ({words.md(item.checked_as)})" if form == item.used and item.checked_as else ""
            )
            title = f"What is checked: {titles(item)[form]}{case}"
            yield Fold(title, [Formula(text) for text in claim.latex])


def _again(item: Statement) -> None:
    """Offer to test this statement with another seed."""
    if item.check is None or item.simulated:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        run.seed_box("one")
        icon = ":material/replay:"
        button("Test this statement again", "ledger_again", run.again, item, icon=icon)
    if item.id in run.differing():
        before = ", ".join(v.words for v in run.stored()[item.id])
        st.warning(f"Stored, with seed 0: {before}. The fresh verdict differs.")


def _used_on(item: Statement) -> None:
    """Lead to the pages that use a statement."""
    if item.pages:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("Used on")
            for stem in item.pages:
                page_link(stem, stem.capitalize())


def figure(name: str) -> charts.Figure:
    """Return the printed curve, dashed, and the computed one of an entry of `errata.FIRST`."""
    found = errata.shown(name)
    marks: list[charts.Mark] = []
    pair = [line.kind for line in found.lines] == ["printed", "computed"]
    if pair:
        printed, computed = found.lines
        marks += charts.band(computed.x, printed.y, computed.y, "rgba(200,56,74,0.15)")
    for place, line in enumerate(found.lines):
        colour, _, dash = charts.look(place)
        if pair:  # without one, lines differ by their place
            colour, dash = _LINES[line.kind]
        x, y = (values.astype("float32") for values in (line.x, line.y))
        hover = "%{x:.3g}: %{y:.3g}"
        marks.append(charts.line(x, y, line.name, colour, dash, 2.5, hover=hover))
    across, up = (
        charts.log_axis(title, ends, fit=True, fixed=True)
        if found.logs
        else charts.Axis(title=title, fixed=True)
        for title, ends in ((found.x, found.across), (found.y, found.up))
    )
    return charts.plot(
        marks,
        across,
        up,
        title=found.title,
        **charts.room(400, 90),
        name=f"difference-{name.casefold().replace(':', '-').replace('.', '-')}",
        caption=f"At {found.at}.",
    )


def python(item: Statement) -> str:
    """Return the lines of Python that reproduce the verdicts with a SEED."""
    return f"""from rates import statements

item = statements.statement({item.id!r})
for verdict in statements.evaluate(item, seed=SEED).verdicts:
    print(verdict.form, verdict.words, verdict.outcome)
"""


def address(item: Statement, **more: str) -> str:
    """Return the link to a statement, from any page of the app."""
    return f"statements?{urllib.parse.urlencode({'id': item.id, **more}, safe=':')}"
