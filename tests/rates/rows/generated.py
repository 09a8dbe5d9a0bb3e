"""Tables as people might paste them, made from rows that are known, in a style drawn at random."""

from __future__ import annotations

import csv
import io
import math
import random
from dataclasses import dataclass

LANGUAGES = {
    "en": {
        "name": ["Hospital", "Site", "Name", "Clinic name", "Institution", "Study site", "Centre"],
        "n": ["Patients", "Records", "N", "n", "Sample size", "No. of patients", "Records n"],
        "epsilon": ["Epsilon", "Budget", "Privacy budget", "eps", "ε", "Budget ε", "Budget (ε)"],
        "delta": ["Delta", "δ", "delta"],
        "role": ["Role", "Target", "Target site"],
        "signal_exponent": ["Signal γ", "gamma", "Signal exponent"],
        "count": ["Count", "Number of sites"],
        "target": ["target", "Target", "yes", "x", "X", "true"],
        "none": ["none", "-", "∞", "unprotected", "public", "inf"],
        "total": ["Total", "Sum", "All sites", "Overall"],
        "extra": ["City", "Country", "Year", "Contact", "ID", "Cost (€)"],
    },
    "de": {
        "name": ["Krankenhaus", "Klinik", "Standort", "Zentrum", "Einrichtung", "Bezeichnung"],
        "n": ["Patienten", "Datensätze", "Fallzahl", "Anzahl Patienten", "Stichprobengröße"],
        "epsilon": ["Epsilon", "Budget", "Privatheitsbudget", "ε", "Datenschutz-Budget"],
        "delta": ["Delta", "δ"],
        "role": ["Rolle", "Ziel", "Zielstandort"],
        "signal_exponent": ["Signalexponent", "Gamma", "γ"],
        "count": ["Anzahl Standorte", "Vielfachheit"],
        "target": ["Ziel", "ja", "x", "✓"],
        "none": ["keine", "-", "∞", "ungeschützt", "öffentlich", "ohne"],
        "total": ["Summe", "Gesamt", "Insgesamt", "Alle Standorte"],
        "extra": ["Stadt", "Bundesland", "Jahr", "Ansprechpartner", "Lfd. Nr.", "Kosten (EUR)"],
    },
    "fr": {
        "name": ["Hôpital", "Nom", "Centre", "Établissement", "Clinique", "Nom de l'hôpital"],
        "n": ["Patients", "Effectif", "Nombre de patients", "Enregistrements", "Échantillon"],
        "epsilon": ["Epsilon", "Budget", "Budget de confidentialité", "ε"],
        "delta": ["Delta", "δ"],
        "role": ["Rôle", "Cible"],
        "signal_exponent": ["Exposant du signal", "gamma"],
        "count": ["Nombre de sites", "Multiplicité"],
        "target": ["cible", "oui", "x"],
        "none": ["aucun", "-", "∞", "non protégé", "public", "sans"],
        "total": ["Total", "Somme", "Ensemble"],
        "extra": ["Ville", "Pays", "Année", "Responsable", "Code", "Coût"],
    },
    "es": {
        "name": ["Hospital", "Nombre", "Centro", "Sitio", "Clínica", "Nombre del hospital"],
        "n": ["Pacientes", "Registros", "Número de pacientes", "Casos", "Tamaño de muestra"],
        "epsilon": ["Épsilon", "Presupuesto", "Presupuesto de privacidad", "ε"],
        "delta": ["Delta", "δ"],
        "role": ["Rol", "Objetivo"],
        "signal_exponent": ["Exponente de señal", "gamma"],
        "count": ["Número de centros", "Multiplicidad"],
        "target": ["objetivo", "sí", "x"],
        "none": ["ninguno", "-", "∞", "sin protección", "público"],
        "total": ["Total", "Suma", "Todos"],
        "extra": ["Ciudad", "País", "Año", "Responsable", "Código", "Coste"],
    },
}
NAMES = [
    *("Nord", "Süd", "St. Mary's", "München, Klinikum", "Hôpital Saint-Louis", "A", "B", "Oslo"),
    *("La Paz; planta 2", 'Haus "Ost"', "Total Care Clinic", "Klinik 3", "Ward\n7", "n", "Ziel 1"),
    *("Universitätsklinikum Köln", "Reg. 12", "R&D", "Charité | Mitte", "Santé 2000", "Sum Hill"),
]
BUDGETS = [0.1, 0.3, 0.5, 0.25, 0.75, 1, 1.5, 2, 3, 4, 8, 10, 0.125, 2.5, 1.125, 2.375, 12.5]
COUNTED = ("Year", "Jahr", "Année", "Año", "ID", "Lfd. Nr.", "Code", "Código")
PRICED = ("Cost (€)", "Kosten (EUR)", "Coût", "Coste")
APP = {  # the app's own titles
    **{"name": "Site", "n": "Records n", "epsilon": "Budget ε", "delta": "δ"},
    **{"signal_exponent": "Signal γ", "count": "Count", "role": "Target"},
}
DELTAS = [1e-6, 1e-5, 1e-7, 0.000001, 0.0001]


@dataclass(frozen=True)
class Paste:
    """A text, what it means, and whether it can be read at all."""

    text: str
    rows: tuple[tuple[str, int, float, float | None, float, int], ...]
    target: int
    readable: bool


def _grouped(value: int, mark: str) -> str:
    return f"{value:,}".replace(",", mark)


def _decimal(value: float, mark: str, digits: int | None = None) -> str:
    text = f"{value:.{digits}f}" if digits is not None else f"{value:.10f}".rstrip("0").rstrip(".")
    return text.replace(".", mark)


class _Table:
    """One table while it is drawn."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.words = LANGUAGES[lang := rng.choice(list(LANGUAGES))]
        self.point = "." if lang == "en" or rng.random() < 0.2 else ","
        self.separator = rng.choice(["\t", "\t", "\t", ";", ";", ","])
        other = "," if self.point == "." else "."
        self.group = rng.choice(["", "", " ", "\u202f", "\u00a0", "'", other])
        if rng.random() < 0.02:  # one mark for both, by a careless hand
            self.group = self.point
        self.header = rng.random() < 0.85
        self.percent = rng.random() < 0.03
        self.names = rng.sample(NAMES, rng.choice([1, 2, 3, 4, 5, 7, 12]))
        usual = (5, 58, 240, 77, 900, 1000, 2000, 12000)
        self.numbers = [rng.choice([*usual, rng.randrange(20, 10**6)]) for _ in self.names]
        self.budgets = [rng.choice(BUDGETS) for _ in self.names]
        self.hidden = [rng.random() < 0.12 for _ in self.names]
        self.target = rng.randrange(len(self.names))
        self._fields()

    def _fields(self) -> None:
        """Which columns there are, in which order, and what the optional ones hold."""
        rng, self.fields = self.rng, ["name", "n", "epsilon"]
        chances = {"delta": 0.4, "signal_exponent": 0.2, "count": 0.15, "extra": 0.2}
        for field, chance in chances.items():
            if rng.random() < chance and (self.header or field == "delta"):
                self.fields.append(field)
        self.marked = rng.random() < (0.6 if self.header else 0.2)
        self.fields += ["role"] * self.marked
        if rng.random() < 0.5:
            rng.shuffle(self.fields)
        drawn = {
            "delta": [*DELTAS, None],
            "signal_exponent": [1, 0.8, 1.2, 0.5],
            "count": [1, 1, 3],
        }
        usual = {"delta": None, "signal_exponent": 1, "count": 1}
        self.more = {}
        for field, values in drawn.items():
            column = [rng.choice(values) for _ in self.names]
            there = field in self.fields
            self.more[field] = column if there else [usual[field]] * len(self.names)
        self.more["count"][self.target] = 1
        if self.marked:
            self.more["signal_exponent"][self.target] = 1

    def _small(self, value: float | None, power: str) -> str:
        if value is None or power == "plain":
            return "" if value is None else _decimal(value, self.point)
        return f"{value:.0e}" if power == "e" else f"10^-{round(-math.log10(value))}"

    def _extra(self, k: int, title: str) -> str:
        if title in COUNTED:
            return str(2000 + k)
        return _grouped(12400 + 7 * k, self.group) if title in PRICED else f"town {k}"

    def lines(self, title: str) -> list[dict[str, str]]:
        """The rows as text; ``title`` is that of the extra column."""
        rng, size = self.rng, len(self.names)
        digits = 3 if rng.random() < 0.05 else None
        word, sign = rng.choice(self.words["none"]), rng.choice(self.words["target"])
        power = rng.choice(["plain", "e", "10^"])
        budgets = [_decimal(budget, self.point, digits) for budget in self.budgets]
        table = [
            {
                "name": self.names[k],
                "n": _grouped(self.numbers[k], self.group),
                "epsilon": word if self.hidden[k] else budgets[k],
                "delta": self._small(self.more["delta"][k], power),
                "signal_exponent": _decimal(self.more["signal_exponent"][k], self.point),
                "count": str(self.more["count"][k]),
                "role": sign if k == self.target else "",
                "extra": self._extra(k, title),
            }
            for k in range(size)
        ]
        if self.percent:
            table[rng.randrange(size)]["epsilon"] = rng.choice(["30 %", "30%", "0,3 %"])
        if size > 1 and rng.random() < 0.2:
            total = {"name": rng.choice(self.words["total"])}
            total["n"] = _grouped(sum(self.numbers), self.group)
            table.append(dict.fromkeys(table[0], "") | total)
        return table

    def titles(self, extra: str) -> dict[str, str]:
        """The header by field."""
        titles = {f: self.rng.choice(self.words[f]) for f in self.fields if f != "extra"}
        if self.rng.random() < 0.2:
            titles = {field: title.upper() for field, title in titles.items()}
        if self.rng.random() < 0.1:
            titles["n"] += self.rng.choice([":", "*", " (n)"])
        if self.rng.random() < 0.1:
            titles = dict(APP)
        return titles | {"extra": extra}


def paste(seed: int) -> Paste:
    """Draw one table."""
    drawn = _Table(seed)
    extra = drawn.rng.choice(drawn.words["extra"])
    table, titles, fields = drawn.lines(extra), drawn.titles(extra), drawn.fields
    lines = [[titles[f] for f in fields]] * drawn.header + [[r[f] for f in fields] for r in table]
    budgets = [
        math.inf if hidden else budget
        for hidden, budget in zip(drawn.hidden, drawn.budgets, strict=True)
    ]
    names = [" ".join(name.split()) for name in drawn.names]
    rows = tuple(zip(names, drawn.numbers, budgets, *drawn.more.values(), strict=True))
    text = _written(lines, drawn.separator, drawn.rng)
    return Paste(text=text, rows=rows, target=drawn.target, readable=not drawn.percent)


def _written(lines: list[list[str]], separator: str, rng: random.Random) -> str:
    end = rng.choice(["\n", "\n", "\r\n"])
    out = io.StringIO()
    quoting = csv.QUOTE_ALL if rng.random() < 0.1 else csv.QUOTE_MINIMAL
    csv.writer(out, delimiter=separator, quoting=quoting, lineterminator=end).writerows(lines)
    text = out.getvalue()
    if rng.random() < 0.1:  # a line between rows, and one above them
        text = text.replace(end, end + end, 1)
    if rng.random() < 0.1 and len(lines[0]) > 2:
        text = f"{rng.choice(['Partners 2024', 'Tabelle 1', 'Our sites'])}{end}{text}"
    return rng.choice(["", "", "\ufeff"]) + text + end * rng.choice([0, 1, 3])
