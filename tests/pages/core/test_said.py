"""What a link asks for that a page of runs cannot show, or should not alone, is said in words."""

from __future__ import annotations

import pytest

from rates import Server, TransferStudy
from rates.study import codec
from tests.pages.driver import everything, open_page

SITE = Server(name="a", n=10**15, epsilon=1)
HUGE = codec.to_link(TransferStudy(target=SITE, smoothness=1, dimension=1, margin=1))
ASKED = [
    ("classification?run=<b>:1", "semicolons"),
    ("classification?tab=classifier&run=n:10000000;m:100", "at most 10,000,000 source records"),
    (f"classification?tab=study&study={HUGE}", "The bandwidth must be at least"),
    ("regression?tab=rate&run=sweep:m;m:1,2000;n:1000;epsilon:1", "n must be at least m"),
    ("hybrid?run=distance:groups;volunteer_groups:1;population_groups:1,1", "number of groups"),
    ("hybrid?run=epsilon:20", "private only up"),
]


@pytest.mark.parametrize(("link", "said"), ASKED)
@pytest.mark.usefixtures("by_step")
def test_what_cannot_be_shown_is_said_in_words(link, said):
    page, _, query = link.partition("?")
    parts = dict(part.split("=", 1) for part in query.split("&"))
    assert said in everything(open_page(page, **parts))
