"""Which column of a table is which: by its title, by its content, or by an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rates.numbers import DomainError, Words, shown
from rates.rows import words
from rates.rows.numbers import Exact, Shape, shape
from rates.rows.records import Question

OUT = "out"  # the answer that leaves a column out
_PLAIN = {"n": "how many records a site has", "epsilon": "the privacy budgets", "name": "the sites"}
_LOOKED_AT = 200  # rows by which the content of a column is judged


class Columns:
    """Columns of a table while they are being understood.

    Attributes:
        fields: By number of a column, what it is read as; empty if it is left out.
        questions: What is open.
        refusals: What is refused.
        notes: What was done without being told.
    """

    def __init__(
        self,
        titles: Sequence[str],
        rows: Sequence[Sequence[str]],
        known: Sequence[str],
        required: Sequence[str],
        answers: Mapping[str, str],
    ) -> None:
        self.titles, self.known, self.required, self.answers = titles, known, required, answers
        self.fields = [""] * len(titles)
        self.questions: list[Question] = []
        self.refusals: list[DomainError] = []
        self.notes: list[str] = []
        self._cells = [[_bare(row[k]) for row in rows[:_LOOKED_AT]] for k in range(len(titles))]
        self._rows = rows

    def by_title(self) -> None:
        """Understand the columns by their titles."""
        means = [self._means(k) for k in range(len(self.titles))]
        sure = {next(iter(m)) for m in means if len(m) == 1}
        for k, possible in enumerate(means):
            if possible == {"n", "count"}:
                if "n" not in sure and means.count(possible) == 1:
                    means[k] = frozenset({"n"})
                else:
                    options = {"n": words.TITLES["n"], "count": "Identical sites in a row"}
                    options = {f: t for f, t in options.items() if f not in sure}
                    means[k] = self._asked(f"column {k}", self.called(k), options)
        for field in self.known:
            claims = [k for k, m in enumerate(means) if m == {field}]
            titles = [self.titles[k].strip() for k in claims]
            if len(claims) > 1 and len(set(titles)) < len(titles):
                rule = "A column may appear once only."
                self.refusals.append(DomainError(rule, field, titles[0], "Header"))
                claims = claims[:1]
            if len(claims) > 1:
                claims = [k for k in claims if not words.weak(self.titles[k])] or claims
            if len(claims) > 1:
                chosen = self._which(field, claims)
                claims = [] if chosen is None else [chosen]
            for k in claims:
                self.fields[k] = field
        if "role" in self.known and "role" not in self.fields:
            self._role_by_content()
        self._missing()

    def _asked(self, key: str, called: str, options: dict[str, str]) -> frozenset[str]:
        """Ask what a column is; nothing until it is answered."""
        options[OUT] = "Something else: leave it out"
        answer = self.answers.get(key)
        if answer not in options:
            self.questions.append(Question(key, f"What is in {called}?", options))
            return frozenset()
        return frozenset() if answer == OUT else frozenset({answer})

    def _which(self, field: str, claims: Sequence[int]) -> int | None:
        """Ask which column holds a field; None until it is answered."""
        options = {str(k): self.called(k) for k in claims}
        answer = self.answers.get(f"field {field}")
        if answer in options:
            return int(answer)
        what = _PLAIN.get(field, words.TITLES.get(field, field))
        self.questions.append(Question(f"field {field}", f"Which column holds {what}?", options))
        return None

    def _means(self, k: int) -> frozenset[str]:
        title = self.titles[k].strip()
        if title in self.known:
            return frozenset({title})
        found = words.fields_of(title) & set(self.known)
        if len(found) > 1 and "name" in found:
            found = found - {"name"} if self._numeric(k) else frozenset({"name"})
        if found and words.scaled(title):
            rule = (
                "Numbers stand in full in a column: its title must not give a factor, a "
                "logarithm or per cent."
            )
            self.refusals.append(DomainError(rule, next(iter(found)), title, "Header"))
        return found

    def _role_by_content(self) -> None:
        """Take a column of an unknown title that tells targets from sources in these words."""
        found = [
            k
            for k, cells in enumerate(self._cells)
            if not self.fields[k]
            and self._marks(k)
            and {words.plain(cell) for cell in cells} & words.TARGETS
        ]
        if len(found) == 1:
            self.fields[found[0]] = "role"

    def _missing(self) -> None:
        """Find, ask for or refuse what every row needs and no title names."""
        asked = {q.key for q in self.questions}
        for field in self.required:
            if field in self.fields or f"field {field}" in asked:
                continue
            if field == "epsilon" and words.UNPROTECTED in self.fields:
                continue
            left = [k for k, f in enumerate(self.fields) if not f and any(self._cells[k])]
            fits = [k for k in left if self._numeric(k) != (field == "name")]
            if field == "n":  # a count may be one of records
                fits += [k for k, f in enumerate(self.fields) if f == "count"]
            if field == "name" and len(fits) == 1:
                self.fields[fits[0]] = field
                self.notes.append(
                    f"{self.called(fits[0]).capitalize()} is read as the sites' names."
                )
            elif fits and not any(key.startswith("column ") for key in asked):
                chosen = self._which(field, fits)
                if chosen is not None:
                    self.fields[chosen] = field
            elif not fits:
                self.refusals.append(
                    DomainError(f"{field} is required.", field, Words("nothing"), "Header")
                )

    def by_content(self) -> None:
        """Understand the columns of a table without titles by what they hold."""
        filled = [k for k, cells in enumerate(self._cells) if any(cells)]
        numeric = [k for k in filled if self._numeric(k)]
        texts = [k for k in filled if k not in numeric]
        roles = [k for k in texts if self._marks(k)]
        names = [k for k in texts if k not in roles]
        if len(roles) == 1 and "role" in self.known:
            self.fields[roles[0]] = "role"
        if len(names) == 1:
            self.fields[names[0]] = "name"
        order = self._order(numeric)
        for k, field in zip(numeric, order, strict=False):
            self.fields[k] = field
        self._missing()

    def _order(self, numeric: Sequence[int]) -> tuple[str, ...]:
        """Return what columns of numbers are, where that is certain."""
        if len(numeric) not in (2, 3):
            return ()
        found = [self._kind(k) for k in numeric]
        kinds = sorted(found)
        if kinds in (["epsilon", "n"], ["delta", "epsilon", "n"]):
            return tuple(found)
        if kinds in (["low", "n"], ["delta", "low", "n"]):
            return tuple("epsilon" if kind == "low" else kind for kind in found)
        marked = ["epsilon", "marked"] in (kinds, [kind for kind in kinds if kind != "delta"])
        if marked or kinds in (["epsilon", "low"], ["epsilon", "other"]):
            return tuple(kind if kind in ("epsilon", "delta") else "n" for kind in found)
        return ()

    def _kind(self, k: int) -> str:
        """What a column of numbers without a title looks like."""
        shapes = [shape_or_none(cell) for cell in self._cells[k] if cell]
        values = [s for s in shapes if s is not None]
        if not values:
            return "words"
        words_too = len(values) < len(shapes)  # such as none
        high = max(s.value for s in values)
        if words_too or not all(s.mark or float(s.value).is_integer() for s in values):
            small = high < 1e-2 and not words_too
            return "delta" if small else "epsilon" if high <= 50 else "none"
        if min(s.thousands or s.value for s in values) >= 20:
            sure = any(not s.mark for s in values) or any(s.group for s in values)
            return "n" if sure else "marked"
        return "low" if max(s.thousands or s.value for s in values) <= 10 else "other"

    def _numeric(self, k: int) -> bool:
        """Whether a column holds numbers, or words that stand for one, and nothing else."""
        cells = [cell for cell in self._cells[k] if cell]
        if not cells:
            return False
        numbers = sum(shape_or_none(cell) is not None for cell in cells)
        return numbers > 0 and all(
            _like_a_number(cell) or words.plain(cell) in words.NO_BUDGET for cell in cells
        )

    def _marks(self, k: int) -> bool:
        """Whether a column marks the target among sources."""
        found = {words.plain(cell) for cell in self._cells[k]}
        marks = words.TARGETS | {"x", "✓", "✔"}
        return bool(found & marks) and found <= marks | words.SOURCES | words.NO

    def left_out(self) -> Iterator[int]:
        """Columns that hold something and are read as nothing."""
        for k, field in enumerate(self.fields):
            if not field and (self.titles[k].strip() or any(row[k].strip() for row in self._rows)):
                yield k

    def called(self, k: int) -> str:
        """A column as a reader finds it."""
        title = self.titles[k].strip()
        if title:
            return f"column {shown(title)[1:-1]!r}"
        first = next((cell for cell in self._cells[k] if cell), "")
        return f"column {k + 1} ({shown(first)[1:-1]}, ...)" if first else f"column {k + 1}"


def shape_or_none(cell: str) -> Shape | None:
    """What a cell can mean as a number; None also for one outside floating point."""
    try:
        return shape(cell)
    except DomainError:
        return None


def _bare(cell: str) -> str:
    return cell if isinstance(cell, Exact) else cell.strip()


def _like_a_number(cell: str) -> bool:
    """Whether a cell is a number, perhaps one that will be refused."""
    return any(c.isdigit() for c in cell) and not any(c.isalpha() and c not in "eExX" for c in cell)
