"""The attacker's game: which of two records stands behind what was released?

Twenty releases fall, the player says A or B to each, and the score is shown beside the best that
is possible. What nobody may know before a lesson's answer is locked is left out of what is sent.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pages import charts
from pages.charts import Figure, percent
from pages.core import Part, UrlState, with_lines
from pages.core.live import PAGE_SEED
from pages.pictures import picture
from rates.numbers import EPSILON
from rates.study import advantage
from rates.tally import best_guess, by_chance, guess_error, laplace_density
from sims.lessons import ROUNDS, rounds

MANY = 200
LOW, HIGH = 0.1, 10.0
STOPS = tuple(float(f"{10 ** (k / 20):.1e}") for k in range(-20, 21))
_BUDGET = EPSILON.within("[0.1, 10]", stops=STOPS)
_FAR = 4.6  # scales of the noise that are drawn: 1% of the peak is left
_CURVE = tuple(k * _FAR / 40 for k in range(-40, 41))


@dataclass(frozen=True, slots=True)
class Game:
    """One game.

    Attributes:
        epsilon: Budget of each release.
        seed: Where records and noise come from.
    """

    epsilon: float = 1.0
    seed: int = 1


GAME = UrlState(
    parameter="play",
    start=Game(),
    settings=(Part("epsilon", _BUDGET), Part("seed", PAGE_SEED)),
    noun="A game",
    refused="The game in the address could not be opened.",
)


def show(*, known: bool = True) -> None:
    """Draw the game; a page loads and writes `GAME` as any other part of its address.

    Args:
        known: Whether the most that is possible may be shown.
    """
    game = GAME.get()
    drawn = picture.Picture(
        script="attacker",
        data=data(game, known=known),
        still=with_lines(still, game.epsilon, known=known),
    )
    picture.show(drawn, key="attacker", take=take)


def play(who: str) -> None:
    """Draw the game alone, with rounds of one's own, and without what is possible at all.

    Args:
        who: Whoever plays; the same one finds the same game.
    """
    if GAME.get() == GAME.start:
        # Each phone has rounds of its own, and finds them again after a reload.
        GAME.keep(Game(seed=zlib.crc32(who.encode())))
    picture.touched("attacker", data(GAME.get(), known=False), "attacker", take)


def take(sent: Mapping[str, object]) -> None:
    """Play with another budget or other dots, as a hand has left them."""
    epsilon = picture.finite(sent, "epsilon", LOW, HIGH)
    seed = picture.finite(sent, "seed", 0, PAGE_SEED.high)
    if epsilon is not None and seed is not None and seed.is_integer() and len(sent) == 2:
        GAME.change(epsilon=epsilon, seed=int(seed))


def data(game: Game, *, known: bool) -> dict[str, Any]:
    """Return what the script draws."""
    # A budget of the address may lie between two stops.
    stops = sorted({*STOPS, game.epsilon})
    bests = [best_guess(x) for x in stops] if known else []
    return {
        "epsilons": stops,
        "at": stops.index(game.epsilon),
        "seed": game.seed,
        "you": asdict(rounds(game.seed, ROUNDS, "you")),
        "best": asdict(rounds(game.seed, MANY, "best")) if known else None,
        "curve": _curve(),
        "far": _FAR,
        "touches": [laplace_density(x / 2, 1.0) / laplace_density(0.0, 1.0) for x in stops],
        "ceilings": [ceiling(x) for x in stops] if known else [],
        "bests": bests,
        "errors": [guess_error(share, 1) for share in bests],
        "chances": [by_chance(k, ROUNDS) for k in range(ROUNDS + 1)],
    }


def ceiling(epsilon: float) -> float:
    """Return the share of rounds in which an attacker can be right at most."""
    return 0.5 + 0.5 * advantage(epsilon)


@functools.cache
def _curve() -> list[tuple[float, float]]:
    """The noise in units of its scale, and its density over that of the peak: one for every ε."""
    peak = laplace_density(0.0, 1.0)
    return [(u, laplace_density(u, 1.0) / peak) for u in _CURVE]


def still(epsilon: float, *, known: bool = True) -> Figure:
    """Return both densities of what is released, with the most that can be made of them."""
    most = percent(ceiling(epsilon))
    far = 0.5 + _FAR / epsilon
    places = sorted({0.0, 1.0, *(0.5 + far * k / 60 for k in range(-60, 61))})
    heights = [[laplace_density(x - at, epsilon) for x in places] for at in (0.0, 1.0)]
    look: charts.Fields = {"colour": charts.theme.INK["light"], "hover": "%{x:.3g}: %{y:.3g}"}
    a, b = (
        charts.line(places, y, name, dash=dash, **look)
        for y, name, dash in zip(
            heights, ("A: it is 0", "B: it is 1"), ("solid", "dash"), strict=True
        )
    )
    both = list(map(min, *heights))
    orange = charts.theme.COLOURS[charts.theme.PRIVACY]
    overlap = charts.band(places, [0.0] * len(places), both, orange)
    said = f"At ε = {charts.number(epsilon)} "
    said += f"nobody is right more than {most} of the time" if known else "which is it, A or B?"
    return charts.plot(
        [*overlap, a, b],
        charts.axis("Number released, less what is known", (places[0], places[-1])),
        charts.axis("Density"),
        {"released": places, "density if 0": heights[0], "density if 1": heights[1]},
        **charts.room(360, 80),
        title=said,
        alt=f"{said}. Two densities of what is released, around 0 and around 1; they overlap.",
        name="attacker",
    )
