"""One statement of the ledger: claim, both forms, verdicts, counterexample, proof and test."""

from __future__ import annotations

import functools
import math
import re
import urllib.parse
from collections.abc import Mapping, Sequence

import streamlit as st

from pages.charts import words
from pages.core import button, fold, formula, layout, tables
from pages.current import takeaway
from pages.phases import designs
from pages.phases import reading as phase_reading
from pages.statements import run as ledger_run
from pages.statements import view as ledger
from rates import statements as theory
from rates.statements import Evaluation, Statement, StoredVerdict, statement, statements, verdicts
from rates.study import codec

_LETTERS = {"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eps": "ε"}
_LETTERS |= {"kappa": "κ", "nu": "ν", "sigma": "σ", "tau": "τ"}
_POWER = "power_"  # of a parameter that a check takes as an exponent of N
_ID = re.compile(rf"(?:{'|'.join(theory.PAPERS)}):[\w.:*-]*\w")
_QUOTED = {"paraphrase": "As printed, in our words", "implied": "As the text implies"}
_DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_DRAWS = "Random parameter sets inside the hypotheses; at each, by how much the statement fails."
_RUNS = (
    "A run of ours, whose results are stored and made again by "
    "`python tests/golden/make_simulations.py`; each of its settings counts as a draw, and the "
    "seed plays no part."
)

at_counterexample = functools.lru_cache(maxsize=256)(
    lambda name: theory.evaluate(statement(name), number=1)
)


def titles(item: Statement) -> dict[str, str]:
    """Name the forms of a statement; a formula of ours has not been printed."""
    first = _QUOTED.get(item.quoted, "As printed")
    return {
        "printed": "Our formula" if item.kind == "derived" else first,
        "reading": "Our reading",
    }


def heading(item: Statement) -> str:
    """Say where a statement stands."""
    kind = "formula of ours" if item.kind == "derived" else item.kind
    place = words.cited(f"[{item.paper}] Section {item.section}")
    text = f"{place}, {kind}, `{item.id}`"
    if item.errata:
        number = "corrections" if len(item.errata) > 1 else "correction"
        text += f", {number} {', '.join(item.errata)} of our list"
    return f"{text}."


def place(item: Statement) -> None:
    """Say what kind of slip it is, whether it counts, and how it came to stand here."""
    notes = []
    if item.category:
        notes.append(f"Kind of slip: **{item.category}**.")
    if item.repeats:
        notes.append(f"It repeats {words.md(item.repeats)} and is not counted again.")
    if item.extraction:
        notes.append("Our text of the paper may be damaged here, so it is not counted.")
    if item.withdrawn:
        notes.append("**Dropped from the ledger**: it is not counted, and its link stays open.")
    if text := settings(item):
        notes.append(words.md(text))
    if notes:
        st.markdown(" ".join(notes))
    for text in item.history:
        st.caption(words.md(text))


def settings(item: Statement) -> str:
    """Say where a simulated result came out otherwise, and by how much; empty for other entries."""
    if not item.simulated or not item.category:
        return ""
    found = ledger_run.stored()[item.id][0]
    return (
        f"In {found.violations} of {found.number} settings of ours ({'; '.join(item.hypotheses)}) "
        "the interval of the difference lies on the other side of 0, by up to "
        f"{100 * (found.worst or 0):.1f} points; all intervals of a run hold together at 95 %."
    )


def forms(item: Statement, row: Sequence[StoredVerdict], *, tight: bool = False) -> None:
    """Show what is claimed, under which hypotheses, and both forms side by side."""
    st.markdown(words.cited(item.claim))
    if item.hypotheses:
        st.markdown(
            f"Where {'; '.join(words.cited(text.rstrip('.')) for text in item.hypotheses)}."
        )
    texts = [item.printed, *([item.reading] if item.reading is not None else [])]
    places = st.columns(len(texts), gap="medium", border=True)
    for place, text, verdict in zip(places, texts, row, strict=True):
        with place:
            st.markdown(f"**{titles(item)[verdict.form]}** {ledger.badge(verdict)}")
            if tight:
                st.markdown(formula.compact(text))
            else:
                formula.show(text)
    if item.why:
        st.markdown(f"**Why.** {words.cited(item.why)}")
    if item.untestable:
        st.markdown(f"**Why numbers cannot decide it.** {words.cited(item.untestable)}")


def symbol(name: str) -> str:
    """Return the name of a parameter as a page writes it.

    >>> symbol("n0"), symbol("eps21"), symbol("gamma"), symbol("m")
    ('n₀', 'ε₂₁', 'γ', 'm')
    """
    stem = name.rstrip("0123456789")
    number = name[len(stem) :].translate(_DIGITS)
    return f"{_LETTERS.get(stem, stem.replace('_', ' '))}{number}"


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


def counterexample(item: Statement, fresh: Evaluation | None, *, links: bool) -> None:
    """Show the numbers at which the printed form fails, and where they can be looked at."""
    stored = item.counterexample
    drawn = fresh.of("printed").outcome if fresh else None
    if stored is not None:
        text = f"**Counterexample.** {words.md(at(stored))}. {_there(item)}"
        if item.smallest:
            text += f" {words.md(item.smallest)}"
        if item.holds_at is not None:
            text += f" The printed form still holds at {words.md(at(item.holds_at))}."
    elif drawn and drawn.fails:
        text = f"**Worst draw.** {words.md(at(drawn.at))}."
    else:
        return
    st.markdown(text)
    if links:
        doors(item)


def _there(item: Statement) -> str:
    """How both forms do at the stored counterexample."""
    parts = []
    for verdict in at_counterexample(item.id).verdicts:
        outcome = verdict.outcome
        if outcome is not None and outcome.counterexample is not None:
            gap = outcome.counterexample
            name = "The printed form" if verdict.form == "printed" else "our reading"
            fails = f"fails there by a gap of {words.number(gap)}"
            parts.append(f"{name} {'holds there' if gap <= outcome.tolerance else fails}")
    return f"{', '.join(parts)}." if parts else ""


def doors(item: Statement) -> None:
    """Lead to the map and the study at which the printed form fails."""
    if item.study is None and item.map is None:
        return
    with st.container(horizontal=True):
        if item.map is not None:
            st.page_link(
                layout.page("phases"),
                label="Open it on the map",
                icon=":material/map:",
                query_params={
                    designs.POINT.parameter: item.map,
                    **phase_reading.READING.link(item.table or phase_reading.NONE),
                },
            )
        if item.study is not None:
            takeaway.as_study("Open it as a study", codec.from_link(item.study))


def proof(item: Statement) -> None:
    """Show the proof in numbered steps."""
    if item.proof:
        which = titles(item)[item.used].lower()
        which = "the form as printed" if which == "as printed" else which
        st.markdown(f"**Proof of {which}**")
        st.markdown("\n".join(f"{k}. {words.cited(step)}" for k, step in enumerate(item.proof, 1)))


def derivation(item: Statement) -> None:
    """Offer the derivation by computer algebra, made only when it is asked for."""
    if item.derivation is None:
        return
    place = fold("Derivation by computer algebra, step by step", f"derive_{item.id}")
    if place is None:
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


def draws(item: Statement, row: Sequence[StoredVerdict], fresh: Evaluation | None) -> None:
    """Show what the draws found, for each form."""
    if item.check is None:
        return
    st.markdown(f"**The test.** {_RUNS if item.simulated else _DRAWS}")
    rows = ["Draws", "Seed", "Violations", "Largest gap", "Part of the proved bound reached"]
    most = 5 if any(verdict.attained is not None for verdict in row) else 4
    cells = {
        titles(item)[v.form]: [
            f"{v.number:,}",
            str(v.seed),
            f"{v.violations:,}",
            _gap(v),
            _reached(v),
        ]
        for v in row
    }
    tables.wrapped({title: column[:most] for title, column in ({"Quantity": rows} | cells).items()})
    for again in fresh.verdicts if fresh else ():
        if again.outcome and again.outcome.worst > again.outcome.tolerance:
            where = words.md(at(again.outcome.at))
            st.markdown(f"{titles(item)[again.form]}, the largest gap is at {where}.")
    unit = at_counterexample(item.id).verdicts[0].outcome
    if unit:
        what = words.md(unit.unit.removeprefix("is "))
        when = "Tested in this session." if fresh else "Stored result, seed 0."
        st.caption(f"Gap: {what}; up to {unit.tolerance:g} it is rounding. {when}")


def result(item: Statement, row: Sequence[StoredVerdict]) -> None:
    """Show what the draws found, one line for each form."""
    if item.check is None:
        return
    st.markdown(
        "**The test.** "
        + " ".join(
            f"{titles(item)[v.form]}: {v.number:,} draws with seed {v.seed}, {v.violations:,} "
            f"violations, largest gap {_gap(v)}."
            for v in row
        )
    )


def _reached(verdict: StoredVerdict) -> str:
    if verdict.attained is None:
        return ""
    return "exceeded" if verdict.violations else words.percent(verdict.attained)


def _gap(verdict: StoredVerdict) -> str:
    worst = verdict.worst
    if worst is None:
        return ""
    return "none" if math.isinf(worst) and worst < 0 else words.number(worst)


def again(item: Statement) -> None:
    """Offer to test this statement with another seed."""
    if item.check is None or item.simulated:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ledger_run.seed_box("one")
        button(
            "Test this statement again",
            "ledger_again",
            ledger_run.again,
            item,
            icon=":material/replay:",
        )
    if item.id in ledger_run.differing():
        before = ", ".join(v.words for v in ledger_run.stored()[item.id])
        st.warning(f"Stored, with seed 0: {before}. The fresh verdict differs.")


def see_also(item: Statement) -> None:
    """Lead to the statements that this one refers to."""
    own = (item.repeats, item.claim, item.why, item.untestable, item.smallest)
    texts = (*own, *item.hypotheses, *item.history, *item.proof)
    known = {other.id: other for other in statements()}
    for name in dict.fromkeys(name for text in texts for name in _ID.findall(text)):
        if name in known and name != item.id:
            button(
                f"See {words.md(name)}: {words.md(known[name].title)}",
                f"ledger_see_{name}",
                functools.partial(ledger.VIEW.change, id=name),
                type="tertiary",
                icon=":material/subdirectory_arrow_right:",
                wrap=True,
            )


def used_on(item: Statement) -> None:
    """Lead to the pages that use a statement."""
    if stems := ledger.pages(item):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("Used on")
            for stem in stems:
                st.page_link(layout.page(stem), label=stem.capitalize())


def python(item: Statement) -> str:
    """Return the lines of Python that reproduce the verdicts."""
    return (
        "from rates import statements\n\n"
        f"item = statements.statement({item.id!r})\n"
        f"for verdict in statements.evaluate(item, seed={ledger.VIEW.get().seed}).verdicts:\n"
        "    print(verdict.form, verdict.words, verdict.outcome)\n"
    )


def address(item: Statement, **more: str) -> str:
    """Return the link to a statement, from any page of the app."""
    return f"statements?{urllib.parse.urlencode({'id': item.id, **more}, safe=':')}"


def stored_or_fresh(item: Statement) -> tuple[tuple[StoredVerdict, ...], Evaluation | None]:
    """Return the verdicts on a statement, and the evaluation if it was tested in this session."""
    fresh = ledger_run.fresh().get(item.id)
    return (verdicts.of_evaluation(fresh) if fresh else ledger_run.stored()[item.id]), fresh
