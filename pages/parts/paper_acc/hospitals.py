"""Tab "Hospitals": the paper's experiment on heart-disease files that a visitor brings."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from pages.figures import chart, simulation
from pages.figures.chart import words
from pages.parts.frame import claim_table, figure_card, tables
from pages.parts.live import Plan, Tabs, plan
from pages.parts.live import panel as live
from pages.parts.session import state
from rates.numbers import DomainError
from rates.study import decode
from sims.engine import Choice, Estimate, Progress, Request
from sims.paper_acc import (
    BASELINE,
    COVARIATES,
    LABEL,
    METRICS,
    RULES,
    SPLITS,
    Hospital,
    Setting,
    Wards,
    grid,
    hospital_claims,
    hospitals,
    read_hospital,
)

TAB = "hospitals"
KERNELS = {"triangular": "Triangular", "gaussian": "Gaussian"}
BASES = {"2": "Base 2", "e": "Natural logarithm"}
_BASE = {"2": 2.0, "e": math.e}
SPLIT = {"printed": "As printed", "composed": "Composed", "unsplit": "Not split"}
CENTRED = {"yes": "Centred by site", "no": "At one half"}
USUAL = plan(
    (
        Choice(name="kernel", options=tuple(KERNELS), default="triangular", help="The kernel K."),
        Choice(
            name="base",
            options=tuple(BASES),
            default="2",
            help="Base of the logarithm in the grid of bandwidths. The text's log, read as the "
            "natural one, leaves one bandwidth here.",
        ),
        Choice(
            name="split",
            options=tuple(SPLITS),
            default="printed",
            help="How each budget is divided over the bandwidths.",
        ),
        Choice(
            name="centred",
            options=tuple(CENTRED),
            default="yes",
            help="Whether each hospital's mean label is taken off its labels, as in the paper.",
        ),
    ),
    replicates=200,
)
SHORT = {
    **{name: text.split(":")[0] for name, text in RULES.items()},
    BASELINE: "Always “no disease”",
}
_MOST_FILES = 10
_TEST = 150


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        files = _files()
        sites = list(files.values())
        target = _target(sites)
        _controls(tabs)
    with right:
        if len(sites) < 2 or target is None:
            place.markdown(
                "Bring the files of at least **two hospitals** to repeat the paper's experiment "
                "of Section 6.2: one is the target, the others are its sources."
            )
            _format()
            return
        try:
            wards = _wards(target, tuple(s for s in sites if s is not target))
        except DomainError as error:
            place.markdown("These files cannot be used together.")
            st.error(words.plain(error))
            return
        _panel(tabs.plan(TAB), wards, files, place)
    _sites(sites, wards, tabs.plan(TAB))


@functools.lru_cache(maxsize=16)
def _read(data: bytes, name: str) -> Hospital:
    return read_hospital(decode(data, f"File of {name}"), name)


@functools.lru_cache(maxsize=8)
def _wards(target: Hospital, sources: tuple[Hospital, ...]) -> Wards:
    return hospitals.prepare(target, sources, test=_TEST)


def _files() -> dict[str, Hospital]:
    """Ask for files; return hospitals by file name, and say what is wrong with each file."""
    with st.popover("Bring the files", icon=":material/upload_file:"):
        given = st.file_uploader(
            "One file per hospital (UCI heart disease format)",
            type=["data", "csv", "txt"],
            accept_multiple_files=True,
            key="hospital_files",
            on_change=state.touch,
            help="processed.hungarian.data and the like. Files are read in memory for this session "
            "and are not stored.",
        )
    if len(given) > _MOST_FILES:
        st.error(f"At most {_MOST_FILES} files; the first {_MOST_FILES} are used.")
    sites: dict[str, Hospital] = {}
    for file in given[:_MOST_FILES]:
        name = _name(file.name)
        try:
            site = _read(file.getvalue(), name)
        except DomainError as error:
            st.error(f"**{words.md(file.name)}**: {words.plain(error)}")
            continue
        if any(site.name == other.name for other in sites.values()):
            st.error(f"**{words.md(file.name)}**: a file of this name is already there.")
        else:
            sites[file.name] = site
    return sites


def _name(file: str) -> str:
    """A hospital's name from its file's.

    >>> _name("processed.hungarian.data"), _name(".csv")
    ('hungarian', 'file')
    """
    parts = [part for part in file.split(".")[:-1] if part and part != "processed"]
    return " ".join(parts)[:40] or "file"


def _target(sites: Sequence[Hospital]) -> Hospital | None:
    if not sites:
        return None
    names = [site.name for site in sites]
    usual = next((k for k, name in enumerate(names) if "hung" in name.lower()), 0)
    chosen = st.selectbox(
        "Target hospital",
        names,
        index=usual,
        key=f"hospital_target_{'_'.join(names)}",
        on_change=state.touch,
    )
    return next(site for site in sites if site.name == chosen)


def _controls(tabs: Tabs) -> None:
    tabs.choice(TAB, "kernel", "Kernel", KERNELS)
    tabs.choice(TAB, "base", "Grid of bandwidths", BASES)
    tabs.select(TAB, "split", "Budget over bandwidths", SPLIT)
    tabs.choice(TAB, "centred", "Labels", CENTRED)
    st.caption(f"Budget over bandwidths: {SPLITS[str(tabs.plan(TAB).values['split'])]}.")
    tabs.repetition(TAB, most=1_000)
    tabs.refusal()


def _setting(asked: Plan) -> Setting:
    values = asked.values
    return Setting(
        kernel=values["kernel"],
        base=_BASE[values["base"]],
        split=values["split"],
        centred=values["centred"] == "yes",
    )


def _panel(
    asked: Plan,
    wards: Wards,
    files: Mapping[str, Hospital],
    place: st.delta_generator.DeltaGenerator,
) -> None:
    setting = _setting(asked)
    other = next(base for base in BASES if base != asked.values["base"])
    beside = {BASES[other]: replace(setting, base=_BASE[other])}
    request = Request(
        experiment=hospitals.experiment(wards, setting, beside=beside),
        replicates=asked.replicates,
        seed=asked.seed,
    )
    live.panel(
        live.Job(
            key="classification_hospitals",
            request=request,
            answer=answer,
            draw=draw,
            repeat=_code(files, wards, setting, beside, request),
        ),
        place,
    )
    st.warning(
        "**Not private end to end**, however small ε is. Scaling uses the smallest and largest "
        "values of all records; re-centring uses each hospital's mean label; the kernel was "
        "chosen by looking. The added noise pays for none of this. It is set by the budget "
        "((ε, δ) per hospital, replace one record, δ = 1/n²), yet what it amounts to may be more "
        "or less than that ε: see “What the budget amounts to”."
        + " Not split, every bandwidth spends the whole budget anew."
        * (setting.split == "unsplit")
    )


def _code(
    files: Mapping[str, Hospital],
    wards: Wards,
    setting: Setting,
    beside: Mapping[str, Setting],
    request: Request,
) -> str:
    """Lines of Python that repeat the run."""
    file_of = {site.name: file for file, site in files.items()}
    names = {file_of[name]: name for name in wards.names}
    others = ", ".join(f"{name!r}: {_called(other)}" for name, other in beside.items())
    return (
        "from pathlib import Path\n"
        "from sims import files, heart, hospitals\n"
        "from sims.experiment import Request\n"
        "from sims.run import run\n\n"
        "# File and hospital, target first; put the files beside this script.\n"
        f"names = {names!r}\n"
        "texts = {name: Path(file).read_text('utf-8') for file, name in names.items()}\n"
        "sites = [heart.read_hospital(text, name) for name, text in texts.items()]\n"
        f"wards = hospitals.prepare(sites[0], sites[1:], test={wards.test})\n"
        f"setting = {_called(setting)}\n"
        f"beside = {{{others}}}\n"
        "experiment = hospitals.experiment(wards, setting, beside=beside)\n"
        f"request = Request(experiment=experiment, replicates={request.replicates}, "
        f"seed={request.seed})\n"
        "*_, last = run(request)\n"
        "print(files.to_csv(last), end='')\n"
    )


def _called(setting: Setting) -> str:
    return f"hospitals.{setting}".replace("inf", "float('inf')")


def _curves(progress: Progress, metric: str) -> dict[str, tuple[list[float], list[Estimate]]]:
    """Budgets and estimates of one score, by the rule's short name."""
    out: dict[str, tuple[list[float], list[Estimate]]] = {}
    for point, found in zip(progress.request.points, progress.estimates, strict=True):
        if point.settings["metric"] == metric and not point.settings["variant"]:
            xs, estimates = out.setdefault(SHORT[str(point.settings["rule"])], ([], []))
            xs.append(point.x)
            estimates.append(found)
    return out


def answer(progress: Progress) -> str:
    """Return the finding so far as a sentence."""
    if not progress.done:
        return "The files are read. **Run** repeats the experiment on random test sets."
    curves = _curves(progress, METRICS[0])
    parts = []
    for place in (1, 3):  # epsilon 1 and 4
        found = {name: estimates[place] for name, (_, estimates) in curves.items()}
        epsilon = next(iter(curves.values()))[0][place]
        base = found.pop(SHORT[BASELINE])
        if any(e.replicates < 2 for e in [base, *found.values()]):
            continue
        best = max(found, key=lambda name: found[name].mean)
        parts.append(
            f"at ε = {words.number(epsilon)} the highest mean is that of {best}, right for "
            f"**{_share(found[best])}** of test records, always saying “no disease” for "
            f"**{_share(base)}**"
        )
    counts = words.span(str(min(progress.counts)), str(max(progress.counts)))
    return (
        f"After **{counts}** random test sets: {'; '.join(parts)}."
        if parts
        else ("The first test sets are being scored.")
    )


def _share(found: Estimate) -> str:
    return words.around(found, lambda x: f"{100 * x:.1f} %")


def draw(progress: Progress) -> None:
    """Draw both scores over the budget."""
    panels = {metric: _curves(progress, metric) for metric in METRICS}
    drawn = chart.Drawn(
        figure=simulation.budget_figure(
            {"Accuracy": panels["accuracy"], "F1": panels["F1"]},
            title="Accuracy and F1 on held-out records, with 95 % intervals",
            plain=(SHORT[BASELINE]),
        ),
        alt="Accuracy against the budget. " + simulation.told(panels["accuracy"]),
        rows=simulation.panel_rows({"Accuracy": panels["accuracy"], "F1": panels["F1"]}),
        name="sites",
        caption="Every rule sees the same test sets and noise paths, so differences between curves "
        "are "
        "surer than the bars suggest. The intervals speak of these files alone, not of other "
        "patients. F1 is about the label “disease”.",
    )
    figure_card.show(drawn, key="figure_classification_hospitals")
    if min(progress.counts) >= 2:
        claim_table.show(hospital_claims(progress))
        _grids(progress)


def _grids(progress: Progress) -> None:
    """Accuracies on both grids of bandwidths, side by side."""
    found: dict[tuple[str, str], dict[float, Estimate]] = {}
    for point, estimate in zip(progress.request.points, progress.estimates, strict=True):
        rule, variant = str(point.settings["rule"]), str(point.settings["variant"])
        if point.settings["metric"] == METRICS[0] and rule in RULES:
            found.setdefault((rule, variant), {})[point.x] = estimate
    other = next(variant for _, variant in found if variant)
    names = {"": next(name for name in BASES.values() if name != other), other: other}
    st.header("Both grids of bandwidths")
    columns: dict[str, list[str]] = {
        "Rule": [SHORT[rule] for rule, _ in found],
        "Grid": [names[variant] for _, variant in found],
    }
    for x in next(iter(found.values())):
        head = "No privacy" if math.isinf(x) else f"ε = {words.number(x)}"
        columns[head] = [_share(row[x]) for row in found.values()]
    tables.wide(columns, alt="Accuracy by rule, grid of bandwidths and budget")


def _sites(sites: Sequence[Hospital], wards: Wards, asked: Plan) -> None:
    """What was read, what re-centring does, and what the budget amounts to."""
    by_name: Mapping[str, Hospital] = {site.name: site for site in sites}
    ordered = [by_name[name] for name in wards.names]
    factors = [hospitals.centred_sensitivity(site.prevalence) for site in ordered]
    st.header("The hospitals")
    tables.wide(
        {
            "Hospital": [f"{s.name}{' (target)' * (k == 0)}" for k, s in enumerate(ordered)],
            "Rows in the file": [f"{site.rows:,}" for site in ordered],
            "Used for training": [f"{n:,}" for n in wards.sizes],
            "Prevalence": [f"{100 * site.prevalence:.1f} %" for site in ordered],
            "Sensitivity after re-centring": [f"× {words.number(x)}" for x in factors],
        },
        alt="Records and prevalence by hospital",
    )
    for note in wards.notes:
        st.caption(words.md(note))
    st.markdown(
        "**Re-centring** takes the hospital's own prevalence off its labels. Without it a "
        "hospital with 93 % disease pulls every answer towards disease. It costs privacy: one "
        "record then moves the statistic by up to √2 max(p, 1 − p), and its mean label p is "
        "itself computed from the records, which is not paid for at all."
    )
    _effective(wards, factors, asked)


def _effective(wards: Wards, factors: Sequence[float], asked: Plan) -> None:
    """The budget that the added noise really gives, by site."""
    st.header("What the budget amounts to")
    setting = _setting(asked)
    centred = factors if setting.centred else [1.0] * len(factors)
    columns = {"Hospital": [*wards.names, "Scaling, all hospitals"]}
    grids = {}
    for epsilon in (e for e in hospitals.EPSILONS if math.isfinite(e)):
        rows = hospitals.servers(wards, epsilon)
        found = grids[epsilon] = grid(rows, len(COVARIATES), base=setting.base)
        reached = [
            hospitals.effective_epsilon(
                epsilon, row.delta or 0.5, factor, bandwidths=found.size, split=setting.split
            )
            for row, factor in zip(rows, centred, strict=True)
        ]
        columns[f"ε = {words.number(epsilon)}"] = [words.number(x) for x in [*reached, math.inf]]
    tables.wide(columns, alt="Effective epsilon by hospital and nominal epsilon")
    sizes = sorted(found.size for found in grids.values())
    many = f"{words.span(str(sizes[0]), str(sizes[-1]))} bandwidth{'s' * (sizes[-1] > 1)}"
    known = "The larger sensitivity after re-centring is included, p taken as public. "
    st.caption(
        "The ε that all of a hospital's releases give together at δ = 1/n², one per bandwidth, "
        "composed as Gaussian mechanisms; budget over bandwidths: "
        f"{SPLITS[setting.split]}. {known * setting.centred}The grid has {many}: "
        f"{', '.join(words.number(h) for h in grids[1.0].bandwidths)}"
        f"{' at ε = 1' * (sizes[0] < sizes[-1])}. "
        "A value above the nominal ε means too little noise, one below it more than needed."
    )
    st.markdown(
        "**Scaling has no finite ε.** The exact smallest and largest values are used without "
        "noise, and whoever classifies a new record has to know them. Replacing one record by an "
        "extreme one changes them and with them every scaled value, so the two data sets are told "
        "apart with certainty: no finite ε with δ < 1 covers that."
    )


def _format() -> None:
    st.info(
        f"Fourteen columns per file, with or without names, of which {', '.join(COVARIATES)} and "
        f"the label {LABEL} (0 for no disease, 1 to 4 for disease) are used. Separators may be "
        "commas, semicolons, tabs or blanks; ? and -9 are missing. The four files of the UCI "
        "repository (Cleveland, Hungary, Switzerland, Long Beach) have this format; they are not "
        "part of this app."
    )
