"""The scope questions, what each theory needs, and what each answer breaks: data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its answers.

    Attributes:
        text: The question, in plain words.
        options: Answer key to answer in words.
        help: What the words mean.
        assumption: What the theories assume about it, in a few words.
    """

    text: str
    options: Mapping[str, str]
    help: str
    assumption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Theory:
    """A theory with the answers that it allows.

    Attributes:
        key: The paper's key.
        title: What it is about.
        needs: Per question the answers under which its theorems hold.
        told: Questions without whose answer nothing leads to it.
    """

    key: str
    title: str
    needs: Mapping[str, tuple[str, ...]]
    told: tuple[str, ...] = ()


QUESTIONS: Mapping[str, Question] = {
    "outcome": Question(
        text="What is predicted for a person?",
        options={"binary": "Yes or no", "continuous": "A measured number", "neither": "Neither"},
        help="Yes or no: ill or well, readmitted or not. A number: a dose, a blood pressure. "
        "Neither: a time to an event, a ranking, several outcomes at once.",
        assumption="kind of outcome",
    ),
    "covariates": Question(
        text="From how many measurements per person?",
        options={"one": "One", "few": "Two to five", "many": "More than five"},
        help="Measurements that the prediction uses, such as age or cholesterol.",
        assumption="number of covariates",
    ),
    "target": Question(
        text="For whose patients is the answer?",
        options={"one": "Those of one site", "shared": "All sites alike: one common relation"},
        help="One site: the others only help it. All alike: the same relation holds everywhere.",
        assumption="one target, or one common curve",
    ),
    "same_side": Question(
        text="Is a patient who is above 50% risk at one site above 50% everywhere?",
        options={"yes": "Yes", "no": "No"},
        help="Sites may differ in how far from 50% they put a patient, not in the direction.",
        assumption="same side of 50% everywhere",
    ),
    "prevalence": Question(
        text="How common is the outcome at the sites?",
        options={"same": "About equally common", "differs": "It differs"},
        help="The share of records with a yes. If you know the lowest and the highest share, "
        "give them.",
        assumption="same side of 50% everywhere",
    ),
    "records": Question(
        text="How many records or visits can one person have at a site?",
        options={"one": "One", "several": "Several"},
        help="Privacy here is promised per record.",
        assumption="one record per person",
    ),
    "overlap": Question(
        text="Can the same person be at two sites?",
        options={"no": "No", "yes": "Yes", "columns": "All are: each site holds one column"},
        help="For instance patients who were transferred. A column: one measurement of everybody.",
        assumption="no person at two sites",
    ),
    "estimand": Question(
        text="Is the answer a time to an event, or the effect of a treatment?",
        options={"no": "Neither", "survival": "A time to an event", "effect": "A treatment effect"},
        help="Survival with dropouts, or what would have happened under another treatment.",
        assumption="an outcome that is seen for every record",
    ),
    "protection": Question(
        text="Who protects the records?",
        options={
            "sites": "Every site its own",
            "open_source": "The target does; other data are open",
            "hybrid": "Volunteers trust a centre, others trust nobody",
        },
        help="Every site its own: a hospital sees its records and releases protected summaries. "
        "Open data need no protection. Volunteers: some people give their record to a trusted "
        "centre, all others protect it on their own device.",
        assumption="who protects the records",
    ),
}

USES: Mapping[str, str] = {  # who uses the result, with words for a list
    "target": "The target itself",
    "each": "Each site for itself",
    "others": "Others, without records",
}
KIND = ("outcome", "covariates", "target", "overlap", "protection")  # what kind of study it is
_SINGLE = {"records": ("one",), "overlap": ("no",), "estimand": ("no",)}
THEORIES = (
    Theory(
        key="ACC",
        title="a classifier for one site, helped by others",
        needs={
            "outcome": ("binary",),
            "covariates": ("one", "few"),
            "target": ("one",),
            "same_side": ("yes",),
            "prevalence": ("same",),
            **_SINGLE,
            "protection": ("sites", "open_source"),
        },
    ),
    Theory(
        key="CCV",
        title="one common curve, seen by all sites",
        needs={
            "outcome": ("continuous",),
            "covariates": ("one",),
            "target": ("shared",),
            **_SINGLE,
            "protection": ("sites",),
        },
    ),
    Theory(
        key="KS",
        title="volunteers who trust a centre stand in for a population that trusts nobody",
        needs={"outcome": ("binary",), "target": ("one",), **_SINGLE, "protection": ("hybrid",)},
    ),
    Theory(
        key="BCMM",
        title="open data adapted to one protected target",
        needs={
            "outcome": ("binary", "continuous"),
            "target": ("one",),
            **_SINGLE,
            "protection": ("open_source",),
        },
    ),
    Theory(
        key="DPLR",
        title="logistic regression with many covariates, sources chosen by their fit",
        needs={
            "outcome": ("binary",),
            "covariates": ("many",),
            "target": ("one",),
            **_SINGLE,
            "protection": ("sites",),
        },
    ),
    Theory(
        key="CAC",
        title="the correlation of two columns that two sites hold of the same people",
        needs={**_SINGLE, "overlap": ("columns",), "protection": ("sites",)},
        told=("overlap",),
    ),
)

SOURCES: Mapping[tuple[str, str], str] = {
    ("ACC", "same_side"): "[ACC] Definition 2.3",
    ("ACC", "prevalence"): "[ACC] Definitions 2.3, 2.6",
    ("ACC", "outcome"): "[ACC] Section 2",
    ("ACC", "target"): "[ACC] Section 2",
    ("CCV", "outcome"): "[CCV] Section 2",
    ("CCV", "covariates"): "[CCV] Section 2",
    ("CCV", "target"): "[CCV] Section 2",
    ("DPLR", "outcome"): "[DPLR] equation (11)",
    ("CAC", "overlap"): "[CAC] abstract",
    ("CAC", "protection"): "[CAC] abstract",
}

BREAKS: Mapping[tuple[str, str], str] = {
    ("outcome", "binary"): (
        "The theorem is about a measured outcome with bounded noise. For yes or no the same curve "
        "can be estimated, but the error of the decision at 50% is not what is bounded."
    ),
    ("outcome", "continuous"): (
        "There is no decision at 50% for a measured outcome, so neither the margin nor the "
        "signal exponents exist. Asking whether it exceeds a fixed value makes it yes or no."
    ),
    ("outcome", "neither"): (
        "The theorems here bound the error of a yes-or-no decision or of a curve of means. Nothing "
        "is said of other answers; one that is cut into yes or no is covered."
    ),
    ("covariates", "one"): (
        "One covariate is allowed, but this theory is made to choose among many coefficients; "
        "with one, the others say more."
    ),
    ("covariates", "few"): (
        "The number of covariates is not the one that this theory is stated for. The error of a "
        "freely shaped function of several covariates is larger than its rate says."
    ),
    ("covariates", "many"): (
        "Every further covariate lowers the exponent of the rate. With more than five a freely "
        "shaped classifier needs far more records than any site has; the rate is then close to "
        "1 and says little. A model with few coefficients is needed."
    ),
    ("target", "one"): (
        "The theorem assumes one curve that all sites share. With one target and sites that "
        "differ, a site that differs adds an error that more records do not remove."
    ),
    ("target", "shared"): (
        "The theorem bounds the error for one target only. With one common relation every site "
        "could be the target, and all signal exponents are 1."
    ),
    ("same_side", "no"): (
        "A source that puts a patient on the other side of 50% points the wrong way: no signal "
        "exponent describes it, and more of its records do harm. {alone} alone still has its "
        "rate; sources that keep the side still help."
    ),
    ("prevalence", "across"): (
        "A prevalence of {low} at one site and {high} at another: for patients who look alike the "
        "same side of 50% cannot be expected everywhere, so the assumption fails. If it is the "
        "patients who differ, the assumption of a common range of patients fails instead. "
        "{alone} alone still has its rate, and so have sites on its side of 50%."
    ),
    ("records", "several"): (
        "A budget ε protects one record, not a person. With {k} records a person is protected "
        "by {k} times ε only, which is weaker, and by a larger δ. Records of one person are "
        "alike, so n also counts more information than there is. One record per person, chosen "
        "at random, repairs both."
    ),
    ("overlap", "no"): (
        "The theory is about two sites with one column each of the same people. With people of "
        "their own, each site sees both columns and the others say more."
    ),
    ("overlap", "columns"): (
        "The theory asks every site for whole records of people of its own. From one column alone "
        "no site can see how it goes with another."
    ),
    ("overlap", "yes"): (
        "A person at two sites is in two releases, and the two budgets add up for that person. "
        "The sites' records are then not independent either. The promise per site still holds."
    ),
    ("estimand", "survival"): (
        "With people who drop out the outcome is not seen for every record, and no theorem here "
        "allows for that. Whether the event happens within a fixed time, where all are followed "
        "that long, is a yes-or-no outcome that is covered."
    ),
    ("estimand", "effect"): (
        "An effect compares what happens with what would have happened, and a record shows only "
        "one of them. No theorem here bounds that error. Each arm's curve by itself is covered."
    ),
    ("protection", "sites"): (
        "Every site protects its own records. This theory is about other promises: open data, or "
        "people who trust nobody."
    ),
    ("protection", "open_source"): (
        "The open data need no protection; this theory does not use that."
    ),
    ("protection", "hybrid"): (
        "People who trust nobody protect their record themselves. A site with many records under "
        "one budget is a weaker promise than that."
    ),
}
