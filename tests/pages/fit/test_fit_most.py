"""What matters most is one thing, in words, figure and protocol."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pages.charts import words
from pages.fit import words as fit_words
from pages.fit.unknowns import of_unknowns
from rates.fit import envelope
from rates.study import theory_for
from rates.study.presets import PRESETS
from rates.study.scenario import FederatedStudy, Server, Study, TransferStudy
from rates.study.scope import Scope
from tests.depth import deep_after


def random_study(seed: int) -> Study:
    """A study of one to four sites."""
    rng = np.random.default_rng(seed)
    rows = [
        Server(
            name=f"Site {k}",
            n=int(10 ** rng.uniform(1.5, 5)),
            epsilon=float(10 ** rng.uniform(-1, 1)),
            delta=1e-7,
        )
        for k in range(int(rng.integers(1, 5)))
    ]
    if seed % 3 == 0:
        return FederatedStudy(servers=rows, smoothness=1.5, integrability=5)
    d = int(rng.integers(2, 6))
    return TransferStudy(target=rows[0], sources=rows[1:], smoothness=0.5, dimension=d, margin=1)


STUDIES = [entry.study for entry in PRESETS] + [random_study(seed) for seed in range(12)]


@pytest.mark.parametrize("study", deep_after(12, STUDIES), ids=lambda s: s.servers[0].name)
@pytest.mark.parametrize("fixed", [False, True], ids=["margin open", "margin fixed"])
def test_words_figure_and_protocol_name_the_same_unknown(study, fixed):
    transfer = isinstance(study, TransferStudy)
    scope = Scope(margin=(1, 1) if fixed and transfer else None)
    for risk in ("classification",) if transfer else ("integrated", "pointwise"):
        found = envelope(study, scope, risk)
        picture = of_unknowns(study, found)
        assert picture is not None
        spans = [float(row["log range"]) for row in picture.rows]
        assert spans == sorted(spans, reverse=True)
        assert spans[0] == max(e.log_range for e in found.effects)
        name = fit_words.first(study, found, plain=True)
        assert picture.figure.title == f"{name[0].upper()}{name[1:]} moves the rate most"
        answer = fit_words.answer(theory_for(study, scope), scope, study, found)
        factor = words.number(math.exp(spans[0]))
        assert f"**{words.md(name)}** matters most: a factor of {factor} on" in answer
        text = fit_words.paragraph(theory_for(study, scope), scope, study, found)
        assert f"The unknown that moves this rate most is {name}." in text
