"""Numbers as text, for sentences and pages."""

from __future__ import annotations

import math
from collections.abc import Callable


def number(x: float, digits: int = 3) -> str:
    """Return a number to a few significant digits.

    >>> number(1234567.0), number(0.00012345), number(58.26), number(math.inf)
    ('1,230,000', '1.23e-4', '58.3', 'infinite')
    >>> number(-math.inf), number(0.0), number(1.0)
    ('minus infinite', '0', '1')
    """
    if math.isnan(x):
        return "undefined"
    if math.isinf(x):
        return "infinite" if x > 0 else "minus infinite"
    if x == 0:
        return "0"
    if 1e-3 <= abs(x) < 1e7:
        # Rounded first: 9.996 must not be written with the decimals of 9.99.
        rounded = float(f"{x:.{digits}g}")
        if abs(rounded) >= 10 ** (digits - 1):
            return f"{rounded:,.0f}"
        decimals = max(0, digits - 1 - math.floor(math.log10(abs(rounded))))
        return f"{rounded:.{decimals}f}".rstrip("0").rstrip(".")
    mantissa, exponent = f"{x:.{digits - 1}e}".split("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"


def percent(x: float) -> str:
    """Return a fraction as a percentage, with more digits where it is small.

    >>> percent(0.0249), percent(0.5), percent(1e-7), percent(0.99999)
    ('2.5%', '50%', '1e-5%', '100%')
    """
    if math.isnan(x):
        return "undefined"
    value = 100.0 * x
    if value >= 9.95:
        return f"{value:.0f}%"
    if value >= 0.095:
        return f"{value:.1f}%".replace(".0%", "%")
    return f"{number(value, 2)}%" if value > 0 else "0%"


def signed_percent(share: float) -> str:
    """Return a fraction as a percentage that may be negative.

    >>> signed_percent(-0.25), signed_percent(0.0)
    ('−25%', '0%')
    """
    return f"−{percent(-share)}" if share < 0 else percent(share)


def span(low: str, high: str) -> str:
    """Join two ends of a range, once if they read the same.

    >>> span("2.5%", "3.7%"), span("10", "10")
    ('2.5 to 3.7%', '10')
    """
    if low == high:
        return low
    if low.endswith("%") and high.endswith("%"):
        low = low.removesuffix("%")
    return f"{low} to {high}"


def between(low: float, high: float, show: Callable[[float], str] = number) -> str:
    """Return two numbers as the ends of a range.

    >>> between(0.025, 0.037, percent), between(10, 10)
    ('2.5 to 3.7%', '10')
    """
    return span(show(low), show(high))


def listed(names: list[str], most: int = 3) -> str:
    """Join names for a sentence, cutting long lists.

    >>> listed(["A", "B", "C", "D", "E"])
    'A, B, C and 2 more'
    """
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"


def number_text(value: float) -> str:
    """Return the shortest text that reads back as the same number.

    >>> number_text(1e-6), number_text(2.0)
    ('1e-6', '2')
    """
    return repr(float(value)).removesuffix(".0").replace("e-0", "e-").replace("e+", "e")
