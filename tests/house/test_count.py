"""The count of code lines is that of a hand."""

from __future__ import annotations

from tests.house.count import by_top, code_lines

TEXT = '''"""A docstring
of two lines."""

# a comment
X = """a text
of two lines"""  # counts


def f(
    x,
):
    """Docstring."""
    return x  # 4 lines in all


class A:
    """Docstring."""

    y = 1
'''


def test_docstrings_comments_and_blanks_do_not_count():
    assert code_lines(TEXT) == 2 + 4 + 2
    assert by_top([("rates/a.py", TEXT), ("tests/b.py", TEXT), ("app.py", "x = 1\n")]) == {
        "rates": 8,
        "sims": 0,
        "pages": 0,
        "app.py": 1,
    }
