"""Numbers and names as text for pages; user text is escaped here."""

from __future__ import annotations

import csv
import html
import io
import math
import re
from collections.abc import Callable

from sims.engine import Estimate, Fit

LIMITS = "What this does not say"
RISKS = {"integrated": "Over the whole curve", "pointwise": "At one point"}
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&@/=])")

_ACTIVE = re.compile(r"([\\`*\[\]$~]|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?]))")


def md(text: str) -> str:
    r"""Return user text so that Markdown shows it as it is.

    >>> print(md("a*b"))
    a\*b
    """
    return _MARKDOWN.sub(r"\\\1", text)


def plain(text: object) -> str:
    r"""Return a refusal, which may repeat what a user typed, without markup, links and images.

    Less is escaped than by `md`, so that sentences stay readable where they are tested.

    >>> print(plain("alpha: got '![x](http://a.b/c.png)'"))
    alpha: got '!\[x\](http://a.b/c.png)'
    """
    return _ACTIVE.sub(r"\\\1", str(text))


def label(text: str, most: int = 28) -> str:
    """Return user text for a chart label: cut to length, markup shown as it is.

    >>> label("<b>x</b>")
    '&lt;b&gt;x&lt;/b&gt;'
    """
    short = text if len(text) <= most else f"{text[: most - 1]}…"
    return html.escape(short, quote=False)


def number(x: float, digits: int = 3) -> str:
    """Return a number to a few significant digits.

    >>> number(1234567.0), number(0.00012345), number(58.26), number(math.inf)
    ('1,230,000', '1.23e-4', '58.3', 'infinite')
    """
    if math.isnan(x):
        return "undefined"
    if math.isinf(x):
        return "infinite" if x > 0 else "minus infinite"
    if x == 0:
        return "0"
    if 1e-3 <= abs(x) < 1e7:
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
    ('2.5 %', '50 %', '1e-5 %', '100 %')
    """
    if math.isnan(x):
        return "undefined"
    value = 100.0 * x
    if value >= 9.95:
        return f"{value:.0f} %"
    if value >= 0.095:
        return f"{value:.1f} %".replace(".0 %", " %")
    return f"{number(value, 2)} %" if value > 0 else "0 %"


def span(low: str, high: str) -> str:
    """Join two ends of a range, once if they read the same.

    >>> span("2.5 %", "3.7 %"), span("10", "10")
    ('2.5 to 3.7 %', '10')
    """
    if low == high:
        return low
    if low.endswith(" %") and high.endswith(" %"):
        low = low.removesuffix(" %")
    return f"{low} to {high}"


def between(low: float, high: float, show: Callable[[float], str] = number) -> str:
    """Return two numbers as the ends of a range.

    >>> between(0.025, 0.037, percent), between(10, 10)
    ('2.5 to 3.7 %', '10')
    """
    return span(show(low), show(high))


def tenths(share: float) -> str:
    """Return a share in per cent, to a tenth.

    >>> tenths(0.8)
    '80.0 %'
    """
    return f"{100 * share:.1f} %"


def slope(fit: Fit) -> str:
    """Return a fitted slope with its standard error."""
    found = fit.slope
    return f"{signed(found.value)} ± {found.stderr:.3f}" if found else "none"


def around(estimate: Estimate, show: Callable[[float], str] = number) -> str:
    """Return a simulated mean with its 95 % Monte-Carlo interval, or alone where there is none.

    >>> around(Estimate(0.5, 0.01, 1000), percent), around(Estimate(2.0, math.nan, 1))
    ('50 % (95 %: 48 to 52 %)', '2')
    """
    if estimate.replicates < 2:
        return show(estimate.mean)
    low, high = estimate.interval()
    return f"{show(estimate.mean)} (95 %: {between(low, high, show)})"


def names(given: list[str], most: int = 3) -> str:
    """Join site names for a sentence, escaped, cutting long lists.

    >>> names(["A", "B"]), names(["A", "B", "C", "D", "E"])
    ('A and B', 'A, B, C and 2 more')
    """
    shown = [md(name) for name in given[:most]]
    rest = len(given) - len(shown)
    if rest:
        return f"{', '.join(shown)} and {rest} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def csv_text(rows: list[dict]) -> str:
    r"""Return rows as CSV text with a header line.

    >>> csv_text([{"x": 1, "y": 2.5}])
    'x,y\n1,2.5\n'
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def number_text(value: float) -> str:
    """Return the shortest text that reads back as the same number.

    >>> number_text(1e-6), number_text(2.0)
    ('1e-6', '2')
    """
    return repr(float(value)).removesuffix(".0").replace("e-0", "e-").replace("e+", "e")


def signed(x: float) -> str:
    """Return a slope to three decimals, with a minus sign that lines up."""
    return "undefined" if x != x else f"{x:.3f}".replace("-", "−")  # noqa: PLR0124
