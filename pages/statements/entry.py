"""One entry of the ledger as blocks: the quote, both forms, an example, why, and a run of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

import streamlit as st

from pages import charts, core
from pages.charts import words
from pages.core import Block, Fold, Note, Text, button, formula, layout
from pages.current import takeaway
from pages.phases import page as designs
from pages.statements.view import VIEW, badge
from rates import ledger
from rates.ledger import Entry, editions, figures, shown, verdicts
from rates.study import codec

_ID = re.compile(rf"(?:{'|'.join(ledger.PAPERS)}):[\w.:*-]*\w")
_FORMULA = re.compile(r"\$([^$]+)\$")
_SIZED = re.compile(r"(\\[bB]igg?[lrm]?)\{(\\?.)\}")  # a converter's braces, which KaTeX refuses
_PRINTED, _COMPUTED = ("#c8384a", "dash"), (charts.EQUATION, "solid")
_AGAIN = "ledger_again_found"  # what the last run of one entry found


def typeset(text: str, *, small: bool = False) -> str:
    r"""Return a text with formulas between ``$`` as Markdown; ids of entries lead to them.

    Formulas are set as large as they can, or small, where they stand in running words.

    >>> print(typeset("$n_0$ as in [KS] 4*"))
    $\displaystyle n_0$ as in [\[KS\]](about?term=KS) 4\*
    """
    known = _SIZED.sub(r"\1\2", text).replace(r"\nicefrac", r"\frac")  # what KaTeX knows
    parts = _FORMULA.split(known)
    made = "".join(formula.inline(x) if k % 2 else _linked(x) for k, x in enumerate(parts))
    return made.replace(r"\displaystyle ", "") if small else made


def _linked(text: str) -> str:
    """Return plain text as Markdown in which ids of entries and keys of papers are links."""
    out, done = "", 0
    # Only ids that exist become links: a text may name an entry that is gone.
    for found in _ID.finditer(text):
        if found[0] in _ids():
            link = editions.link(ledger.entry(found[0]))
            out += f"{words.cited(text[done : found.start()])}[{words.md(found[0])}]({link})"
            done = found.end()
    return out + words.cited(text[done:])


@cache
def _ids() -> frozenset[str]:
    return frozenset(one.id for one in ledger.entries())


def blocks(one: Entry) -> Iterator[Block]:
    """What stands below the title of an entry."""
    yield Text(heading(one))
    if one.withdrawn:
        yield Text("**Withdrawn**: it is no statement of the paper. Its link stays open.")
    if one.quote:
        yield Text(f"> {typeset(one.quote)}")
    if one.copy:
        yield Note(typeset(one.copy))
    yield Text(typeset(one.says))
    if one.given:
        yield Text(f"Where {'; '.join(typeset(text.rstrip('.')) for text in one.given)}.")
    yield lambda: forms(one)
    yield from _needs(one)
    if one.untestable:
        yield Text(f"**Why numbers cannot decide it.** {typeset(one.untestable)}")
    example, sides = shown.example(one)
    if example:
        yield Text(f"**Example.** {typeset(f'At {example}')}{_there(one, sides)}")
    yield lambda: ways(one)
    if one.why:
        yield Text(f"**Why.** {typeset(one.why)}")
    if one.argument:
        yield Text("**Argument**\n\n" + "\n".join(_steps(one)))
    if one.id in figures.FIRST:
        yield core.with_lines(figure, one.id)
    yield lambda: _again(one)
    if one.history:
        yield Fold("History", [Text("\n".join(f"- {typeset(text)}" for text in one.history))])


def _needs(one: Entry) -> Iterator[Block]:
    """Say which conditions carry what is decided for all sizes."""
    if not (said := [typeset(text, small=True) for text in shown.needs(one)]):
        return
    found = verdicts.stored()[one.id].needs.values()
    proved, ways = (sum(x[name] for x in found) for name in ("proved", "ways"))
    note = Note(
        "These suffice at every exponent tried, and no fewer of them do; "
        f"{proved} of {ways} such sets are proved to suffice at all exponents. A condition that a "
        "claim does not need may be needed by its proof, or elsewhere in the theorem."
    )
    bullets = said if len(said) > 1 else [f"It {said[0]}"]
    yield Text("**Conditions**\n\n" + "\n".join(f"- {text}." for text in bullets))
    yield note


def heading(one: Entry) -> str:
    """Say where an entry stands and what kind of slip it is."""
    text = f"{words.cited(f'[{one.paper}]')} {typeset(one.place)} · `{one.id}`"
    more = [one.category, one.repeats and f"repeats {one.repeats}", *one.errata]
    more.append("our copy may be damaged here" if one.damaged else "")
    return " · ".join([text, *(_linked(part) for part in more if part)])


def forms(one: Entry) -> None:
    """Show the printed form and our reading, from their claims, and below what both share."""
    found = verdicts.stored()[one.id]
    lines = {form: shown.form(one, form) for form in one.forms}
    # What both forms share is told once, below them.
    first, *rest = lines.values()
    both = [x for x in first if rest and x in rest[0] and x.startswith(("where ", "if "))]
    places = st.columns(len(one.forms), gap="medium", border=True)
    for place, form in zip(places, one.forms, strict=True):
        with place:
            st.markdown(f"**{shown.title(one, form)}** {badge(found.words(form) or '')}")
            if own := [typeset(line) for line in lines[form] if line not in both]:
                st.markdown("\n\n".join(own))
    if both:
        st.markdown(typeset(shown.joined(both), small=True))
    if (claim := one.claims.get(one.used)) is not None:
        case = f" Checked: {one.case}." if one.case else ""
        st.caption(typeset(f"Drawn: {shown.ranges(claim)}.{case}"))
    if not found.fresh:
        st.caption("The text changed since it was checked; *run again* checks it as it stands.")


def _there(one: Entry, sides: str) -> str:
    """What the printed form says at its example, and by what it is contradicted there."""
    if not one.claim or not sides:
        return f": it fails by {words.md(sides)}." if sides else "."
    exact = verdicts.stored()[one.id].printed == ledger.CONTRADICTED
    certain = " Interval arithmetic with 30 digits: certainly false." if exact else ""
    return f" it says {typeset(sides)}.{certain}"


def ways(one: Entry) -> None:
    """Lead to the map, the study and the pages that show it."""
    if not (one.map or one.study or one.pages):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if one.map:
            table = designs.READING.link(one.table or designs.NONE)
            layout.link("phases", "On the map", "map", {designs.POINT.parameter: one.map, **table})
        if one.study:
            takeaway.as_study("As a study", codec.from_link(one.study))
        for stem in one.pages:
            layout.link(stem, stem.capitalize())


def _steps(one: Entry) -> Iterator[str]:
    """The steps of the argument; a tick where draws checked a relation of one."""
    _, failed = verdicts.stored()[one.id].draws.get(one.used, (0, 1))
    drawn = one.used in one.claims and not failed
    for number, text in enumerate(one.argument, 1):
        said, relation = shown.step(text)
        yield f"{number}. {typeset(said)}{' ✓' * (drawn and relation)}"


def _again(one: Entry) -> None:
    """Offer to run the draws of one entry with another seed, and say what they found."""
    if one.untestable or one.simulated:
        return
    button("Run again", "ledger_again", again, one, icon=":material/replay:")
    name, seed, found = st.session_state.get(_AGAIN, ("", 0, ()))
    if name == one.id:
        said = [
            f"{shown.title(one, verdict.form)}: **{verdict.words}**, "
            f"{verdict.outcome.violations:,} of {verdict.outcome.number:,} draws fail"
            for verdict in found
            if verdict.outcome
        ]
        st.markdown(f"With seed {seed}. {'. '.join(said)}.")


def again(one: Entry) -> None:
    """Check an entry with another seed than before; for a button."""
    VIEW.change()
    seed = st.session_state.get(_AGAIN, ("", 0))[1] + 1
    st.session_state[_AGAIN] = (one.id, seed, ledger.check(one, seed=seed))


def figure(name: str) -> charts.Figure:
    """Return the printed curve, dashed, and the computed one of an entry of `figures.FIRST`."""
    found = figures.FIRST[name]
    lines = found.curves()
    marks: list[charts.Fields] = []
    looks = [(colour, dash) for colour, _, dash in map(charts.look, range(len(lines)))]
    if found.printed:
        printed, computed = lines
        marks += charts.band(computed.x, printed.y, computed.y, "rgba(200,56,74,0.15)")
        looks = [_PRINTED, _COMPUTED]
    for (colour, dash), line in zip(looks, lines, strict=True):
        x, y = (values.astype("float32") for values in (line.x, line.y))
        hover = "%{x:.3g}: %{y:.3g}"
        marks.append(charts.line(x, y, line.name, colour, dash, 2.5, hover=hover))
    return charts.plot(
        marks,
        _axis(found.x, [line.x for line in lines], logs=found.logs),
        _axis(found.y, [line.y for line in lines], logs=found.logs),
        title=found.title,
        **charts.room(400, 90),
        name=f"difference-{name.casefold().replace(':', '-').replace('.', '-')}",
        caption=f"At {found.at}.",
    )


def _axis(title: str, values: Sequence[figures.Array], *, logs: bool) -> charts.Fields:
    if not logs:
        return charts.axis(title)
    ends = min(float(x.min()) for x in values), max(float(x.max()) for x in values)
    return charts.log_axis(title, ends, fit=True)
