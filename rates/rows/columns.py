"""Which column of a table is which: by its title, by its content, or by an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rates.numbers import DomainError, Exact, Shape, Words, shape, shown
from rates.rows import words
from rates.rows.records import Told

OUT = "out"  # the answer that leaves a column out
_PLAIN = {"n": "how many records a site has", "epsilon": "the privacy budgets", "name": "the sites"}
_ALIKE = "How many identical sites a row stands for"
_COUNTED = {"count": _ALIKE, "n": words.TITLES["n"], "name": "Numbers that name the sites"}
_LOOKED_AT = 200  # rows by which the content of a column is judged


@dataclass
class Columns:
    """Columns of a table while they are being understood.

    Attributes:
        titles: Of each, as it stands there.
        rows: The cells below.
        known: What a column can be read as.
        required: What every row fills.
        told: What is said of the table meanwhile.
        fields: By number of a column, what it is read as; empty if it is left out.
    """

    titles: Sequence[str]
    rows: Sequence[Sequence[str]]
    known: Sequence[str]
    required: Sequence[str]
    told: Told

    def __post_init__(self) -> None:
        self.fields = [""] * len(self.titles)
        looked_at = self.rows[:_LOOKED_AT]
        self._cells = [[_bare(row[k]) for row in looked_at] for k in range(len(self.titles))]
        self._settled: set[int] = set()  # columns of which a visitor said what they are

    def understand(self) -> None:
        """Understand the columns by their titles; of a table without one, by what they hold."""
        if any(self.titles):
            self._by_title()
        else:
            self._by_content()
        # Only then: a column that no title names may be what is still missing.
        for field in self.required:
            self._find(field)

    def _by_title(self) -> None:
        means = [self._means(k) for k in range(len(self.titles))]
        if not any("n" in possible for possible in means):
            # "Count" alone is how many records a site has.
            pairs = zip(means, self.titles, strict=True)
            means = [m | {"n"} if m and words.of_number(title) else m for m, title in pairs]
        sure = {next(iter(m)) for m in means if len(m) == 1}
        for k, possible in enumerate(means):
            if possible == {"n", "count"}:
                if "n" not in sure and means.count(possible) == 1:
                    means[k] = frozenset({"n"})
                else:
                    means[k] = self._asked(
                        k, {f: _COUNTED[f] for f in ("n", "count") if f not in sure}
                    )
        self._count_sites(means)
        for field in self.known:
            claims = [k for k, m in enumerate(means) if m == {field}]
            titles = [self.titles[k].strip() for k in claims]
            # Two titles alike cannot be told apart in a question.
            if len(set(titles)) < len(titles):
                rule = "A column may appear once only."
                self.told.refusals.append(DomainError(rule, field, titles[0], "Header"))
                claims = claims[:1]
            if len(claims) > 1:  # a place beside a name is left out
                claims = [k for k in claims if not words.weak(self.titles[k])] or claims
            if len(claims) > 1:
                chosen = self._which(field, claims)
                claims = [int(chosen)] if chosen else []
            for k in claims:
                self.fields[k] = field
        if "role" in self.known and "role" not in self.fields:
            self._mark_roles(
                [k for k, cells in enumerate(self._cells) if words.TARGETS & _plain(cells)]
            )

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
            self.told.refusals.append(DomainError(rule, next(iter(found)), title, "Header"))
        return found

    def _asked(self, k: int, options: Mapping[str, str]) -> frozenset[str]:
        """Ask what a column is, where it can be anything; nothing until it is answered."""
        every = {**options, OUT: "Something else: leave it out"}
        ask = f"What is in {self.called(k)}?"
        answer = self.told.ask(f"column {k}", ask, every) if options else OUT
        if answer:
            self._settled.add(k)
        return frozenset({answer}) - {"", OUT}

    def _count_sites(self, means: list[frozenset[str]]) -> None:
        """Tell columns that count devices or places from those that name or hold them."""
        for k, title in enumerate(self.titles):
            if title.strip() in self.known or not words.several(title):
                continue
            if self._texts(k) and not any(m == {"name"} for j, m in enumerate(means) if j != k):
                means[k] = frozenset({"name"})
            if self._numeric(k):
                # 30 phones may be 30 sites, 30 records, or a site that is called 30.
                means[k] = self._asked(k, _COUNTED)

    def _which(self, field: str, claims: Sequence[int]) -> str:
        """Ask which column holds a field: its number, or `OUT`; empty while it is open."""
        options = {str(k): self.called(k) for k in claims}
        if len(claims) == 1:  # it need not be the one
            options[OUT] = "None of them"
        what = _PLAIN.get(field, words.TITLES.get(field, field))
        return self.told.ask(f"field {field}", f"Which column holds {what}?", options)

    def _mark_roles(self, columns: Sequence[int]) -> None:
        """Take the one column that tells targets from sources, if only one does."""
        found = [k for k in columns if not self.fields[k] and self._marks(k)]
        if len(found) == 1:
            self.fields[found[0]] = "role"

    def _find(self, field: str) -> None:
        """Find, ask for or refuse what every row needs and no title names."""
        asked = {question.key for question in self.told.questions}
        unprotected = field == "epsilon" and words.UNPROTECTED in self.fields
        if field in self.fields or f"field {field}" in asked or unprotected:
            return
        fits = [
            k
            for k, taken in enumerate(self.fields)
            if not taken
            and any(self._cells[k])
            and k not in self._settled
            and self._numeric(k) != (field == "name")
        ]
        if len(fits) == 1 and self._certain(field, *fits):
            self.fields[fits[0]] = field
            what = words.TITLES[field] if field != "name" else "the sites' names"
            self.told.notes.append(
                f"{self.began(fits[0])} is read as {what}: no other column can be."
            )
        elif any(key.startswith("column ") for key in asked):
            return  # whose answer may be this one
        elif fits:
            chosen = self._which(field, fits)
            if chosen == OUT:
                self._lacks(field)
            elif chosen:
                self.fields[int(chosen)] = field
        else:
            self._lacks(field)

    def _certain(self, field: str, k: int) -> bool:
        """Whether a column can be taken for a field because no other can be it."""
        if field == "name":
            return True
        kind = self._kind(k)
        if not any(self.titles):
            return kind not in ("none", "words")
        fits = {"n": ("n", "marked"), "epsilon": ("epsilon",)}.get(field, ())
        return kind in fits and not words.of_other(self.titles[k])

    def _lacks(self, field: str) -> None:
        refusal = DomainError(f"{field} is required.", field, Words("nothing"), "Header")
        self.told.refusals.append(refusal)

    def _by_content(self) -> None:
        filled = [k for k, cells in enumerate(self._cells) if any(cells)]
        numeric = [k for k in filled if self._numeric(k)]
        texts = [k for k in filled if k not in numeric]
        if "role" in self.known:
            self._mark_roles(texts)
        names = [k for k in texts if not self._marks(k)]
        if len(names) == 1:
            self.fields[names[0]] = "name"
        kinds = {k: self._kind(k) for k in numeric}
        rest = sorted(kind for kind in kinds.values() if kind != "delta")
        # A budget has decimals, or is small beside many records.
        decimals = rest.count("epsilon") == 1 and "none" not in rest
        if len(rest) == 2 and len(kinds) <= 3 and (decimals or rest == ["low", "n"]):
            budget = "epsilon" if decimals else "low"
            for k, kind in kinds.items():
                self.fields[k] = {"delta": "delta", budget: "epsilon"}.get(kind, "n")

    def _kind(self, k: int) -> str:
        """What a column of numbers without a title looks like."""
        filled = [cell for cell in self._cells[k] if cell]
        values = [s for s in map(shape_or_none, filled) if s is not None]
        if not values:
            return "words"
        words_too = any(map(words.unprotected, filled))
        high = max(s.value for s in values)
        # Records are whole; budgets need not be.
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
        return any(shape_or_none(cell) is not None for cell in cells) and all(
            _like_a_number(cell) or words.unprotected(cell) or words.blank(cell) for cell in cells
        )

    def _texts(self, k: int) -> bool:
        """Whether no cell of a column is like a number, and some are filled."""
        filled = [cell for cell in self._cells[k] if cell]
        return bool(filled) and not any(_like_a_number(c) or words.blank(c) for c in filled)

    def _marks(self, k: int) -> bool:
        """Whether a column marks the target among sources."""
        found = _plain(self._cells[k])
        marks = words.TARGETS | {"x", "✓", "✔"}
        return bool(found & marks) and found <= marks | words.SOURCES | words.NO

    def filled(self, k: int) -> bool:
        """Whether a column holds anything."""
        return bool(self.titles[k].strip()) or any(row[k].strip() for row in self.rows)

    def called(self, k: int) -> str:
        """A column as a reader finds it."""
        title = self.titles[k].strip()
        if title:
            return f"column {shown(title)[1:-1]!r}"
        first = next((cell for cell in self._cells[k] if cell), "")
        return f"column {k + 1} ({shown(first)[1:-1]}, ...)" if first else f"column {k + 1}"

    def began(self, k: int) -> str:
        """A column as a sentence begins with it."""
        called = self.called(k)
        return called[0].upper() + called[1:]


def shape_or_none(cell: str) -> Shape | None:
    """What a cell can mean as a number; None also for one outside floating point."""
    try:
        return shape(cell)
    except DomainError:
        return None


def _bare(cell: str) -> str:
    return cell if isinstance(cell, Exact) else cell.strip()


def _plain(cells: Sequence[str]) -> set[str]:
    return {words.plain(cell) for cell in cells}


def _like_a_number(cell: str) -> bool:
    """Whether a cell is a number, perhaps one that will be refused."""
    if any(c.isalpha() and c not in "eExX" for c in cell):
        return shape_or_none(cell) is not None
    return any(c.isdigit() for c in cell)
