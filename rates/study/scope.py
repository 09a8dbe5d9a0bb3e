"""Does a theory cover a study? Plain questions, what each answer breaks, and what is unknown.

The questions, the theories' needs and the sentences are data. An answer that is not given
stands for "I don't know"; it neither supports nor breaks anything.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from rates.numbers import (
    INTEGRABILITY,
    MARGIN,
    SIGNAL_EXPONENT,
    SMOOTHNESS_CLASSIFICATION,
    SMOOTHNESS_REGRESSION,
    DomainError,
    Parameter,
    as_number,
)
from rates.study.scenario import Study
from rates.study.scope_rules import BREAKS, KIND, QUESTIONS, SOURCES, THEORIES, USES, Theory

Range = tuple[float, float]

# What "I don't know" stands for.
UNKNOWN: Mapping[str, Mapping[str, Range]] = {
    "transfer": {"smoothness": (0.5, 1.0), "margin": (0.0, 2.0), "signal_exponent": (0.5, 2.0)},
    "federated": {"smoothness": (1.0, 2.0), "integrability": (4.0, math.inf)},
}
PARAMETERS: Mapping[str, Mapping[str, Parameter]] = {
    "transfer": {"smoothness": SMOOTHNESS_CLASSIFICATION, "margin": MARGIN},
    "federated": {"smoothness": SMOOTHNESS_REGRESSION, "integrability": INTEGRABILITY},
}
RANGED = ("smoothness", "margin", "integrability")  # numbers of a study that may have a range
PREVALENCE = Parameter(
    "prevalence",
    "share",
    "[0, 1]",
    rule="A prevalence is a share between 0 and 1 (0 to 100%).",
    help="Share of a site's records with the outcome.",
)
RECORDS_PER_PERSON = Parameter(
    "records_per_person",
    "k",
    "2, ..., 1e6",
    rule="Several records per person is a whole number of at least 2.",
    limit_rule="Several records per person is a whole number of at most 1e6.",
    help="The most records that one person has at one site.",
)
NEEDED = Parameter(
    "needed",
    "N",
    "(0, 1e15]",
    noun="The records that would do",
    help="How many unprotected records at one site would be enough for the purpose, for instance "
    "by a sample size calculation. The study pays where it is worth as many.",
)
GAIN = Parameter(
    "gain",
    "c",
    "[1, 1e6]",
    noun="The gain asked for",
    help="What the study must be worth over a user's own records. 1.25: a quarter more.",
)
USUAL_GAIN = 1.25  # a quarter more, where nobody told what is asked for
# Numbers of a study that may be assumed: at first all but delta, which is left open.
ASSUMABLE = ("smoothness", "dimension", "margin", "integrability", "signal_exponent", "delta")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a planner has said about a study, besides its sites.

    Attributes:
        answers: Pairs of question and answer; what is left out is not known.
        prevalence: Lowest and highest share with the outcome among the sites.
        records_per_person: The most records of one person at one site, at least 2.
        smoothness: Range of the smoothness; None stands for "I don't know".
        margin: Range of the margin (transfer studies).
        integrability: Range of p (federated studies).
        signal: Pairs of a site's name and the range of its signal exponent.
        use: Who uses the result, one of `USES`; None where nobody told.
        needed: How many records would do; None where nobody told.
        gain: What the worth must be over a user's own records; None for a quarter more.
        assumed: Numbers of the study, of `ASSUMABLE`, that nobody told.

    Raises:
        DomainError: A question or answer is not known, or a range is upside down.

    >>> Scope(answers=(("outcome", "binary"),)).answer("outcome")
    'binary'
    """

    answers: tuple[tuple[str, str], ...] = ()
    prevalence: Range | None = None
    records_per_person: int | None = None
    smoothness: Range | None = None
    margin: Range | None = None
    integrability: Range | None = None
    signal: tuple[tuple[str, Range], ...] = field(default=())
    use: str | None = None
    needed: float | None = None
    gain: float | None = None
    assumed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        put = partial(object.__setattr__, self)
        given = dict(self.answers)
        for key, value in given.items():
            if key not in QUESTIONS:
                rule = f"The questions are {', '.join(QUESTIONS)}."
                raise DomainError(rule, "answers", key, "Scope")
            _among(value, QUESTIONS[key].options, key, "The answers are {}, or none.")
        # In one order, so that equal scopes are equal however they came about.
        put("answers", tuple((key, given[key]) for key in QUESTIONS if key in given))
        if self.prevalence is not None:
            put("prevalence", checked(self.prevalence, PREVALENCE))
        for name in RANGED:  # of which kind of study they are is not known here
            if (ends := getattr(self, name)) is not None:
                put(name, _ordered(ends, name))
        put("signal", tuple((name, checked(x, SIGNAL_EXPONENT, name)) for name, x in self.signal))
        if self.use is not None:
            _among(self.use, USES, "use", "use must be one of {}.")
        for parameter in (RECORDS_PER_PERSON, NEEDED, GAIN):
            if (number := getattr(self, parameter.name)) is not None:
                put(parameter.name, parameter.check(number, "Scope"))
        for name in self.assumed:
            _among(name, ASSUMABLE, "assumed", "What may be assumed is {}.")
        put("assumed", tuple(name for name in ASSUMABLE if name in self.assumed))

    def answer(self, question: str) -> str | None:
        """The answer to a question; None if it is not known."""
        return dict(self.answers).get(question)

    def with_answer(self, question: str, answer: str | None) -> Scope:
        """The same with one answer given, or taken back."""
        given = {**dict(self.answers), question: answer}
        return replace(self, answers=tuple((k, v) for k, v in given.items() if v is not None))

    def told(self, *names: str) -> Scope:
        """The same with some of the study's numbers told."""
        return replace(self, assumed=tuple(x for x in self.assumed if x not in names))

    def not_told(self, *names: str) -> Scope:
        """The same with some of the study's numbers assumed."""
        return replace(self, assumed=tuple({*self.assumed, *names}))

    def with_signal(self, name: str, given: Range | None) -> Scope:
        """The same with the range of one site's signal exponent given, or taken back."""
        ranges = {**dict(self.signal), name: given}
        return replace(self, signal=tuple((k, v) for k, v in ranges.items() if v is not None))

    @classmethod
    def untold(cls) -> Scope:
        """The scope of a study of which nothing was told but its sites."""
        return cls(assumed=tuple(name for name in ASSUMABLE if name != "delta"))

    @property
    def across_half(self) -> bool:
        """Whether the outcome is rarer than 50% at one site and more common at another."""
        if self.prevalence is None or self.answer("prevalence") == "same":
            return False
        return self.prevalence[0] < 0.5 < self.prevalence[1]


def _among(value: object, known: Collection[str], field: str, rule: str) -> None:
    if not isinstance(value, str) or value not in known:
        raise DomainError(rule.format(", ".join(known)), field, value, "Scope")


def _ordered(given: object, name: str, where: str = "Scope") -> Range:
    """Return two numbers, the lower one first, or raise `DomainError`."""
    pair = list(given) if isinstance(given, tuple | list) else []
    numbers = [as_number(x) for x in pair]
    if len(numbers) != 2 or any(x is None or math.isnan(x) for x in numbers):
        raise DomainError("A range is two numbers, the lower one first.", name, given, where)
    low, high = (float(x) for x in numbers if x is not None)
    if low > high:
        rule = "A range has its lower end first: this one is upside down."
        raise DomainError(rule, name, given, where)
    return low, high


def checked(given: object, parameter: Parameter, where: str = "Scope") -> Range:
    """Return a range of which both ends lie in the parameter's domain.

    >>> checked((0.5, 1), SMOOTHNESS_CLASSIFICATION)
    (0.5, 1.0)

    Raises:
        DomainError: It is upside down, or an end lies outside the domain.
    """
    low, high = _ordered(given, parameter.name, where)
    return parameter.check(low, where), parameter.check(high, where)


def check(scope: Scope, study: Study) -> None:
    """Raise `DomainError` where a range does not belong to this study."""
    kind = study.kind
    for name in RANGED:
        given = getattr(scope, name)
        if given is None:
            continue
        if name not in PARAMETERS[kind]:
            raise DomainError(f"A {kind} study has no {name}.", name, given, "Scope")
        checked(given, PARAMETERS[kind][name])
    names = {s.name for s in study.sources}
    for name, _ in scope.signal:
        if name not in names:
            rule = "A range of a signal exponent belongs to a source of the study."
            raise DomainError(rule, "signal_exponent", name, "Scope")


def fitted(scope: Scope, study: Study) -> Scope:
    """Return the scope without the ranges that do not belong to this study.

    A site may have been renamed, or the kind of study switched, since they were given.
    """
    names = {s.name for s in study.sources}
    out: dict[str, Any] = {"signal": tuple(pair for pair in scope.signal if pair[0] in names)}
    for name in RANGED:
        # Each range by itself, so that one that does not belong takes no other along.
        one: dict[str, Any] = {name: getattr(scope, name)}
        try:
            check(Scope(**one), study)
        except DomainError:
            out[name] = None
    return replace(scope, **out)


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """One assumption that an answer breaks.

    Attributes:
        question: The question answered.
        assumption: What the theory assumes, in a few words.
        text: What breaks, and what still holds.
        source: Where the theory assumes it.
    """

    question: str
    assumption: str
    text: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """What the answers say about the theories.

    Attributes:
        theory: The theory that covers the study, or the nearest one.
        broken: What the answers break of it; empty if it covers the study so far.
        unknown: Questions that it needs and that have no answer.
        contradictions: Per question, what does not go with another answer or with the study.
        own: Key of the theory that the study is stated in, from which all its numbers come.
    """

    theory: Theory
    broken: tuple[Broken, ...]
    unknown: tuple[str, ...]
    contradictions: Mapping[str, str]
    own: str

    @property
    def covers(self) -> bool:
        """Whether nothing that was answered breaks the theory."""
        return not self.broken

    @property
    def elsewhere(self) -> bool:
        """Whether the answers lead to another theory than the one of the study's numbers."""
        return self.theory.key != self.own

    @property
    def covers_numbers(self) -> bool:
        """Whether the theory of the study's numbers covers it, as far as answered."""
        return self.covers and not self.elsewhere


def theory_for(study: Study, scope: Scope) -> Fit:
    """Lead the answers to the theory that covers the study, or to the nearest one.

    What kind of study it is leads to the theory, the nearest one if none fits: the fewest broken
    answers about outcome, covariates, target, overlap and protection. Among equals the one that the
    study is stated in comes first, then the order of the theories.

    >>> from rates.presets import preset
    >>> hospitals = preset("hospitals")
    >>> found = theory_for(hospitals.study, hospitals.scope)
    >>> found.theory.key, [b.question for b in found.broken]
    ('ACC', ['prevalence'])

    Source: [ACC] Definitions 2.3 to 2.6; [CCV] Section 2; [KS] Section 2; [BCMM] Section 2;
    [DPLR] Section 2; [CAC] abstract.
    """
    there = [fit for fit in fits(study, scope) if all(map(scope.answer, fit.theory.told))]
    found = sorted(there, key=lambda fit: fit.elsewhere)
    return min(
        found,
        key=lambda fit: sum(b.question in KIND for b in fit.broken) + _untold(fit.theory, scope),
    )


def fits(study: Study, scope: Scope) -> tuple[Fit, ...]:
    """Hold the answers against every theory, in their order.

    >>> from rates.presets import preset
    >>> answers = Scope(answers=(("outcome", "continuous"),))
    >>> [fit.theory.key for fit in fits(preset("unequal").study, answers) if fit.covers]
    ['CCV', 'BCMM', 'CAC']

    Source: as in `theory_for`.
    """
    contradictions = _contradictions(study, scope)
    return tuple(
        Fit(
            theory=theory,
            broken=(broken := _broken(theory, scope, study)),
            unknown=_unknown(theory, broken, scope, study),
            contradictions=contradictions,
            own=study.paper,
        )
        for theory in THEORIES
    )


def _unknown(
    theory: Theory, broken: tuple[Broken, ...], scope: Scope, study: Study
) -> tuple[str, ...]:
    """The questions that a theory needs and that are open; none whose assumption is broken."""
    settled = {b.assumption for b in broken}
    return tuple(
        q
        for q, question in QUESTIONS.items()
        if q in theory.needs and question.assumption not in settled and _open(scope, q)
        # One common relation puts a patient on one side of 50% by itself.
        if q != "same_side" or not alike(study, scope)
    )


def _untold(theory: Theory, scope: Scope) -> bool:
    """Whether a theory is about special protection that nobody has told of."""
    return scope.answer("protection") is None and "sites" not in theory.needs["protection"]


def _equal(study: Study) -> bool:
    """Whether every site's signal is the target's, so that each could be the target."""
    return study.target is not None and all(s.signal_exponent == 1 for s in study.servers)


def alike(study: Study, scope: Scope) -> bool:
    """Whether a classifier is for the patients of all sites alike: no target, every gamma 1.

    >>> from rates.presets import preset
    >>> shared = Scope(answers=(("target", "shared"),))
    >>> [alike(preset(key).study, shared) for key in ("unprotected", "regional", "unequal")]
    [True, False, False]
    """
    return scope.answer("target") == "shared" and _equal(study)


def _broken(theory: Theory, scope: Scope, study: Study) -> tuple[Broken, ...]:
    out = []
    for question, allowed in theory.needs.items():
        answer = scope.answer(question)
        if question == "prevalence":
            answer = "across" if scope.across_half else None
        if answer is None or answer in allowed:
            continue
        if (theory.key, question) == ("ACC", "target") and alike(study, scope):
            continue
        told = {**_numbers(scope), "alone": "Each site" if alike(study, scope) else "The target"}
        text = BREAKS[question, answer].format(theory=theory.key, **told)
        out.append(
            Broken(
                question=question,
                assumption=QUESTIONS[question].assumption,
                text=text,
                source=SOURCES.get((theory.key, question), f"[{theory.key}]"),
            )
        )
    return tuple(out)


def _open(scope: Scope, question: str) -> bool:
    """Whether a question has no answer yet; that shares differ does not say how."""
    answer = scope.answer(question)
    return answer is None or (answer == "differs" and scope.prevalence is None)


def _numbers(scope: Scope) -> dict[str, str]:
    """The numbers that the sentences mention."""
    low, high = scope.prevalence or (0.0, 1.0)
    return {
        "low": f"{100 * low:.3g}%",
        "high": f"{100 * high:.3g}%",
        "k": str(scope.records_per_person or "k"),
    }


_COVARIATES = {"one": "one covariate", "few": "two to five covariates", "many": "more than five"}


def _contradictions(study: Study, scope: Scope) -> dict[str, str]:
    """What does not go together, by the question beside which it is said."""
    out: dict[str, str] = {}
    transfer = study.target is not None
    outcome, covariates = scope.answer("outcome"), scope.answer("covariates")
    target, same_side = scope.answer("target"), scope.answer("same_side")
    if transfer and outcome == "continuous":
        out["outcome"] = "You said a measured number; this study is a classifier, for yes or no."
    if not transfer and outcome == "binary":
        out["outcome"] = "You said yes or no; this study is a curve, for a measured number."
    if outcome == "binary" and scope.answer("estimand") == "survival":
        out["estimand"] = (
            "A time to an event is not a yes-or-no outcome; the event within a fixed time is one."
        )
    size = study.covariates
    if covariates not in (None, size):
        has = f"this classifier has {study.dimension}" if transfer else "a curve here has one"
        out["covariates"] = f"You said {_COVARIATES[covariates]}; {has}."
    if transfer and target == "shared" and not _equal(study):
        out["target"] = "All sites alike means a signal exponent of 1 at every site."
    if not transfer and target == "one":
        out["target"] = "You said one site; a curve here is the same at every site."
    if target == "shared" and same_side == "no":
        out["same_side"] = (
            "You said one common relation; it puts a patient on the same side of 50% everywhere."
        )
    if scope.across_half and same_side == "yes":
        out["same_side"] = (
            "This does not go with a prevalence of {low} at one site and {high} at another, "
            "unless the patients themselves differ that much."
        ).format(**_numbers(scope))
    # Ten points are ours: shares of samples differ somewhat by chance.
    low, high = scope.prevalence or (0.0, 0.0)
    if scope.answer("prevalence") == "same" and high - low > 0.1:
        out["prevalence"] = "The two shares given differ by more than 10 points."
    public = any(s.informative and math.isinf(s.epsilon) for s in study.servers)
    if scope.answer("protection") == "open_source" and not public:
        out["protection"] = "In the study that is open every site is protected."
    if scope.answer("protection") == "hybrid" and all(s.n > 1 for s in study.servers):
        out["protection"] = "In the study that is open no site is a single person with one record."
    return out
