"""The lessons: their texts from `lessons.toml`, with the domain of everything that is asked."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from rates.maps import printed_eps21
from rates.numbers import DomainError, Parameter, Words, decades, listed, number, shown, steps
from rates.study import Study, codec, preset, scope_of
from sims.engine import Values
from sims.lessons import own, typed
from sims.lessons.records import CHOICE, NUMBER, SHARES, TYPED, Lesson, Question, Rate
from sims.lessons.runs import ROUNDS

if TYPE_CHECKING:
    from rates.orders import Inquiry

TRANSFER = "-transfer"  # ends the key of a lesson's second question
FACTORS = (0.1, 1.0, 10.0)  # of `free`: on every budget, each of which is 1 in its own study


def _slider(domain: str, stops: tuple[float, ...]) -> Parameter:
    return Parameter("answer", "x", domain, noun="An answer", help="What you expect.", stops=stops)


_TIMES = _slider("[1, 100]", decades(0, 2))
_SOME = _slider("[0.2, 1]", steps(0.2, 1.0, 0.01))
_EPSILON = _slider("[0.1, 1e4]", decades(-1, 4))
_HALF = _slider("[0.1, 1000]", decades(-1, 3))
_SCORE = _slider(f"[0, {ROUNDS}]", steps(0, ROUNDS, 1))
_POWER = _slider("[-6, 6]", steps(-6, 6, 0.5))


def _number(parameter: Parameter, unit: str = "", *, log: bool = False) -> dict[str, Any]:
    return {"kind": NUMBER, "parameter": parameter, "unit": unit, "log": log}


# How a question is answered; all others are choices, or typed where they are about a rate.
ASKED: Mapping[str, dict[str, Any]] = {
    "odds": _number(_slider("[50, 100]", steps(50, 100, 1)), "of 100"),
    "attack": _number(_SCORE, f"right of {ROUNDS}"),
    "attack-transfer": _number(_SCORE, f"right of {ROUNDS}"),
    "class": _number(_TIMES, "times", log=True),
    "class-transfer": _number(_slider("[1, 1e6]", decades(0, 6)), "records", log=True),
    "twice": _number(_SOME, "times"),
    "spread": _number(_TIMES, "times", log=True),
    "carry": {"kind": SHARES, "unit": "points"},
    "free": _number(_slider("[0.01, 100]", decades(-2, 2)), "%", log=True) | {"at": FACTORS},
    "free-transfer": _number(_HALF, log=True),
    "pupils": _number(_TIMES, "times", log=True),
    "noise": _number(_EPSILON, log=True),
    "columns": _number(_slider("[1, 1e4]", decades(0, 4)), "times", log=True),
}


@cache
def _texts() -> dict[str, Any]:
    file = files("sims") / "lessons" / "lessons.toml"
    return tomllib.loads(file.read_text("utf-8"))


@lru_cache(maxsize=256)
def lesson(key: str, study: Study | None = None, rate: Inquiry | None = None) -> Lesson:
    """Return a lesson, with a study or a rate of one's own in it if one is given.

    Args:
        key: One of `LESSONS`.
        study: For `carry` and `free`.
        rate: For `rate`.

    Raises:
        DomainError: There is no such lesson, or it does not cover what is given.

    >>> lesson("odds").question.unit, lesson("free").minutes
    ('of 100', 8)
    """
    if key not in _texts():
        rule = f"A lesson is one of {listed([*_texts()], most=20)}."
        raise DomainError(rule, "lesson", Words(shown(key)))
    own.check(key, study, rate)
    said: dict[str, Any] = dict(_texts()[key])
    second: dict[str, Any] = dict(said["transfer"])
    if study is not None or rate is not None:
        said |= said.get("own", {})
        second |= said.get("own_transfer", {})
    link = dict(said.get("link", {}))
    if study is not None:
        link = {"study": codec.to_link(study)}
    elif rate is not None:
        link = {"rate": own.packed(rate)}
    elif key in own.STUDIES or "preset" in said:
        example = own.STUDIES.get(key) or preset(said["preset"]).study
        link = {"study": codec.to_link(example, scope_of(example))}
    first, last = (_question(k, x, study, rate) for k, x in ((key, said), (key + TRANSFER, second)))
    if first.rate is not None:
        link = typed.link(first)
    read = _flat(said["read"])
    if rate is not None:
        read = own.stated(read, rate)
    return Lesson(
        key=key,
        title=said["title"],
        minutes=said["minutes"],
        misconception=said["misconception"],
        read=read,
        facts=own.facts(key, study) if key in own.STUDIES else None,
        question=first,
        explain=_flat(said["explain"]),
        transfer=last,
        explain_transfer=_flat(second["explain"]),
        page=said["page"],
        link=Values(link),
    )


def question(key: str, study: Study | None = None, rate: Inquiry | None = None) -> Question:
    """Return a question of a lesson by its own key, with a study or rate of one's own in it.

    Raises:
        DomainError: There is no such question, or as `lesson`.

    >>> question("odds-transfer").kind
    'choice'
    """
    of = lesson(key.removesuffix(TRANSFER), study, rate)
    return of.transfer if key.endswith(TRANSFER) else of.question


def _question(
    key: str, said: Mapping[str, Any], study: Study | None, rate: Inquiry | None
) -> Question:
    about: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in said.get("rate", {}).items()
    }
    usual = {"kind": TYPED, "parameter": _POWER} if about else {"kind": CHOICE}
    text = _flat(said["ask"])
    parts: tuple[str, ...] = tuple(said.get("parts", ()))
    details: tuple[str, ...] = ()
    if key == "carry":
        parts, details = own.sites(own.study_of(key, study))
    elif key == "carry" + TRANSFER:
        text = text.replace("{most}", own.most(own.study_of("carry", study)))
    elif key.removesuffix(TRANSFER) == "free":
        text = text.replace("{counted}", own.counted(study))
    elif key == "back-transfer":
        text = text.replace("{printed}", number(printed_threshold(), 4))
    elif key == "rate" and rate is not None:
        parts, details = own.terms(rate), own.formulas(rate)
    elif key == "rate-transfer":
        text = text.replace("{letter}", "n" if rate is None else own.letter_of(rate))
    return Question(
        key=key,
        text=text,
        parts=parts,
        details=details,
        axis=said.get("axis", ""),
        rate=Rate(**about) if about else None,
        **ASKED.get(key, usual),
    )


MISPRINTED = {"n": 1e4, "m": 100.0, "n0": 1e5, "gamma": 1.2, "beta": 0.5, "d": 2.0}


def printed_threshold() -> float:
    """Return the budget from which, as [ACC] prints it, the sources decide in `back-transfer`.

    Source: [ACC] Corollary 3.2, item 4 as printed.
    """
    return float(printed_eps21(**MISPRINTED))


def _flat(text: str) -> str:
    """Join the lines of each paragraph."""
    return "\n\n".join(" ".join(part.split("\n")) for part in text.strip().split("\n\n"))


LESSONS: Mapping[str, Lesson] = {key: lesson(key) for key in _texts()}
