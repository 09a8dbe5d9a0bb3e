"""Numbers and names as text for pages; user text is escaped here."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rates import numbers
from rates.ledger import PAPERS

if TYPE_CHECKING:
    from sims.engine import Estimate, Fit

between, number, number_text = numbers.between, numbers.number, numbers.number_text
percent, signed_percent, span = numbers.percent, numbers.signed_percent, numbers.span
LIMITS = "What this does not say"
RISKS = {"integrated": "Over the whole curve", "pointwise": "At one point"}
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&@/=])")

_KEY = re.compile(rf"(?<![\\\[])\[({'|'.join(PAPERS)})\](?!\()")
_ESCAPED_KEY = re.compile(rf"(?<!\[)\\\[({'|'.join(PAPERS)})\\\](?!\]\()")
_ACTIVE = re.compile(r"([\\`*\[\]$~]|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?])|:(?=[\w/+-]+:))")

# Markdown makes a link of each of these, escaped or not: what was read is looked through again,
# but for what is code. So that is how such a word is shown.
_ADDRESS = re.compile(r"https?://|www\.|[-.\w+]@[-\w]", re.IGNORECASE)
_WORD = re.compile(r"""[^\s|`$\\<>\[\]'"]+""")
_ENDS = "(),.;:!?"


def md(text: str) -> str:
    r"""Return user text so that Markdown shows it as it is, and makes no link of it.

    >>> print(md("a*b"), md("see https://a.example"))
    a\*b see `https://a.example`
    """
    return _shown(text, _MARKDOWN)


def _shown(text: str, active: re.Pattern[str]) -> str:
    """Return text with what is active escaped, and words like addresses as code."""
    out, done = [], 0
    for found in _WORD.finditer(text):
        word = found[0].strip(_ENDS)
        if _ADDRESS.search(word):
            start = text.index(word, found.start())
            out += [active.sub(r"\\\1", text[done:start]), f"`{word}`"]
            done = start + len(word)
    return "".join([*out, active.sub(r"\\\1", text[done:])])


def keyed(text: str) -> str:
    r"""Return Markdown of ours in which every key of a paper leads to the page About.

    >>> print(keyed("By [CCV] Section 2."))
    By [\[CCV\]](about?term=CCV) Section 2.
    >>> keyed(keyed("[KS]")) == keyed("[KS]")
    True
    """
    return _KEY.sub(_linked, text)


def cited(text: str) -> str:
    r"""Return plain text of ours as `md` does, with every key of a paper as a link.

    >>> print(cited("[ACC] Theorem 3.4"))
    [\[ACC\]](about?term=ACC) Theorem 3\.4
    """
    return _ESCAPED_KEY.sub(_linked, md(text))


def _linked(found: re.Match[str]) -> str:
    key = found[1]
    return rf"[\[{key}\]](about?term={key})"


def plain(text: object) -> str:
    r"""Return a refusal, which may repeat what a user typed, without markup, links and images.

    Less is escaped than by `md`, so that sentences stay readable where they are tested.

    >>> print(plain("alpha: got '![x](http://a.b/c.png)'"))
    alpha: got '!\[x\](`http://a.b/c.png`)'
    >>> print(plain("run: got ':material/home:'"))
    run: got '\:material/home:'
    """
    return _shown(str(text), _ACTIVE)


def label(text: str, most: int = 28) -> str:
    """Return user text for a chart label: cut to length, markup shown as it is.

    >>> label("<b>x</b>")
    '&lt;b&gt;x&lt;/b&gt;'
    """
    # Cut before it is escaped: an entity must not lose its end.
    short = text if len(text) <= most else f"{text[: most - 1]}…"
    return html.escape(short, quote=False)


def labels(texts: Sequence[str], most: int = 28) -> list[str]:
    """Return labels that differ, each with its place where the cut ones are alike.

    >>> labels(["Registry north", "Registry nord", "East"], 9)
    ['Reg… (1)', 'Reg… (2)', 'East']
    """
    short = [label(text, most) for text in texts]
    return [
        one if short.count(one) == 1 else f"{label(text, most - 5)} ({place})"
        for place, (one, text) in enumerate(zip(short, texts, strict=True), 1)
    ]


def tenths(share: float) -> str:
    """Return a share in per cent, to a tenth.

    >>> tenths(0.8)
    '80.0%'
    """
    return f"{100 * share:.1f}%"


def slope(fit: Fit) -> str:
    """Return a fitted slope with its standard error."""
    found = fit.slope
    return f"{signed(found.value)} ± {found.stderr:.3f}" if found else "none"


def around(estimate: Estimate, show: Callable[[float], str] = number) -> str:
    """Return a simulated mean with its 95% Monte-Carlo interval, or alone where there is none.

    >>> from sims.engine import Estimate
    >>> around(Estimate(0.5, 0.01, 1000), percent), around(Estimate(2.0, float("nan"), 1))
    ('50% (95%: 48 to 52%)', '2')
    """
    if estimate.replicates < 2:
        return show(estimate.mean)
    low, high = estimate.interval()
    return f"{show(estimate.mean)} (95%: {between(low, high, show)})"


def names(given: list[str], most: int = 3) -> str:
    """Join site names for a sentence, escaped, cutting long lists.

    >>> names(["A", "B"]), names(["A", "B", "C", "D", "E"])
    ('A and B', 'A, B, C and 2 more')
    """
    rest = [f"{len(given) - most} more"] if len(given) > most else []
    return listed([*map(md, given[:most]), *rest])


def listed(parts: Sequence[str]) -> str:
    """Join parts for a sentence, each once, in order.

    >>> listed(["a", "b", "b", "c"]), listed([])
    ('a, b and c', '')
    """
    *first, last = dict.fromkeys(parts) or [""]
    return f"{', '.join(first)} and {last}" if first else last


def extremes(values: Sequence[float], show: Callable[[float], str] = number) -> str:
    """Return the least and the largest of some numbers as text.

    >>> extremes([3, 1, 2]), extremes([2, 2])
    ('1 to 3', '2')
    """
    return between(min(values), max(values), show)


def signed(x: float) -> str:
    """Return a slope to three decimals, with a minus sign that lines up; 0 has none.

    >>> signed(-0.5), signed(-1e-9)
    ('−0.500', '0.000')
    """
    # Only nan differs from itself.
    return "undefined" if x != x else f"{x:z.3f}".replace("-", "−")  # noqa: PLR0124


def rounded_up(width: float) -> float:
    """Return the next larger round number: 1, 2 or 5 times a power of ten.

    >>> rounded_up(0.3), rounded_up(20.0)
    (0.5, 20.0)
    """
    size = 10.0 ** math.floor(math.log10(width))
    return next(size * part for part in (1, 2, 5, 10) if size * part >= width)
