"""What the tests of levers know by hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

KNOWN = ("n", "epsilon", "count", "signal_exponent", "sites")


@pytest.fixture(autouse=True)
def known_levers() -> Iterator[None]:
    """Only levers that are written out by hand here; a further one is tested where it is made."""
    from rates.plan import LEVERS

    new = {name: LEVERS.pop(name) for name in [*LEVERS] if name not in KNOWN}
    yield
    LEVERS.update(new)
