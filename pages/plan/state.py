"""What is asked on the plan page, and for whom: kept for the session, shared by ``?plan=``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any
from urllib.parse import quote, unquote

from pages.core import Packed, PageTab, Part, Setting, Texts, UrlState, choice
from pages.current import state
from rates import numbers
from rates.answer import offered_delta
from rates.decision import use_of
from rates.plan import ALL, LEVERS, in_house, quantities
from rates.study import Scope, Server, Study, TransferStudy, alike, codec

VERSION = 1
# The last two are of older links: by what factor an answer's own today's changes.
GOALS = ("", "need", "part", "risk", "sample", "rate")
DIVIDED = ("epsilon", "records")
OLD_GOAL, OLD_LEVER = "rate", "epsilon"  # what was usual when links did not name it
RISKS = ("", "integrated", "pointwise")
BESIDE = ("other", "third", "fourth")  # the designs beside the study
FURTHER = "Further site"
SIGNAL = "signal_exponent"
MOST_OFFERS = 200_000
MOST_ROWS = 60  # of a table
SAME = 1e-9  # a rate that changes by less than this part does not change

NUMBERS: Mapping[str, numbers.Parameter] = {
    "needed": numbers.Parameter(
        "needed",
        "N",
        "(0, 1e15]",
        noun="The need in records",
        stops=numbers.decades(1, 6),
        help="How many unprotected records of the target would do: what the study should be worth.",
    ),
    "part": numbers.Parameter(
        "part",
        "c",
        "(0, 1)",
        rule="A part of what privacy costs lies between 0 and 1: all of it comes back only without "
        "privacy.",
        stops=numbers.steps(0.05, 0.95, 0.05),
        help="Of the effective records that privacy costs, which part is to come back.",
    ),
    "fraction": numbers.Parameter(
        "fraction",
        "f",
        "(0, 1)",
        rule="The target must lie between 0 and 1: at 1 it is today's rate, which is met already, "
        "and no finite study reaches 0.",
        stops=numbers.steps(0.05, 0.95, 0.05),
        help="The rate wanted, over today's. 0.5 is half of today's.",
    ),
    "multiple": numbers.Parameter(
        "multiple",
        "k",
        "(1, 1e6]",
        rule="A multiple of today's effective sample must be above 1: today's is there already.",
        stops=(1.1, 1.25, 1.5, *numbers.decades(0, 3)[3:]),
        help="The effective sample wanted, over today's. 2 is twice today's.",
        limit_rule="This page takes a multiple of today's effective sample up to 1,000,000.",
    ),
    "wanted": numbers.Parameter(
        "wanted",
        "risk",
        "(0, 1)",
        noun="The risk aimed at",
        stops=numbers.decades(-4, 0)[:-1],
        help="Excess risk of a classifier, or squared error of a curve of size 1, as calibrated.",
    ),
    "raised": numbers.Parameter(
        "raised",
        "k",
        "(1, 1e6]",
        noun="The factor on a budget",
        stops=(1.25, 1.5, 2.0, 3.0, 4.0, 8.0, 16.0),
        help="What a site's ε is multiplied by, one site after the other.",
    ),
    "total": numbers.Parameter(
        "total",
        "W",
        "(0, 1e15]",
        noun="The total",
        stops=numbers.decades(-1, 6),
        help="What all sites get together: budgets ε, or records.",
    ),
    "least": numbers.Parameter(
        "least",
        "l",
        "[0, 1e6]",
        noun="The least over today's",
        stops=(0.0, *numbers.steps(0.1, 1.0, 0.1)),
        help="What each site gets at least, over what it has today.",
    ),
    "most": numbers.Parameter(
        "most",
        "h",
        "(0, 1e6]",
        noun="The most over today's",
        stops=(1.0, 1.5, 2.0, 3.0, 4.0, 8.0, 16.0, 100.0),
        help="What each site gets at most, over what it has today.",
    ),
    "kind_n": replace(numbers.SAMPLE_SIZE, stops=numbers.decades(1, 6, whole=True)),
    "kind_epsilon": replace(numbers.EPSILON, stops=numbers.decades(-2, 2)),
    "kind_gamma": replace(numbers.SIGNAL_EXPONENT, stops=numbers.steps(0.1, 4.0, 0.1)),
}
_CHOICES = {"goal": GOALS, "lever": LEVERS, "risk": RISKS, "divided": DIVIDED}


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is asked; what differs from the defaults stands in the address.

    Attributes:
        goal: What is aimed at: a need in records, a part of what privacy costs, a calibrated risk,
            or one of two of older links; empty for a need that was told, else for a part.
        needed: The need in records; 0 for what was told.
        part: The part of what privacy costs.
        fraction: The rate wanted over today's.
        multiple: The effective sample wanted over today's.
        wanted: The risk wanted; 0 where none has been named.
        lever: The lever that is looked at; empty for the first that the study has.
        site: The row that it is pulled at, or "all" for one factor on what all of them have.
        risk: Which error counts for a curve; empty for the first one.
        raised: What the budget of one site after the other is multiplied by.
        divided: Whether a total of budgets or of records is split.
        total: That total; 0 for twice today's.
        least: What each site gets of it at least, over today's.
        most: What each site gets at most, over today's.
        kind_n: Records of a further site; None for those of the largest site.
        kind_epsilon: Its budget, likewise.
        kind_gamma: Its signal exponent, likewise.
        other: Design B; None while there is none.
        third: Design C, likewise.
        fourth: Design D, likewise.
        offers: Table of sites on offer, as pasted.
        alike: Whether all sites are told to be alike, so that no signal is a lever; in no address.
    """

    goal: str = ""
    needed: float = 0.0
    part: float = 0.5
    fraction: float = 0.5
    multiple: float = 2.0
    wanted: float = 0.0
    lever: str = ""
    site: str = ALL
    risk: str = ""
    raised: float = 2.0
    divided: str = "epsilon"
    total: float = 0.0
    least: float = 1.0
    most: float = 8.0
    kind_n: float | None = None
    kind_epsilon: float | None = None
    kind_gamma: float | None = None
    other: Study | None = None
    third: Study | None = None
    fourth: Study | None = None
    offers: str = ""
    alike: bool = False

    @property
    def others(self) -> tuple[Study, ...]:
        """The designs beside the current study, in order."""
        return tuple(x for name in BESIDE if (x := getattr(self, name)) is not None)

    @property
    def bare(self) -> View:
        """What is asked of one lever, without other designs and offers."""
        return replace(self, **self.beside(()), offers="")  # type: ignore[arg-type]

    def beside(self, others: Sequence[Study]) -> dict[str, Study | None]:
        """Return the fields that say which designs stand beside the study, at most three."""
        return dict(zip(BESIDE, (*others, None, None, None), strict=False))


def _offers(text: str) -> Any:
    return _read("offers", codec.decode(codec.unpack(text), "A plan"))


SETTINGS: tuple[Setting, ...] = (
    choice("goal", GOALS),
    Packed("lever", str, lambda name: _read("lever", name)),
    choice("risk", RISKS),
    choice("divided", DIVIDED),
    *(Part(name, parameter) for name, parameter in NUMBERS.items()),
    Packed("site", partial(quote, safe=""), lambda text: _read("site", unquote(text))),
    *(Packed(name, codec.to_link, codec.from_link) for name in BESIDE),
    Packed("offers", codec.pack, _offers),
)


def further(view: View, study: Study) -> Server:
    """Return the kind of further site: the heaviest row's numbers where none are given.

    >>> from rates.presets import preset
    >>> further(View(kind_n=50), preset("hospitals").study).n
    50
    """
    rows = study.servers[1:] if isinstance(study, TransferStudy) else study.servers
    like = max(rows or study.servers, key=lambda s: s.n)
    stated = [s.delta for s in study.servers if s.private and s.delta is not None]
    gamma = like.signal_exponent if view.kind_gamma is None else view.kind_gamma
    return Server(
        name=free_name(FURTHER, study),
        n=like.n if view.kind_n is None else int(view.kind_n),
        epsilon=like.epsilon if view.kind_epsilon is None else view.kind_epsilon,
        delta=min(stated) if stated else offered_delta(study),
        signal_exponent=gamma if isinstance(study, TransferStudy) else 1.0,
    )


def free_name(name: str, study: Study) -> str:
    """Return a name that no row of a study has.

    >>> from rates.presets import preset
    >>> free_name("Hungary", preset("hospitals").study)
    'Hungary 2'
    """
    taken = {server.name for server in study.servers}
    names = (name if k == 1 else f"{name} {k}" for k in range(1, len(taken) + 2))
    return next(one for one in names if one not in taken)


def fitted(view: View, study: Study) -> View:
    """Return the view with a lever and a site that the study has."""
    if view.lever not in levers(study, alike=view.alike):
        first = "epsilon" if view.site != ALL else next(iter(quantities(study)))
        view = replace(view, lever=first)
    places = sites(view.lever, study)
    if places and view.site not in places:
        view = replace(view, site=places[0])
    return view


def levers(study: Study, *, alike: bool = False) -> tuple[str, ...]:
    """Return the levers that a study has, first those of which all rows can have more.

    Where all sites are alike, how clear a site's signal is, is known.
    """
    every = quantities(study)
    have = (
        name
        for name, x in LEVERS.items()
        if x.fits(study) and (x.further or x.rows(study)) and not (alike and name == SIGNAL)
    )
    return tuple(sorted(have, key=lambda name: (*every, name).index(name)))


def sites(lever: str, study: Study) -> tuple[str, ...]:
    """Return the rows at which a lever can be pulled; none for further sites."""
    chosen = LEVERS[lever]
    if chosen.further:
        return ()
    servers = study.servers  # put together anew each time: once for all rows
    names = tuple(servers[j].name for j in chosen.rows(study))
    return (ALL, *names) if lever in quantities(study) else names


def planned(study: Study, scope: Scope) -> Study:
    """The study that is planned for: for a target in house its own row without noise."""
    return in_house(study, use_of(study, scope)[0])


def asked(view: View, study: Study, scope: Scope) -> View:
    """What is asked, as far as a study has it; what is usual by name, and designs as planned for.

    Args:
        view: What is asked, as the address has it.
        study: The study as stated.
        scope: What has been said about it.
    """
    need, kind = scope.needed, further(view, study)
    view = replace(view, alike=alike(study, scope))
    found = fitted(view, planned(study, scope))
    return replace(
        found,
        goal=found.goal or ("part" if need is None else "need"),
        needed=found.needed or need or 0.0,
        kind_n=float(kind.n),
        kind_epsilon=kind.epsilon,
        kind_gamma=kind.signal_exponent,
        **found.beside([planned(other, scope) for other in found.others]),  # type: ignore[arg-type]
    )


def user(study: Study, scope: Scope) -> str:
    """For whom is planned, Markdown; empty where the study is taken as it is stated."""
    if use_of(study, scope)[0] != "target":
        return ""
    text = "Planned for the target in house: its own records need no noise for itself"
    return f"{text}." if scope.use else f"{text} (assumed)."


def from_text(text: str) -> View:
    """Read a view from packed JSON, as older addresses have it.

    Raises:
        DomainError: The value is cut, or holds something that no view has.
    """
    if len(text) > codec.MAX_LINK:
        rule = f"A link holds at most {codec.MAX_LINK:,} characters."
        raise numbers.DomainError(
            rule, field="plan", value=numbers.Words(f"{len(text):,} characters")
        )
    data = codec.load_json(codec.decode(codec.unpack(text), "A plan"))
    if not isinstance(data, Mapping):
        raise numbers.DomainError("A plan must be a JSON object.", field="plan", value=data)
    known = {field.name for field in fields(View)} - {"alike"}
    codec.check_keys(data, {"version", *known}, {"version"}, "Plan")
    if data["version"] != VERSION or isinstance(data["version"], bool):
        rule = f"version must be {VERSION}."
        raise numbers.DomainError(rule, field="version", value=data["version"], where="Plan")
    given = {key: _read(key, value) for key, value in data.items() if key != "version"}
    return View(**{"goal": OLD_GOAL, "lever": OLD_LEVER, **given})


def _read(key: str, value: object) -> Any:
    if key in NUMBERS:
        return NUMBERS[key].check(float("inf") if value == "inf" else value, "Plan")
    if key in BESIDE:
        return codec.from_dict(value)
    if not isinstance(value, str) or len(value) > MOST_OFFERS:
        raise numbers.DomainError(f"{key} must be text.", field=key, value=value, where="Plan")
    if key in _CHOICES and value not in _CHOICES[key]:
        rule = f"{key} must be one of {', '.join(filter(None, _CHOICES[key]))}."
        raise numbers.DomainError(rule, field=key, value=value, where="Plan")
    return value


class _Url(UrlState[View]):
    """What is asked; the fields show it as far as the current study has it.

    A text names its goal, as what is usual has changed: one without it is an older link.
    """

    def read(self, texts: Texts) -> View:
        """Return the view that an address asks for."""
        view, given = super().read(texts), texts.get(self.parameter, "")
        named = ":" not in given or any(x.startswith("goal:") for x in given.split(";"))
        return view if named else replace(view, goal=OLD_GOAL)

    def write(self, value: View) -> Texts | None:
        """Return what an address says of a view; None where it is too long for one."""
        texts = super().write(value)
        given = (texts or {}).get(self.parameter, "")
        if given and value.goal == self.start.goal:
            return {self.parameter: f"goal:{value.goal};{given}"}
        return texts

    def value(self, name: str) -> Any:
        view = current()
        return view.risk or "integrated" if name == "risk" else getattr(view, name)


PLAN = _Url(
    parameter="plan",
    start=View(),
    settings=SETTINGS,
    noun="A plan",
    refused="The plan in the address could not be opened.",
    old=from_text,
)


TABS = {
    "levers": "Levers",
    "offers": "Sites on offer",
    "split": "Split",
    "designs": "Designs",
    "causes": "Causes",
    "report": "Report",
}
_OLD = "offers"  # an older address has the sites on offer open by this name


class _Tab(PageTab):
    """Which tab is open."""

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters of the address, with that of older ones."""
        return (*super().names, _OLD)

    def read(self, texts: Texts) -> str:
        """Return the tab that an address opens."""
        return "offers" if texts.get(_OLD) == "open" else super().read(texts)


TAB = _Tab.of("plan", TABS)


def current() -> View:
    """What is asked, as far as the current study has it."""
    return asked(PLAN.get(), state.current(), state.scope())
