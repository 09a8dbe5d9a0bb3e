"""One standard for words that can be read in two ways, applied to every entry of the ledger."""

from __future__ import annotations

STANDARD = {
    "of order": "holds up to a constant that no number of records, sites or budgets enters; only "
    "a ratio that grows without bound, as a power, contradicts it. Logarithms count where the "
    "paper says that there is none.",
    "maximises": "is read up to such a constant in a sentence about a rate, and literally where "
    "it defines what an algorithm returns.",
    "for all": "is read on the whole set that the paper states, its ends included. What fails at "
    "an end or for large budgets alone lacks a condition; a remark beside a theorem that fails "
    "only so is a literal reading.",
    "simulated": "results contradict nothing. Where a run of ours comes out otherwise, they were "
    "not reproduced at our settings, which stand beside them with their intervals.",
}
