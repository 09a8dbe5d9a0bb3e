"""Every parameter of every experiment at the ends of its domain: an answer, or one sentence."""

from __future__ import annotations

import math
import sys
import warnings

import pytest

from rates.numbers import DomainError
from sims.engine.experiment import Experiment, Request
from sims.engine.runs import compute
from sims.engine.settings import LEAST, MOST, Choice, Numbers, Setting, Value
from sims.experiments import EXPERIMENTS, find

REPLICATES = 2
SLOW = ("figure-", "logistic-", "adaptation-rate", "regression-", "hybrid", "adaptive-growth")
DEEP = ("real-sites",)  # its data are read first
LATER = ((pytest.mark.slow, SLOW), (pytest.mark.deep, DEEP))
NAMES = [
    pytest.param(e.name, marks=[mark for mark, of in LATER if e.name.startswith(of)])
    for e in EXPERIMENTS
]
SMALLEST, LARGEST = (math.ulp(0.0), 1e-156, LEAST), (MOST, 1e160, sys.float_info.max)


def ends(setting: Setting) -> list[Value]:
    """The values next to both ends of a setting's domain, and where squares leave the floats."""
    if isinstance(setting, Choice):
        return list(setting.options)
    parameter = setting.parameter
    low, high = float(parameter.low), float(parameter.high)
    out = [] if parameter.low_open else [low]
    if not parameter.whole and low == 0:
        out += SMALLEST
    elif parameter.low_open:
        out.append(math.nextafter(low, math.inf))
    if math.isinf(high):
        out += LARGEST
    if not (parameter.high_open or high in out):
        out.append(high)
    if parameter.high_open and not math.isinf(high):
        out += [high - 2e-9, math.nextafter(high, -math.inf)]
    return [(value,) for value in out] if isinstance(setting, Numbers) else list(out)


def answered(experiment: Experiment, **values: Value) -> str:
    """Return "" for finite numbers or one sentence, otherwise what went wrong.

    Lists that nothing is said of have one entry, so that one of a row has its partners.
    """
    lists = {s.name: s.default[:1] for s in experiment.parameters if isinstance(s, Numbers)}
    given = {**lists, **values}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            asked = Request(experiment=experiment, values=given, replicates=REPLICATES)
            for point in (asked.points[0], asked.points[-1]):
                compute((experiment.sample, asked.values, point, 0, range(REPLICATES)))
        except DomainError as error:
            return "" if "\n" not in str(error) else str(error)
        except Exception as error:  # the very thing that is looked for
            return f"{experiment.name} {values}: {type(error).__name__}: {error}"
    return ""


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_alone(name):
    experiment = find(name)
    ended = [(setting.name, value) for setting in experiment.parameters for value in ends(setting)]
    assert not [text for name, value in ended if (text := answered(experiment, **{name: value}))]


def test_a_refusal_names_the_parameter_and_the_set():
    for value in (1e-155, 1e160):
        with pytest.raises(DomainError, match=r"epsilon must be positive .* 1e-50 to 1e[+]50"):
            Request(experiment=find("regression-rate"), values={"epsilon": [value]}, replicates=2)
