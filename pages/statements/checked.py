"""What of a statement is checked: its formal claim, and what the check tells apart."""

from __future__ import annotations

import streamlit as st

from pages.charts import words
from pages.core import formula
from pages.statements import item as ledger_item
from rates import formal
from rates.statements import FORMLESS, Statement, decisions, told


def show(item: Statement) -> None:
    """Show the formal claims, how many mutants are told apart, and what was decided."""
    lines = []
    found = told().get(item.id)
    if found and "of" in found:
        lines.append(
            f"**What the check tells apart.** {found['told']} of {found['changed']} changes of its "
            "own code (a sign, a constant doubled, a comparison turned round) change a verdict; "
            "some of them touch the draws or a loose bound, and need not."
        )
    elif found:
        lines.append(
            f"**What the check tells apart.** {found['told']} of {found['changed']} changed claims "
            "(a sign, an exponent by a tenth, a constant doubled, a condition dropped) fail on "
            f"draws; {len(found['alike'])} more are as true as this one."
        )
    if exact := decisions().get(item.id):
        lines.append(
            f"As {exact['claims']} claims of orders it is decided for all sizes, in exact "
            f"arithmetic, with a certificate, at {words.md(exact['exponents'])}."
        )
    if item.formless:
        lines.append(f"**No formula is formed of it.** {FORMLESS[item.formless]}")
    for line in lines:
        st.markdown(line)
    titles = ledger_item.titles(item)
    for form in item.forms:
        claim = formal.claims().get((item.id, form))
        if claim is not None:
            case = (
                f" ({words.md(item.checked_as)})" if form == item.used and item.checked_as else ""
            )
            with st.expander(f"What is checked: {titles[form]}{case}"):
                for text in claim.latex:
                    formula.show(text)
    if found and "of" not in found and found["missed"]:
        with st.expander("Changed claims that no draw tells from this one"):
            st.markdown("\n".join(f"- {words.md(text)}" for text in found["missed"]))
