"""The logistic page in a real Chromium: a budget moved, a run, a link, own records, a phone."""

from __future__ import annotations

import re

from tests.browser.helpers import button, expect_asked

SMALL = "dimension:12;sparsity:3;sources:4;transferable:2"


def records() -> str:
    """Three sites, one of them with turned labels; nothing random."""
    lines = ["source,y,a,b"]
    for name, n, turned in (("small", 60, 0), ("like", 120, 0), ("unlike", 120, 1)):
        for k in range(n):
            a, b = ((37 * k) % 41) / 20 - 1, ((17 * k) % 29) / 14 - 1
            lines.append(f"{name},{int(a + b > 0) ^ turned},{a:.3f},{b:.3f}")
    return "\n".join(lines)


def test_a_journey(server, visit):
    visitor = visit(server)
    visitor.open(f"/logistic?run={SMALL}")
    visitor.expect("With ε = 16, detection keeps", "best possible")
    slider = visitor.page.locator('input[type=range][aria-label="Budget ε of every site"]')
    slider.focus()
    slider.press("Home")
    visitor.expect("With ε = 0.5, detection keeps", "All noise")
    expect_asked(visitor, "epsilon:0.5")
    link = visitor.page.url
    said = re.search(r"With ε = 0.5, detection keeps[^.]*", visitor.text())[0]
    again = visit(server)
    again.open(link[len(server) :])
    again.expect(said)
    again.check()

    visitor.open(f"/logistic?tab=accuracy&run={SMALL};epsilon:8,inf;replicates:3")
    visitor.expect("Run compares the four fits")
    button(visitor, "Run").click()
    visitor.expect("finished in", "3 of 3 replicates", "target alone")
    visitor.open("/logistic?tab=records&run=kind:none")
    visitor.expect("table of records")
    button(visitor, "Bring the table").click()
    visitor.page.locator("input[type=file]").set_input_files(
        {"name": "records.csv", "mimeType": "text/csv", "buffer": records().encode()}
    )
    visitor.expect("For small the detection", "Not private end to end")
    visitor.check()
