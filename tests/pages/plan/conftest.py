"""The tests of the page know the levers that those of the theory know."""

from tests.rates.conftest import known_levers  # noqa: F401
