"""Definitions that claims share, and steps of an argument that are checked with its claim."""

from __future__ import annotations

import pytest

from rates.ledger import check
from rates.ledger.claim import read_claim
from rates.ledger.judging import ARGUED, COMPUTED
from rates.ledger.texts import make
from rates.numbers import DomainError

SHARED = {
    "ranges": {"n": "{2..100} log"},
    "lets": {"P": "2*x", "Q": "P + n", "r": "solves n*r^2 = 1", "idle": "n"},
}
ENTRY = {
    "id": "ACC:Cor3.2:step",
    "section": "3.1",
    "place": "follows from (4)",
    "title": "A step",
    "says": "The budget is where both terms are equal.",
    "claim": "for beta, alpha, d, n0 \n let eps = n0^(-beta/(2*beta + d)) \n then P_t = NP_t",
}


def test_a_shared_definition_stands_as_soon_as_it_can_be_read() -> None:
    claim = read_claim("for n \n let x = n^2; y = x \n then Q + r > y", shared=SHARED)
    assert [one.letter for one in claim.lets] == ["r", "x", "P", "Q", "y"]
    own = read_claim("for n; P in [3, 4] \n let x = n \n then P + x > 4", shared=SHARED)
    assert [one.letter for one in own.lets] == ["x"]
    with pytest.raises(DomainError, match="stand before it"):
        read_claim("for n \n then Q > n", shared=SHARED)
    with pytest.raises(DomainError, match="stand before it"):
        read_claim("for n \n let x = x + 1 \n then x > n", shared=SHARED)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("They meet at `n0*eps = n0^((beta + d)/(2*beta + d))`.", ARGUED),
        ("A letter of the paper's: `NP_t = n0^(-B/(2*beta + d))`, and `n0*eps` alone.", ARGUED),
        ("They meet at `n0*eps = n0^((beta + d)/(beta + d))`.", COMPUTED),
        ("By the way `P_t < NP_t`.", COMPUTED),
    ],
)
def test_a_step_is_checked_where_the_claim_is(step: str, words: str) -> None:
    (found,) = check(make({**ENTRY, "argument": [step]}))
    assert found.words == words


@pytest.mark.parametrize(
    ("step", "words"),
    [("So `z <= eps`.", "letters of the claim"), ("So `P_t >= P_t`.", "two different sides")],
)
def test_a_step_that_says_nothing_of_the_claim_is_refused(step: str, words: str) -> None:
    with pytest.raises(DomainError, match=words):
        check(make({**ENTRY, "argument": [step]}))
