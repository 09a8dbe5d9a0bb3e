"""What is asked on the plan page, and for whom: kept for the session, shared by ``?plan=``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import quote, unquote

from pages.core import Packed, PageTab, Part, Setting, Texts, UrlState, choice
from pages.current import state
from rates import numbers, split
from rates.answer import offered_delta
from rates.decision import use_of
from rates.numbers import Fields, decode, load_json, pack, unpack
from rates.plan import ALL, LEVERS, divided, in_house, quantities
from rates.study import Scope, Server, Study, alike, codec

GOALS = ("", "need", "part", "risk")
DIVIDED = {unit: lever.total for unit, lever in reversed(divided().items())}
SIGNAL = "signal_exponent"
MOST_ROWS = 60  # of a table
SAME = 1e-9  # a rate that changes by less than this part does not change
# Of older links: two goals relative to today's rate, what tables were asked, further designs.
_GONE = ("fraction", "multiple", "raised", "least", "most", "reference", "third", "fourth")
_GONE_GOALS = ("rate", "sample")

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
        help="Which part of the effective records lost to privacy you want back.",
    ),
    "wanted": numbers.Parameter(
        "wanted",
        "risk",
        "(0, 1)",
        noun="The risk aimed at",
        stops=numbers.decades(-4, 0)[:-1],
        help="Excess risk of a classifier, or squared error of a curve of size 1, as calibrated.",
    ),
    "total": numbers.Parameter(
        "total",
        "W",
        "(0, 1e15]",
        noun="The total",
        stops=numbers.decades(-1, 6),
        help="What all sites get together: budgets ε, or records.",
    ),
    "kind_n": replace(numbers.SAMPLE_SIZE, stops=numbers.decades(1, 6, whole=True)),
    "kind_epsilon": replace(numbers.EPSILON, stops=numbers.decades(-2, 2)),
    "kind_gamma": replace(numbers.SIGNAL_EXPONENT, stops=numbers.steps(0.1, 4.0, 0.1)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is asked; what differs from the defaults stands in the address.

    Attributes:
        goal: What is aimed at: a need in records, a part of what privacy costs or a calibrated
            risk; empty for a need that was told, else for a part.
        needed: The need in records; 0 for what was told.
        part: The part of what privacy costs.
        wanted: The risk wanted; 0 where none has been named.
        lever: The lever that is looked at; empty for the first that the study has.
        site: The row that it is pulled at, or "all" for one factor on what all of them have.
        risk: Which error counts for a curve; empty for the first one.
        divided: Whether a total of budgets or of records is split.
        total: That total; 0 for twice today's.
        kind_n: Records of a further site; None for those of the largest site.
        kind_epsilon: Its budget, likewise.
        kind_gamma: Its signal exponent, likewise.
        other: Design B; None while there is none.
        offers: Table of sites on offer, as pasted.
    """

    goal: str = ""
    needed: float = 0.0
    part: float = 0.5
    wanted: float = 0.0
    lever: str = ""
    site: str = ALL
    risk: str = ""
    divided: str = "epsilon"
    total: float = 0.0
    kind_n: float | None = None
    kind_epsilon: float | None = None
    kind_gamma: float | None = None
    other: Study | None = None
    offers: str = ""

    @property
    def bare(self) -> View:
        """What is asked of one lever, without another design and offers."""
        return replace(self, other=None, offers="")


def _packed(name: str) -> Packed:
    """A setting for a name that a study gives, which may hold any sign."""
    return Packed(name, partial(quote, safe=""), unquote)


SETTINGS: tuple[Setting, ...] = (
    choice("goal", GOALS),
    _packed("lever"),
    choice("risk", ("", "integrated", "pointwise")),
    choice("divided", DIVIDED),
    *(Part(name, parameter) for name, parameter in NUMBERS.items()),
    _packed("site"),
    Packed("other", codec.to_link, codec.from_link),
    Packed("offers", pack, lambda text: decode(unpack(text), "A plan")),
)


def further(view: View, study: Study) -> Server:
    """Return the kind of further site: the heaviest row's numbers where none are given.

    >>> from rates.presets import preset
    >>> further(View(kind_n=50), preset("hospitals").study).n
    50
    """
    like = max(study.sources or study.servers, key=lambda s: s.n)
    stated = [s.delta for s in study.servers if s.private and s.delta is not None]
    gamma = like.signal_exponent if view.kind_gamma is None else view.kind_gamma
    return Server(
        name="this one",
        n=like.n if view.kind_n is None else int(view.kind_n),
        epsilon=like.epsilon if view.kind_epsilon is None else view.kind_epsilon,
        delta=min(stated) if stated else offered_delta(study),
        signal_exponent=gamma if study.target is not None else 1.0,
    )


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


def asked(view: View, stated: Study, scope: Scope) -> View:
    """What is asked, as far as a study has it; what is usual by name, a design as planned for.

    Args:
        view: What is asked, as the address has it.
        stated: The study as stated.
        scope: What has been said about it.
    """
    study, need, kind = planned(stated, scope), scope.needed, further(view, stated)
    have = levers(study, alike=alike(stated, scope))
    lever = view.lever if view.lever in have else have[0]
    places = sites(lever, study) or (view.site,)  # further sites have no row: what was said stays
    transfer = study.target is not None
    return replace(
        view,
        lever=lever,
        site=view.site if view.site in places else places[0],
        goal=view.goal or ("part" if need is None else "need"),
        needed=view.needed or need or 0.0,
        risk="classification" if transfer else view.risk or "integrated",
        total=view.total or 2.0 * split.today(study, view.divided) or 1.0,
        kind_n=float(kind.n),
        kind_epsilon=kind.epsilon,
        kind_gamma=kind.signal_exponent,
        other=view.other and planned(view.other, scope),
    )


def user(study: Study, scope: Scope) -> str:
    """For whom is planned, Markdown; empty where the study is taken as it is stated."""
    if use_of(study, scope)[0] != "target":
        return ""
    text = "Planned for the target in house: its own records need no noise for itself"
    return f"{text}." if scope.use else f"{text} (assumed)."


def from_text(text: str) -> View:
    """Read a view from packed JSON, as older addresses have it; what is gone of it is left out.

    Raises:
        DomainError: The value is cut, or holds something that no view has.
    """
    part = Fields.of(load_json(decode(unpack(text), "A plan")), "A plan", "Plan")
    known = {setting.name: setting for setting in SETTINGS}
    part.keys({"version", *known, *_GONE}, {"version"}).version()
    kept = {name: x for name, x in part.data.items() if name in known and x not in _GONE_GOALS}
    return View(**{name: _checked(known[name], x) for name, x in kept.items()})


def _checked(setting: Setting, value: object) -> Any:
    if setting.name == "other":  # older addresses have a whole study there, not its link
        return codec.from_dict(value)
    if isinstance(setting, Packed) and not isinstance(value, str):
        raise numbers.DomainError(f"{setting.name} must be text.", setting.name, value, "Plan")
    return setting.check(float("inf") if value == "inf" else value, "Plan")


class _Url(UrlState[View]):
    """What is asked; the fields show it as far as the current study has it."""

    def read(self, texts: Texts) -> View:
        """Return the view that an address asks for; a goal that is gone is left out."""
        gone = {f"goal:{goal}" for goal in _GONE_GOALS}
        kept = [x for x in texts.get(self.parameter, "").split(";") if x not in gone]
        return super().read({self.parameter: ";".join(kept)})

    def value(self, name: str) -> Any:
        return getattr(current(), name)


PLAN = _Url(
    parameter="plan",
    start=View(),
    settings=SETTINGS,
    noun="A plan",
    refused="The plan in the address could not be opened.",
    old=from_text,
    gone=_GONE,
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
