"""Tab "Hospitals": the paper's experiment on heart-disease files that a visitor brings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from pages.charts import number, simulation, span, words
from pages.classification import common, paper
from pages.core import Block, Menu, Note, Switch, blocks, files, held, menu, of_visitor
from pages.core.live import Missing, Open, Plan, plan, repeat_lines, repetition
from rates.numbers import DomainError
from sims import acc as sim
from sims.engine import Progress, Request, Values

SHORT: dict[str, str] = {
    **{name: text.split(":")[0] for name, text in sim.ADAPTIVE_RULES.items()},
    sim.BASELINE: "Always “no disease”",
}
CENTRED = {"yes": "Centred by site", "no": "At one half"}
_FILES = "hospital_files"
_SURER = (
    "Every rule sees the same test sets and noise paths, so differences are surer than the bars, "
    "95% intervals, suggest. Intervals speak of these files alone. F1 is about “disease”."
)
_MOST_FILES = 10
_TEST = 150
FORMAT = Note(
    f"Fourteen columns per file, with or without names, of which {', '.join(sim.COVARIATES)} and "
    f"the label {sim.LABEL} (0 for no disease, 1 to 4 for disease) are used; ? and -9 are missing. "
    "The four files of the UCI repository (Cleveland, Hungary, Switzerland, Long Beach) have this "
    "format; they are not part of this app.",
    "info",
)

# The files ------------------------------------------------------------------------------------


@of_visitor(8)
def _wards(target: sim.Hospital, sources: tuple[sim.Hospital, ...]) -> sim.hospitals.Wards:
    return sim.hospitals.prepare(target, sources, test=_TEST)


@of_visitor(16)
def _read(data: bytes, name: str) -> sim.Hospital:
    return sim.read_hospital(data, name)


def brought(key: str) -> tuple[dict[str, sim.Hospital], list[str]]:
    """Return the hospitals in a box by file name, and what is wrong with the other files."""
    given = held(key)
    sites: dict[str, sim.Hospital] = {}
    problems = []
    if len(given) > _MOST_FILES:
        problems.append(f"At most {_MOST_FILES} files; the first {_MOST_FILES} are used.")
    # A bad file is named and left out; the others are used.
    for file in given[:_MOST_FILES]:
        try:
            site = _read(file.getvalue(), _name(file.name))
        except DomainError as error:
            problems.append(f"**{words.md(file.name)}**: {words.plain(error)}")
            continue
        if any(site.name == other.name for other in sites.values()):
            problems.append(f"**{words.md(file.name)}**: a file of this name is already there.")
        else:
            sites[file.name] = site
    return sites, problems


def _name(file: str) -> str:
    """A hospital's name from its file's.

    >>> _name("processed.hungarian.data"), _name(".csv")
    ('hungarian', 'file')
    """
    parts = [part for part in file.split(".")[:-1] if part and part != "processed"]
    # Names stand in tables and in lines of Python, where a long one would break them.
    return " ".join(parts)[:40] or "file"


def bring(key: str) -> dict[str, sim.Hospital]:
    """Draw the box for hospitals' files, and say what is wrong with any; the others by name."""
    with st.popover("Bring the files", icon=":material/upload_file:"):
        files(
            key,
            "One file per hospital (UCI heart disease format)",
            ("data", "csv", "txt"),
            many=True,
            help="processed.hungarian.data and the like. Files are read in memory for this session "
            "and are not stored.",
        )
    found, problems = brought(key)
    for text in problems:  # escaped already
        st.error(text)
    return found


def _files(source: Open) -> None:
    """Ask for files, and for the target among them."""
    if found := bring(_FILES):
        key, names, usual = _target(found)
        menu(key, "Target hospital", dict(zip(names, names, strict=True)), start=usual)


def _target(found: Mapping[str, sim.Hospital]) -> tuple[str, list[str], str]:
    """Return the key of the menu of targets, what is in it, and the one at first."""
    names = [site.name for site in found.values()]
    usual = next((name for name in names if "hung" in name.lower()), names[0])
    # Another set of files is another menu: a choice of a hospital that is gone means nothing.
    return f"hospital_target_{'_'.join(names)}", names, usual


class _Asked(NamedTuple):
    """What is run on the files: hospitals by file name, the target first."""

    request: Request
    files: Mapping[str, sim.Hospital]
    wards: sim.Wards


def _made(asked: Plan) -> _Asked:
    files, _ = brought(_FILES)
    if len(files) < 2:
        raise Missing(
            "Bring the files of at least **two hospitals** to repeat the paper's experiment "
            "of Section 6.2: one is the target, the others are its sources.",
            [FORMAT],
        )
    key, _, usual = _target(files)
    chosen = st.session_state.get(key, usual)
    # The target comes first; the others keep their order.
    files = dict(sorted(files.items(), key=lambda file: file[1].name != chosen))
    target, *sources = files.values()
    wards = _wards(target, tuple(sources))
    return _Asked(asked.request(sim.hospitals.experiment(wards)), files, wards)


def _code(made: _Asked) -> str:
    """Lines of Python that repeat the run; the files stand beside them, the target first."""
    names = {file: site.name for file, site in made.files.items()}
    reads = (
        f"names = {names!r}\n"
        "texts = {name: Path(file).read_text('utf-8') for file, name in names.items()}\n"
        "sites = [heart.read_hospital(text, name) for name, text in texts.items()]\n"
        f"wards = hospitals.prepare(sites[0], sites[1:], test={made.wards.test})"
    )
    imports = ["from sims import heart, hospitals"]
    return repeat_lines(made.request, imports, "hospitals.experiment(wards)", reads)


# The run --------------------------------------------------------------------------------------


def _curves(progress: Progress, metric: str) -> simulation.Scores:
    """Budgets and estimates of one score, by the rule's short name."""
    pairs = [(p, e) for p, e in progress.seen(0) if p.settings["metric"] == metric]
    points, estimates = zip(*pairs, strict=True)
    return simulation.scores(points, estimates, lambda series: SHORT[series.split(",")[0]])


def answer(progress: Progress) -> str:
    """Return the finding so far as a sentence."""
    if not progress.done:
        return "The files are read. **Run** repeats the experiment on random test sets."
    found = {name: e[1] for name, (_, e) in _curves(progress, sim.METRICS[0]).items()}
    if any(one.replicates < 2 for one in found.values()):
        return "The first test sets are being scored."
    base = found.pop(SHORT[sim.BASELINE])
    best = max(found, key=lambda name: found[name].mean)
    return (
        f"After **{common.replicates(progress)}** random test sets: at ε = "
        f"{number(sim.hospitals.EPSILONS[1])} the highest mean is that of {best}, right for "
        f"**{words.around(found[best], words.tenths)}** of test records, always saying “no "
        f"disease” for **{words.around(base, words.tenths)}**."
    )


def drawn(progress: Progress) -> Iterable[Block]:
    """Both scores over the budget, and what the text says of them."""
    for metric in sim.METRICS:
        shown, name = _curves(progress, metric), metric[0].upper() + metric[1:]
        how = {"name": metric.lower(), "title": f"{name} on held-out records", "caption": _SURER}
        base = [SHORT[sim.BASELINE]]
        yield simulation.budget_figure(shown, name, plain=base, **how)  # type: ignore[arg-type]
    if min(progress.counts) >= 2:
        yield from paper.claim_blocks(sim.claims(progress))


def _after(made: _Asked) -> Iterable[Block]:
    unsplit = " Not split, every bandwidth spends the whole budget anew."
    yield Note(
        "**Not private end to end**, however small ε is: scaling, re-centring and the choice of "
        "the kernel use the records, and the noise pays for none of this. What the budget ((ε, δ) "
        "per hospital, replace one record, δ = 1/n²) amounts to is in the table below."
        f"{unsplit * (made.request.values['split'] == 'unsplit')}",
        "warning",
    )


def sites(found: Sequence[sim.Hospital], wards: sim.Wards, asked: Values) -> Iterable[Block]:
    """What was read, what re-centring does, and what the budget amounts to."""
    factors = [sim.hospitals.centred_sensitivity(site.prevalence) for site in found]
    yield blocks.Heading("The hospitals")
    yield blocks.Table(
        {
            "Hospital": [f"{s.name}{' (target)' * (k == 0)}" for k, s in enumerate(found)],
            "Rows in the file": [f"{site.rows:,}" for site in found],
            "Used for training": [f"{n:,}" for n in wards.sizes],
            "Prevalence": [words.tenths(site.prevalence) for site in found],
            "Sensitivity after re-centring": [f"× {number(x)}" for x in factors],
        },
        "Records and prevalence by hospital",
    )
    for note in wards.notes:
        yield Note(words.md(note))
    yield blocks.Text(
        "**Re-centring** takes the hospital's own prevalence p off its labels. One record then "
        "moves the statistic by up to √2 max(p, 1 − p); that p is computed from the records is not "
        "paid for."
    )
    yield from _effective(wards, factors, asked)


def _effective(wards: sim.Wards, factors: Sequence[float], asked: Values) -> Iterable[Block]:
    """The budget that the added noise really gives, by site."""
    centred, split = asked["centred"] == "yes", asked.among("split", sim.SPLITS)
    yield blocks.Heading("What the budget amounts to")
    # Re-centred labels are no longer 0 or 1: one record moves them by another amount.
    moved = factors if centred else [1.0] * len(factors)
    columns = {"Hospital": [*wards.names, "Scaling, all hospitals"]}
    grids = {}
    for epsilon in (e for e in sim.hospitals.EPSILONS if math.isfinite(e)):
        rows = sim.hospitals.servers(wards, epsilon)
        found = grids[epsilon] = sim.grid(
            rows, len(sim.COVARIATES), base=sim.BASES[asked.word("base")]
        )
        reached = [
            sim.hospitals.effective_epsilon(
                epsilon, row.delta or 0.5, factor, bandwidths=found.size, split=split
            )
            for row, factor in zip(rows, moved, strict=True)
        ]
        columns[f"ε = {number(epsilon)}"] = [number(x) for x in [*reached, math.inf]]
    yield blocks.Table(columns, "Effective epsilon by hospital and nominal epsilon")
    sizes = sorted(found.size for found in grids.values())
    many = f"{span(str(sizes[0]), str(sizes[-1]))} bandwidth{'s' * (sizes[-1] > 1)}"
    known = "The larger sensitivity after re-centring is included, p taken as public. "
    yield Note(
        "The ε of all of a hospital's releases together at δ = 1/n²; budget over bandwidths: "
        f"{sim.SPLITS[split]}. {known * centred}The grid has {many}: "
        f"{', '.join(number(h) for h in grids[1.0].bandwidths)}"
        f"{' at ε = 1' * (sizes[0] < sizes[-1])}. "
        "A value above the nominal ε means too little noise, one below it more than needed."
    )
    yield blocks.Text(
        "**Scaling has no finite ε.** The exact smallest and largest values are used without "
        "noise: one extreme record changes every scaled value."
    )


TAB = common.tab(
    "hospitals",
    "Hospitals",
    alone=False,
    usual=plan(sim.hospitals.SETTINGS[:-1], replicates=200),  # at all budgets
    inputs=(
        _files,
        common.KERNEL,
        common.GRID,
        Menu("split", "Budget over bandwidths", common.SPLITS),
        Switch("centred", "Labels", CENTRED),
        *repetition(most=1_000),
    ),
    compute=_made,
    cannot="These files cannot be used together.",
    job=lambda made: {"repeat": _code(made)},
    answer=answer,
    blocks=drawn,
    after=_after,
    below=lambda made: sites(list(made.files.values()), made.wards, made.request.values),
)
