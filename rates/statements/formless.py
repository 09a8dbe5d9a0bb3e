"""Why no formula is formed of a statement that a test tries: kinds, each with words that say so."""

from __future__ import annotations

FORMLESS = {
    "simulation": "It is about the results of runs, which no formula gives.",
    "data": "It is about counts in files or tables, which no formula gives.",
    "chance": "It bounds a chance or the best of all mechanisms; the test sums or solves it, and "
    "no closed form of it is at hand.",
    "course": "It is about a whole run of many rounds; the test plays them.",
    "risk": "It is about the risk of an estimator in one world; the test computes it.",
    "choice": "It is about which of several terms a program names; the terms are formulas "
    "of other entries.",
    "table": "It gathers cells that have entries and formulas of their own.",
    "example": "Our reading says that something may happen; the numbers of the counterexample show "
    "it.",
    "letter": "It puts one letter for another, or compares a number with its double, which leaves "
    "nothing to vary.",
    "minimum": "It is about where a function of many weights is least, or about its curvature; "
    "the test tries that on four records.",
}
