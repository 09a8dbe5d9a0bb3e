"""A homogeneous federated design and how it is looked at, and the text of older addresses."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from rates import numbers
from rates.maps.alike import AXES, equal_servers
from rates.maps.design import address_values
from rates.study import FederatedStudy

RECORDS = numbers.SAMPLE_SIZE.within(
    f"1, ..., {numbers.SAMPLE_SIZE.high}",
    name="records",
    symbol="n",
    noun="The number of records",
    help="Records that each site holds, or that all sites hold together.",
    stops=numbers.decades(1, 6, whole=True),
)
SITES = numbers.COUNT.within(
    f"1, ..., {numbers.COUNT.high}",
    name="sites",
    symbol="m",
    noun="The number of sites",
    help="How many sites there are; all are alike.",
    stops=numbers.decades(0, 4, whole=True),
)
MOVED = replace(
    numbers.INTEGRABILITY,
    name="moved",
    symbol="t",
    domain="[0, 100]",
    rule="The part that has moved must be from 0 to 100 per cent.",
    stops=(*numbers.steps(0, 95, 5), 98.0, 99.0, 99.9, 100.0),
    help=(
        "Per cent of every other site's records that have moved to one site. 0: all sites are "
        "alike. 100: one site holds everything. The total stays the same."
    ),
)
BUDGET = replace(numbers.EPSILON, stops=numbers.decades(-3, 1))
NUMBERS = {p.name: p for p in (SITES, RECORDS, BUDGET, *numbers.FEDERATED_FIELDS.values(), MOVED)}
CHOICES: dict[str, tuple[str, ...]] = {
    "held": ("site", "total"),
    "axis": AXES,
    "quantity": ("D", "rate"),
    "view": ("alike", "dominating"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """A design of equal sites, and what is shown of it.

    Attributes:
        sites: m.
        records: Per site, or of all sites together.
        epsilon: The common budget.
        smoothness: α.
        integrability: p.
        moved: Per cent of the others' records that have moved to one site.
        held: What ``records`` counts: those of each "site", or the "total".
        axis: Along what D is shown, one of `rates.maps.alike.AXES`.
        quantity: "D" or "rate".
        view: "alike" or "dominating".

    Raises:
        DomainError: A value lies outside its domain, α - 1/p <= 1/2, or there are fewer
            records in total than sites.

    >>> Detail(sites=3, records=100, held="total").n
    33
    """

    sites: int = 20
    records: int = 5_000
    epsilon: float = 0.05
    smoothness: float = 2.0
    integrability: float = 4.0
    moved: float = 50.0
    held: str = "site"
    axis: str = "budget"
    quantity: str = "D"
    view: str = "alike"

    def __post_init__(self) -> None:
        numbers.check_fields(self, NUMBERS.values(), "Design")
        for name, allowed in CHOICES.items():
            value = getattr(self, name)
            if value not in allowed:
                rule = f"{name} must be one of {', '.join(allowed)}."
                raise numbers.DomainError(rule, name, value, "Design")
        if self.n < 1:
            rule = "Every site needs at least one record: the total must be at least m."
            raise numbers.DomainError(rule, "records", self.records, "Design")
        self.study()

    @property
    def n(self) -> int:
        """Records per site; a total is divided into whole records and the rest left out."""
        return self.records if self.held == "site" else self.records // self.sites

    def study(self) -> FederatedStudy:
        """The design as a study of one row."""
        return equal_servers(
            self.sites,
            self.n,
            self.epsilon,
            smoothness=self.smoothness,
            integrability=self.integrability,
        )


def from_text(text: str) -> Detail:
    """Read a design from its values with commas between, as older addresses have it.

    Raises:
        DomainError: There are too few or too many values, or one is outside its domain.

    >>> from_text("20,5000,0.05,2,4,50,site,budget,D,alike") == Detail()
    True
    """
    names = [field.name for field in fields(Detail)]
    return Detail(**address_values(text, names, "A design", CHOICES))
