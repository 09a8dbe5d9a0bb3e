"""A rate of one's own, with a logarithm and an infimum: from typing to LaTeX and TikZ."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from rates.numbers import unpack
from rates.orders import inquiry

RATE = "log(n)*inf_h(bias: h^2 + sampling: 1/(n*h) + privacy: 1/(n*eps*h)^2)"
WHERE = ("n >= 2", "n*eps^3 >= 1", "eps <= 1")


def compiled(source: str, folder: Path) -> None:
    """Compile a LaTeX file where there is a compiler; else its brackets must match."""
    path = folder / "taken.tex"
    path.write_text(source, encoding="ascii")
    if shutil.which("pdflatex") is None:
        assert source.count("{") == source.count("}")
        assert source.count(r"\begin") == source.count(r"\end")
        return
    run = subprocess.run(  # noqa: PLW1510
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", path.name],
        cwd=folder,
        capture_output=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout.decode(errors="replace")[-2000:]
    assert (folder / "taken.pdf").stat().st_size > 1000


def test_a_typed_rate_ends_as_tables_and_a_map_in_latex(server, visit, tmp_path):
    visitor = visit(server)
    visitor.open("/orders")
    box = visitor.page.get_by_role("textbox", name="A rate, or an equation in one")
    box.fill("")
    box.press_sequentially("log(n)*inf_h(h^2, 1/(n*eps", delay=15)
    # As one types, with no key to confirm: what is missing, below its column.
    visitor.expect("not closed")
    box.fill(RATE)
    visitor.expect("bias_sampling decides")
    visitor.settle()
    visitor.expect("Logarithms are left out of borders")
    visitor.page.get_by_text("Along one axis", exact=True).click()
    visitor.settle()
    visitor.expect("slope")
    visitor.page.get_by_text("Claims", exact=True).click()
    visitor.settle()
    visitor.page.get_by_role("button", name="Add a claim").click()
    visitor.page.get_by_role("textbox", name="The rate is", exact=True).fill("log(n)*n^(-2/3)")
    visitor.page.get_by_role("textbox", name="where", exact=True).fill(
        "n >= 2, n*eps^3 >= 1, eps <= 1"
    )
    visitor.page.get_by_role("button", name="Decide it").click()
    visitor.settle()
    visitor.expect("Holds for all sizes", "It needs 1 of its 3 conditions")
    opened = visitor.page.url.removeprefix(server)
    visitor.page.get_by_text("Take away", exact=True).click()
    visitor.settle()
    for button in ("Tables as LaTeX", "Map as TikZ"):
        with visitor.page.expect_download() as download:
            visitor.page.get_by_role("button", name=button).click()
        file = tmp_path / "taken.txt"
        download.value.save_as(file)
        compiled(file.read_text("ascii"), tmp_path)
    given = visitor.page.url.split("rate=")[1].split("&")[0]
    asked = inquiry.from_json(unpack(given.replace("%7E", "~")))
    assert asked.text == RATE
    assert asked.claims[0].where == WHERE
    visitor.check()
    # The link opens the same in a new window.
    other = visit(server, width=420, scheme="dark")
    other.open(opened)
    other.expect("bias_sampling decides", "Holds for all sizes")
    other.check()
