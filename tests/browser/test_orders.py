"""A rate of one's own, with a logarithm and an infimum: from typing to LaTeX and TikZ."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from rates.numbers import unpack
from rates.orders import inquiry
from tests.browser.helpers import button, choose, download, press, query

RATE = "log(n)*inf_h(bias: h^2 + sampling: 1/(n*h) + privacy: 1/(n*eps*h)^2)"
WHERE = "n >= 2, n*eps^3 >= 1, eps <= 1"


def compiled(source: str, folder: Path) -> None:
    """Compile a LaTeX file where there is a compiler; else its brackets must match."""
    path = folder / "taken.tex"
    path.write_text(source, encoding="ascii")
    if shutil.which("pdflatex") is None:
        assert source.count("{") == source.count("}")
        assert source.count(r"\begin") == source.count(r"\end")
        return
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", path.name]
    run = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=False)
    assert run.returncode == 0, run.stdout.decode(errors="replace")[-2000:]
    assert (folder / "taken.pdf").stat().st_size > 1000


def test_a_typed_rate_ends_as_tables_and_a_map_in_latex(visit, tmp_path):
    visitor = visit("/orders")
    box = visitor.page.get_by_role("textbox", name="A rate, or an equation in one")
    box.fill("")
    box.press_sequentially("log(n)*inf_h(h^2, 1/(n*eps", delay=15)
    # As one types, with no key to confirm: what is missing, below its column.
    visitor.expect("not closed")
    box.fill(RATE)
    visitor.expect("bias_sampling decides")
    visitor.settle()
    visitor.expect("Logarithms are left out of borders")
    choose("Along one axis")(visitor)
    visitor.expect("slope")
    visitor.settle()
    choose("Claims")(visitor)
    visitor.settle()
    press("Add a claim")(visitor)
    visitor.page.get_by_role("textbox", name="The rate is", exact=True).fill("log(n)*n^(-2/3)")
    visitor.page.get_by_role("textbox", name="where", exact=True).fill(WHERE)
    visitor.page.get_by_role("button", name="Decide it", exact=True).click()  # in its box
    visitor.expect("Holds for all sizes", "It needs 1 of its 3 conditions")
    visitor.settle()
    asked = inquiry.from_json(unpack(query(visitor)["rate"].replace("%7E", "~")))
    assert (asked.text, ", ".join(asked.claims[0].where)) == (RATE, WHERE)
    # The link opens the same in a new window.
    said = ("bias_sampling decides", "Holds for all sizes")
    visit(visitor.path, *said, width=420, scheme="dark")
    choose("Take away")(visitor)
    visitor.settle()
    for name in ("Tables as LaTeX", "Map as TikZ"):
        compiled(download(visitor, button(visitor, name)).read_text("ascii"), tmp_path)
