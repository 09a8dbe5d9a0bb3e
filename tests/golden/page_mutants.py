"""Changes of one line in the rooms of the pages, each with the test that has to see it.

``python tests/golden/page_mutants.py`` makes them one at a time in a copy of the project and runs
the named test there: it has to fail. Words narrow it to files or tests that hold one of them. That
every line is still there is tested with the rest.
"""

from __future__ import annotations

import compileall
import contextlib
import importlib
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_COPIED = ("pages", "rates", "sims", "tests", ".streamlit")
_FILES = ("app.py", "pyproject.toml")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change that must not go unseen.

    Attributes:
        what: What goes wrong.
        file: In which file, below `pages`.
        old: What stands there, once.
        new: What stands there instead.
        test: Which test sees it, below `tests/pages`.
    """

    what: str
    file: str
    old: str
    new: str
    test: str


MUTANTS = (
    Mutant(
        "the last name of a paper without and",
        "parts/about/cite.py",
        '" and ".join(paper.authors)',
        '", ".join(paper.authors)',
        "about/test_about.py::test_bibtex_names_what_is_known_and_nothing_else",
    ),
    Mutant(
        "a search that one word of several is enough for",
        "parts/about/lookup.py",
        "bool(asked) and all(word",
        "bool(asked) and any(word",
        "about/test_about.py::test_all_words_of_a_search_have_to_fit",
    ),
    Mutant(
        "two series swapped under their names",
        "parts/adaptation/budget.py",
        '"whole procedure, half and half": found.whole_curve',
        '"whole procedure, half and half": found.alone_curve',
        "adaptation/test_adaptation.py::test_each_curve_of_true_budgets_bears_its_own_name",
    ),
    Mutant(
        "a true budget as the nominal one",
        "parts/adaptation/budget.py",
        "words.number(x.epsilon, 4) for x in (found.alone, found.whole)",
        "words.number(x.nominal, 4) for x in (found.alone, found.whole)",
        "adaptation/test_adaptation.py::test_the_budget_tab_shows_true_budgets",
    ),
    Mutant(
        "a broken promise called kept",
        "parts/classification/attacker.py",
        "    if not broken:\n",
        "    if broken or not broken:\n",
        "classification/test_classification.py::test_a_broken_promise_is_called_broken",
    ),
    Mutant(
        "hits of an attacker twice as many",
        "parts/classroom/said.py",
        "100 * (1 + float(advantage(e))) / 2",
        "100 * (1 + float(advantage(e)))",
        "classroom/test_classroom.py::test_hits_of_100_by_hand",
    ),
    Mutant(
        "an address that only this computer reaches is taken",
        "parts/classroom/join.py",
        'return "" if address.loopback(found) else found',
        "return found",
        "classroom/test_classroom.py::test_a_typed_address_is_a_host",
    ),
    Mutant(
        "an edge in parts of one",
        "parts/fit/guarantee.py",
        "words.number(100 * advantage)",
        "words.number(advantage)",
        "fit/test_fit.py::test_an_open_site_is_called_unprotected_and_an_empty_one_silent",
    ),
    Mutant(
        "an unprotected site called one that releases nothing",
        "parts/fit/guarantee.py",
        'return "unprotected" if row.server.informative else "nothing released"',
        'return "nothing released" if row.server.informative else "unprotected"',
        "fit/test_fit.py::test_an_open_site_is_called_unprotected_and_an_empty_one_silent",
    ),
    Mutant(
        "a figure without words for who does not see it",
        "parts/frame/figure_card.py",
        "            alt=drawn.alt,\n",
        "            alt=None,\n",
        "frame/test_lines.py::test_every_figure_has_words_for_who_does_not_see_it",
    ),
    Mutant(
        "a statement's link with another one's name",
        "parts/frame/ledger_links.py",
        'query_params={"id": name}',
        'query_params={"id": statements()[0].id}',
        "statements/test_statements.py::test_a_link_to_a_statement_holds_its_name",
    ),
    Mutant(
        "a link of another page that nobody is told of",
        "parts/frame/layout.py",
        "    if unknown:\n",
        "    if unknown and known is None:\n",
        "overview/test_overview.py::test_a_link_for_another_page_is_said",
    ),
    Mutant(
        "enough and too few swapped",
        "parts/hybrid/needs.py",
        "if volunteers >= need",
        "if volunteers < need",
        "hybrid/test_hybrid.py::test_the_verdict_on_the_own_numbers_turns_at_the_limit",
    ),
    Mutant(
        "a misprinted number of users without its word",
        "parts/hybrid/needs.py",
        "    if printed >= asked:\n",
        "    if printed <= asked:\n",
        "hybrid/test_hybrid.py::test_more_users_than_printed_are_told_with_both_numbers",
    ),
    Mutant(
        "a lesson that is none, and no word of it",
        "parts/lessons/chosen.py",
        "    if name:\n        st.error",
        "    if not name:\n        st.error",
        "lessons/test_lessons.py::test_a_lesson_that_is_none_is_said",
    ),
    Mutant(
        "numbers of earlier parameters shown as those of the new ones",
        "parts/live/panel.py",
        "stale = held is not None and held.mark != job.mark",
        "stale = False",
        "regression/test_regression.py::test_a_changed_parameter_names_the_old_numbers",
    ),
    Mutant(
        "a run that goes on with parameters that have changed",
        "parts/live/panel.py",
        "    if held and held.mark != job.mark and held.run.active:\n",
        "    if held and held.mark == job.mark and held.run.active:\n",
        "classification/test_classification.py::"
        "test_a_changed_parameter_stops_the_run_and_names_its_numbers_as_earlier",
    ),
    Mutant(
        "a tab of an address that is refused without a word",
        "parts/live/tabs.py",
        "return now, [f\"{TAB} must be one of {', '.join(self.usual)}; got {tab[:40]!r}.\"]",
        "return now, []",
        "regression/test_regression.py::test_an_unknown_tab_is_said",
    ),
    Mutant(
        "the second release forgotten",
        "parts/logistic/meaning.py",
        '"Two releases, target (pure)": found.once_twice',
        '"Two releases, target (pure)": found.once',
        "logistic/test_logistic.py::test_the_translator_says_the_engines_numbers",
    ),
    Mutant(
        "no warning where nothing is promised",
        "parts/logistic/meaning.py",
        "    if math.isinf(made.radius):\n        yield",
        "    if math.isnan(made.radius):\n        yield",
        "logistic/test_logistic.py::test_no_clipping_promises_nothing",
    ),
    Mutant(
        "a name that is a command of LaTeX",
        "parts/orders/files.py",
        'texts.document(tikz.escaped(now.name or "A rate"), parts)',
        'texts.document(now.name or "A rate", parts)',
        "orders/test_orders.py::test_text_is_escaped_for_latex",
    ),
    Mutant(
        "the mechanism's number in the equation's place",
        "parts/overview/page.py",
        "words.percent(float(sweep.equation[k]))",
        "words.percent(float(sweep.mechanism[0][k]))",
        "overview/test_overview.py::test_the_slider_says_what_the_engine_says",
    ),
    Mutant(
        "a hospital named after what its file was treated with",
        "parts/paper_acc/hospitals.py",
        'if part and part != "processed"]',
        "if part]",
        "paper_acc/test_hospitals.py::test_names_of_hospitals",
    ),
    Mutant(
        "sampling and privacy swapped",
        "parts/phases/page.py",
        'limit = "sampling" if here.startswith("N") else "privacy"',
        'limit = "privacy" if here.startswith("N") else "sampling"',
        "phases/test_phases.py::test_a_typed_budget_moves_the_point",
    ),
    Mutant(
        "re-entrance not pointed out",
        "parts/phases/page.py",
        "    if order.re_entrant:\n",
        "    if not order.re_entrant:\n",
        "phases/test_phases.py::test_re_entrance_is_pointed_out",
    ),
    Mutant(
        "thresholds in another order than their names",
        "parts/phases/why.py",
        "                        ends.eps2,\n                        ends.eps3,\n",
        "                        ends.eps3,\n                        ends.eps2,\n",
        "phases/test_phases.py::test_the_thresholds_stand_beside_their_names",
    ),
    Mutant(
        "a further site with the name of one that is there",
        "parts/plan/offers.py",
        "        if server.name in taken:\n",
        "        if server.name == taken:\n",
        "plan/test_plan.py::test_bad_offers_are_refused",
    ),
    Mutant(
        "one goal under another one's name",
        "parts/plan/goal.py",
        '"sample": "Times today\'s sample (older link)"',
        '"sample": "Part of today\'s rate (older link)"',
        "plan/test_plan.py::test_a_multiple_of_the_sample_is_another_way_to_say_it",
    ),
    Mutant(
        "the answer before its question",
        "parts/present/turn.py",
        "return [ASK, ANSWER, WHY]",
        "return [ANSWER, ASK, WHY]",
        "present/test_present.py::test_a_brief_list_asks_answers_and_says_why",
    ),
    Mutant(
        "weights by size called others",
        "parts/regression/weights.py",
        "        if _coincide(given)\n",
        "        if not _coincide(given)\n",
        "regression/test_regression.py::test_the_printed_weights_are_those_by_size",
    ),
    Mutant(
        "what was not stated called stated",
        "parts/report/assumptions.py",
        "_OURS if own is None else _SAID",
        "_SAID if own is None else _OURS",
        "report/test_report.py::test_a_range_that_was_stated_says_so",
    ),
    Mutant(
        "a name that is markup in a report",
        "parts/report/html.py",
        "{html.escape(s.title)}</h2>",
        "{s.title}</h2>",
        "report/test_report.py::test_every_cell_and_title_is_escaped",
    ),
    Mutant(
        "sampling that binds called privacy",
        "parts/resolution/answer.py",
        'return "privacy" if answer.limited_by[0] == "privacy" else "sampling"',
        'return "sampling" if answer.limited_by[0] == "privacy" else "privacy"',
        "resolution/test_resolution.py::test_what_binds_has_its_own_name",
    ),
    Mutant(
        "the app open to the whole network unasked",
        "parts/serve/command.py",
        "address = EVERYWHERE if given.share else HERE",
        "address = EVERYWHERE",
        "serve/test_command.py::test_the_settings_hold_and_the_rest_of_the_world_is_asked_for",
    ),
    Mutant(
        "a part of a link that is named twice",
        "parts/session/text.py",
        "        if name in given:\n",
        "        if name is given:\n",
        "session/test_text.py::test_what_cannot_be_read_is_refused",
    ),
    Mutant(
        "an empty table that is called empty when it is full",
        "parts/session/state.py",
        "    st.session_state[_FRESH] = False\n    STUDY.keep",
        "    STUDY.keep",
        "study/test_study.py::test_an_empty_table_answers_nothing_and_forgets_what_was_said",
    ),
    Mutant(
        "an example's answers for one's own sites",
        "parts/session/state.py",
        "    if st.session_state.get(_OWN):\n        return draft(), scope()",
        "    if draft():\n        return draft(), scope()",
        "fit/test_fit.py::test_pasted_sites_do_not_inherit_an_example_s_answers",
    ),
    Mutant(
        "infinity as a number in a file",
        "parts/statements/files.py",
        "return str(value) if value in (math.inf, -math.inf) else value",
        "return 0.0 if value in (math.inf, -math.inf) else value",
        "statements/test_statements.py::test_infinity_is_text_in_a_file",
    ),
    Mutant(
        "a site's name as markup in the decision",
        "parts/study/verdict.py",
        '"name": words.md',
        '"name": str',
        "study/test_study.py::test_names_are_shown_as_typed",
    ),
    Mutant(
        "budgets divided where they are multiplied",
        "parts/study/levers.py",
        "number_from_text(text, 'epsilon')) * factor",
        "number_from_text(text, 'epsilon')) / factor",
        "study/test_study.py::test_budgets_that_differ_are_scaled_by_a_factor",
    ),
    Mutant(
        "answers of another study from the memory",
        "parts/session/state.py",
        "cost = functools.lru_cache(maxsize=256)(privacy_cost)",
        "cost = lambda study, held=[]: held[0] if held else held.append(privacy_cost(study)) "
        "or held[0]  # noqa",
        "study/test_study.py::test_a_slider_changes_the_answer_and_the_box",
    ),
    Mutant(
        "an interval upside down",
        "figures/chart/make.py",
        "return marks.Spread(up=up, down=down,",
        "return marks.Spread(up=down, down=up,",
        "chart/test_chart.py::test_an_interval_that_is_longer_above_is_drawn_longer_above",
    ),
    Mutant(
        "places in the column of the errors",
        "figures/maps/along.py",
        "x, mean, error = (list(part)",
        "error, mean, x = (list(part)",
        "orders/test_orders.py::test_measurements_are_drawn_with_their_own_errors",
    ),
    Mutant(
        "the rest's share at the end of a bar",
        "figures/shares.py",
        "texts=[percent(share) for _, share in mine]",
        "texts=[percent(1 - share) for _, share in mine]",
        "chart/test_figures.py::test_words_at_the_end_of_a_bar_are_its_length",
    ),
    Mutant(
        "a lesson done by one of its questions",
        "parts/lessons/chosen.py",
        "return all(PROGRESS.get()",
        "return any(PROGRESS.get()",
        "lessons/test_progress.py::"
        "test_a_lesson_is_done_by_both_questions_or_by_the_first_in_brief",
    ),
    Mutant(
        "a lesson that is brief done by both questions alone",
        "parts/lessons/chosen.py",
        "questions[:1] if brief else questions",
        "questions",
        "lessons/test_progress.py::"
        "test_a_lesson_is_done_by_both_questions_or_by_the_first_in_brief",
    ),
    Mutant(
        "one's own study in every list but that for who is alone",
        "parts/lessons/chosen.py",
        'if playlist == LISTS["alone"]:',
        'if playlist != LISTS["alone"]:',
        "lessons/test_progress.py::test_who_is_alone_ends_with_the_own_study_and_no_list_else",
    ),
    Mutant(
        "sensitivity of re-centred labels where none is",
        "parts/paper_acc/hospital_tables.py",
        "factors if setting.centred else [1.0] * len(factors)",
        "[1.0] * len(factors) if setting.centred else factors",
        "paper_acc/test_hospitals.py::test_the_budget_table_pays_for_re_centring_where_it_is_done",
    ),
    Mutant(
        "the factor of re-centring forgotten",
        "parts/paper_acc/hospital_tables.py",
        "row.delta or 0.5, factor, bandwidths",
        "row.delta or 0.5, 1.0, bandwidths",
        "paper_acc/test_hospitals.py::test_the_budget_table_pays_for_re_centring_where_it_is_done",
    ),
    Mutant(
        "another cause than the largest in the title",
        "parts/plan/causes.py",
        "top = max(range(int(skipped), len(own)), key=own.__getitem__)",
        "top = max(range(1, len(own)), key=own.__getitem__)",
        "plan/test_plan_causes.py::test_the_title_names_the_largest_cause",
    ),
    Mutant(
        "bias named where it is half by construction",
        "parts/plan/causes.py",
        "skipped = found.by == MECHANISM",
        "skipped = found.by != MECHANISM",
        "plan/test_plan_causes.py::test_the_title_names_the_largest_cause",
    ),
    Mutant(
        "a screen of votes where no hand was counted",
        "parts/present/turn.py",
        "if counted or step != VOTES]",
        "if not counted or step != VOTES]",
        "present/test_present.py::test_votes_have_a_screen_where_hands_were_counted",
    ),
    Mutant(
        "a place without a step begins where the list does",
        "parts/present/turn.py",
        "there[0] if there else 0)",
        "0)",
        "present/test_present.py::test_votes_have_a_screen_where_hands_were_counted",
    ),
    Mutant(
        "a ratio of risks upside down in the table",
        "parts/regression/weights.py",
        "[words.number(risk / best) for risk, _ in exact.values()]",
        "[words.number(best / risk) for risk, _ in exact.values()]",
        "regression/test_regression.py::test_times_inverse_variance_is_a_risk_over_that_one",
    ),
    Mutant(
        "a ratio of risks upside down in the answer",
        "parts/regression/weights.py",
        'f"**{words.number(risk / best)}**"',
        'f"**{words.number(best / risk)}**"',
        "regression/test_regression.py::test_times_inverse_variance_is_a_risk_over_that_one",
    ),
    Mutant(
        "the table of the study before a link",
        "parts/session/state.py",
        "    if before != now:\n        _show_study",
        "    if before == now:\n        _show_study",
        "study/test_study.py::test_the_table_shows_the_study_of_a_later_link",
    ),
    Mutant(
        "what is kept by the equation under the mechanism",
        "parts/study/page.py",
        'f"{verdict.kept_range(cost)} of no privacy"',
        'f"{words.percent(equation.kept)} of no privacy"',
        "study/test_study.py::test_a_link_shows_the_engine_s_numbers",
    ),
    Mutant(
        "the equation's number under the mechanism",
        "parts/study/page.py",
        "            verdict.worth_range(cost),\n",
        "            words.number(equation.answer.effective_n),\n",
        "study/test_study.py::test_a_link_shows_the_engine_s_numbers",
    ),
    Mutant(
        "both ratios of errors in the other's place",
        "parts/study/page.py",
        'f"× {words.number(equation.rate_ratio)} | × {verdict.ratio_range(cost)}"',
        'f"× {verdict.ratio_range(cost)} | × {words.number(equation.rate_ratio)}"',
        "study/test_study.py::test_a_link_shows_the_engine_s_numbers",
    ),
)


def old_texts(root: Path) -> list[str]:
    """Return what is wrong with the list: a line that is gone or not the only one, a lost test."""
    wrong = []
    for one in MUTANTS:
        found = (root / "pages" / one.file).read_text("utf-8").count(one.old)
        if found != 1:
            wrong.append(f"{one.file}: {one.what}: stands there {found} times")
        file, _, name = one.test.partition("::")
        path = root / "tests" / "pages" / file
        if not path.is_file() or f"def {name}(" not in path.read_text("utf-8"):
            wrong.append(f"{one.test}: no such test")
    return wrong


def survives(one: Mutant, root: Path) -> bool:
    """Whether the test of a mutant passes in a copy of the project that has it.

    The test runs in a child of this process, which has loaded all but the pages.
    """
    path = root / "pages" / one.file
    whole = path.read_text("utf-8")
    path.write_text(whole.replace(one.old, one.new), "utf-8")
    child = os.fork()
    if not child:
        found = 2
        how = ["-x", "-q", "-m", "", "-p", "no:cacheprovider", "--assert=plain"]
        try:
            with open(os.devnull, "w") as silent, contextlib.redirect_stdout(silent):
                found = pytest.main([*how, f"tests/pages/{one.test}"])
        finally:
            os._exit(found)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    path.write_text(whole, "utf-8")
    if code not in (0, 1):
        raise RuntimeError(f"{one.test} could not be run: {code}")
    return code == 0


def main(words: list[str]) -> int:
    """Make every change and say which ones no test sees."""
    chosen = [one for one in MUTANTS if not words or any(w in one.file + one.test for w in words)]
    left = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in _COPIED:
            shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in _FILES:
            shutil.copy(ROOT / name, root / name)
        compileall.compile_dir(folder, quiet=2)
        os.chdir(root)
        sys.path.insert(0, str(root))
        sys.dont_write_bytecode = True  # such a file is known by the second it was written in
        for loaded in ("streamlit.testing.v1", "plotly.graph_objects", "sims", "rates.statements"):
            importlib.import_module(loaded)
        for one in chosen:
            if survives(one, root):
                left.append(one)
                print(f"survives: {one.file}: {one.what} ({one.test})", flush=True)
    print(f"{len(chosen) - len(left)} of {len(chosen)} changes are seen by their tests.")
    return min(len(left), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
