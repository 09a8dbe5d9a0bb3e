"""Which column of a table is which: by its title, by its content, or by an answer."""

from __future__ import annotations

from collections.abc import Sequence

from rates.numbers import DomainError, Exact, Shape, Words, shape, shown
from rates.rows import words
from rates.rows.records import Told

OUT = "out"  # the answer that leaves a column out
_PLAIN = {"n": "how many records a site has", "epsilon": "the privacy budgets", "name": "the sites"}
_ALIKE = "How many identical sites a row stands for"
_LOOKED_AT = 200  # rows by which the content of a column is judged


class Columns:
    """Columns of a table while they are being understood.

    Attributes:
        fields: By number of a column, what it is read as; empty if it is left out.
        units: What the sites are called where a column counts them and none names them.
    """

    def __init__(
        self,
        titles: Sequence[str],
        rows: Sequence[Sequence[str]],
        known: Sequence[str],
        required: Sequence[str],
        told: Told,
    ) -> None:
        self.titles, self.known, self.required, self.told = titles, known, required, told
        self.fields = [""] * len(titles)
        self.units = ""
        self._cells = [[_bare(row[k]) for row in rows[:_LOOKED_AT]] for k in range(len(titles))]
        self._rows = rows
        self._settled: set[int] = set()  # columns of which a visitor said what they are

    def understand(self) -> None:
        """Understand the columns by their titles; of a table without one, by what they hold."""
        if any(self.titles):
            self._by_title()
        else:
            self._by_content()
        self._missing()

    def _by_title(self) -> None:
        means = [self._means(k) for k in range(len(self.titles))]
        sure = {next(iter(m)) for m in means if len(m) == 1}
        for k, possible in enumerate(means):
            if possible == {"n", "count"}:
                if "n" not in sure and means.count(possible) == 1:
                    means[k] = frozenset({"n"})
                else:
                    options = {"n": words.TITLES["n"], "count": _ALIKE}
                    options = {f: t for f, t in options.items() if f not in sure}
                    means[k] = self._asked(k, options)
        self._count_units(means)
        for field in self.known:
            claims = [k for k, m in enumerate(means) if m == {field}]
            titles = [self.titles[k].strip() for k in claims]
            if len(claims) > 1 and len(set(titles)) < len(titles):
                rule = "A column may appear once only."
                self.told.refusals.append(DomainError(rule, field, titles[0], "Header"))
                claims = claims[:1]
            if len(claims) > 1:
                claims = [k for k in claims if not words.weak(self.titles[k])] or claims
            if len(claims) > 1:
                chosen = self._which(field, claims)
                claims = [int(chosen)] if chosen else []
            for k in claims:
                self.fields[k] = field
        if "role" in self.known and "role" not in self.fields:
            self._role_by_content()

    def _asked(self, k: int, options: dict[str, str]) -> frozenset[str]:
        """Ask what a column is; nothing until it is answered."""
        every = {**options, OUT: "Something else: leave it out"}
        text = f"What is in {self.called(k)}?"
        answer = self.told.ask(f"column {k}", text, every) if options else OUT
        if answer:
            self._settled.add(k)
        return frozenset({answer}) - {"", OUT}

    def _count_units(self, means: list[frozenset[str]]) -> None:
        """Tell columns that count devices, persons or places from those that name or hold them."""
        counted = {words.several(t) for k, t in enumerate(self.titles) if self._numeric(k)} - {""}
        for k, title in enumerate(self.titles):
            unknown = not means[k] and not words.of_other(title) and self._numeric(k)
            if unknown and words.per(title) in counted:
                means[k] = self._asked(k, {"n": f"{words.TITLES['n']}, of each"})
        each = {words.per(t): k for k, t in enumerate(self.titles) if "n" in means[k]}
        budget = {words.per(t) for t, m in zip(self.titles, means, strict=True) if "epsilon" in m}
        named = [k for k, m in enumerate(means) if m == {"name"}]
        for k, title in enumerate(self.titles):
            unit = words.several(title) or words.one(title)
            if not unit or each.get(unit) == k or title.strip() in self.known:
                continue
            others = [j for j in named if j != k]
            if not self._numeric(k) or words.one(title):
                names = self._texts(k) or (self._numeric(k) and unit in each)
                means[k] = frozenset({"name"}) if names and not others else means[k]
            elif unit in each:
                alone = unit not in budget if others else self._numbered(k)
                means[k] = self._counted(k, unit, sure=not alone, named=bool(others))
                if means[k] == {"n"}:
                    means[each[unit]] = frozenset()
            elif len(title.split()) == 1 and self._may_count(k, unit, others):
                sure = any(m == {"n"} for m in means)
                options = {} if sure else {"n": words.TITLES["n"]}
                means[k] = self._asked(k, {"count": _ALIKE, **options})
            if means[k] == {"count"}:
                self.told.notes.append(
                    f"{self.began(k)} says how many such sites a row stands for, "
                    "each with the records and the budget of its row."
                )

    def _counted(self, k: int, unit: str, *, sure: bool, named: bool) -> frozenset[str]:
        """What a column is that counts what another one says the records of each of."""
        if named and unit == words.PERSON and not sure:
            return self._asked(k, {"count": _ALIKE, "n": "Records n: a site has one of each"})
        if not named and not sure:
            return self._asked(k, {"count": _ALIKE, "name": "Numbers that name the sites"})
        return frozenset({"count"})

    def _may_count(self, k: int, unit: str, named: Sequence[int]) -> bool:
        """Whether a column may count sites though no other says what each has."""
        texts = [j for j in range(len(self.titles)) if j != k and self._texts(j)]
        others = "name" in self.known and bool(named or len(texts) == 1)
        return unit == words.DEVICE or (unit == words.PLACE and others)

    def _numbered(self, k: int) -> bool:
        """Whether a column counts its rows from 1, as names may."""
        rows = [str(row + 1) for row in range(len(self._cells[k]))]
        return len(rows) > 1 and self._cells[k] == rows

    def _texts(self, k: int) -> bool:
        """Whether no cell of a column is like a number, and some are filled."""
        filled = [cell for cell in self._cells[k] if cell]
        return bool(filled) and not any(_like_a_number(c) or words.blank(c) for c in filled)

    def _which(self, field: str, claims: Sequence[int]) -> str:
        """Ask which column holds a field: its number, or `OUT`; empty while it is open."""
        options = {str(k): self.called(k) for k in claims}
        if len(claims) == 1:  # it need not be the one
            options[OUT] = "None of them"
        what = _PLAIN.get(field, words.TITLES.get(field, field))
        return self.told.ask(f"field {field}", f"Which column holds {what}?", options)

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
        for field in self.required:
            asked = {q.key for q in self.told.questions}
            if field in self.fields or f"field {field}" in asked:
                continue
            if field == "epsilon" and words.UNPROTECTED in self.fields:
                continue
            left = [k for k, f in enumerate(self.fields) if not f and any(self._cells[k])]
            fits = [
                k for k in left if k not in self._settled and self._numeric(k) != (field == "name")
            ]
            open_ = any(key.startswith("column ") for key in asked)
            counts = [
                k
                for k, f in enumerate(self.fields)
                if f == "count" and field == "n" and words.of_number(self.titles[k])
            ]
            if len(fits) + len(counts) == 1 and self._certain(field, *fits, *counts):
                self.fields[(fits + counts)[0]] = field
                what = words.TITLES[field] if field != "name" else "the sites' names"
                self.told.notes.append(
                    f"{self.began((fits + counts)[0])} is read as {what}: no other column can be."
                )
            elif open_:
                continue
            elif fits or counts:
                self._choose(field, fits, counts)
            elif field == "name" and (units := self._counted_units()):
                self.units = units
            else:
                self._lacks(field)

    def _counted_units(self) -> str:
        """Title of the column that counts devices, persons or places, if one does."""
        counts = [t for t, f in zip(self.titles, self.fields, strict=True) if f == "count"]
        return next((title.strip() for title in counts if words.several(title)), "")

    def _certain(self, field: str, k: int) -> bool:
        """Whether a column can be taken for a field because no other can be it."""
        if field == "name" or self.fields[k] == "count":
            return True
        kind = self._kind(k)
        if not any(self.titles):
            return kind not in ("none", "words")
        fits = {"n": ("n", "marked"), "epsilon": ("epsilon",)}.get(field, ())
        return kind in fits and not words.of_other(self.titles[k])

    def _choose(self, field: str, fits: Sequence[int], counts: Sequence[int]) -> None:
        """Take the column that is chosen for a field; a count among them may be one of records."""
        for k in counts:
            self.fields[k] = ""
        chosen = self._which(field, [*fits, *counts])
        for k in counts if chosen else ():
            self.fields[k] = "count"
        if chosen == OUT:
            self._lacks(field)
        elif chosen:
            self.fields[int(chosen)] = field

    def _lacks(self, field: str) -> None:
        refusal = DomainError(f"{field} is required.", field, Words("nothing"), "Header")
        self.told.refusals.append(refusal)

    def _by_content(self) -> None:
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
        filled = [cell for cell in self._cells[k] if cell]
        values = [s for s in map(shape_or_none, filled) if s is not None]
        if not values:
            return "words"
        words_too = any(map(words.unprotected, filled))
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
            _like_a_number(cell) or words.unprotected(cell) or words.blank(cell) for cell in cells
        )

    def _marks(self, k: int) -> bool:
        """Whether a column marks the target among sources."""
        found = {words.plain(cell) for cell in self._cells[k]}
        marks = words.TARGETS | {"x", "✓", "✔"}
        return bool(found & marks) and found <= marks | words.SOURCES | words.NO

    def filled(self, k: int) -> bool:
        """Whether a column holds anything."""
        return bool(self.titles[k].strip()) or any(row[k].strip() for row in self._rows)

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


def _like_a_number(cell: str) -> bool:
    """Whether a cell is a number, perhaps one that will be refused."""
    if any(c.isalpha() and c not in "eExX" for c in cell):
        return shape_or_none(cell) is not None
    return any(c.isdigit() for c in cell)
