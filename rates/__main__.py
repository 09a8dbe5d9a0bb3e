"""``python -m rates``: answers on the command line, from a study file."""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import rates
from rates.answer import Condition, Cost, TransferAnswer, privacy_cost
from rates.console import BAD_INPUT, Parser, plain, read_file, say, show
from rates.numbers import DomainError, Words, between, shown
from rates.plan import ALL, LEVERS, plan_answer
from rates.study import USES, USUAL_GAIN, Scope, Server, Study, alike, codec

if TYPE_CHECKING:
    from rates.decision import Decision

OUT_OF_REACH = 3
DIFFERS = 3  # what was checked is not what is stored


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0, 2 for bad input, 3 for out of reach."""
    parser = Parser(prog="python -m rates", description="Rates of private learning across sites.")
    commands = parser.add_subparsers(dest="command", required=True)
    solve = _command(commands, "solve", _solve, help="solve a study's rate equation")
    solve.add_argument("study", help="a study file (JSON)")
    _plan_arguments(commands)
    _decide_arguments(commands)
    orders = _command(
        commands, "orders", _orders, help="terms, thresholds and claims of your own rate"
    )
    orders.add_argument("rate", help="a question about a rate (JSON)")
    check = commands.add_parser(
        "check",
        help="a statement of the ledger, or all of them, as the texts stand",
        epilog="Exit status: 0 all is as stored, 3 something is not, 2 bad input.",
    )
    check.set_defaults(run=_check)
    check.add_argument("id", nargs="?", help="a statement's id, as ACC:Cor3.2:eps21")
    check.add_argument("--all", action="store_true", help="every statement and certificate")
    check.add_argument("--write", action="store_true", help="store what was found")
    given = parser.parse_args(arguments)
    try:
        return int(given.run(given))
    except DomainError as error:
        say(f"python -m rates: {error}")
        return BAD_INPUT


def _command(commands: Any, name: str, run: Callable[..., int], **about: str) -> Any:
    """Add a command, which prints text or strict JSON."""
    made = commands.add_parser(name, **about)
    made.set_defaults(run=run)
    made.add_argument("--json", action="store_true", help="print strict JSON")
    return made


def _print(given: argparse.Namespace, found: Any, text: Callable[[Any], str]) -> int:
    if given.json:
        return show(json.dumps(plain(found), allow_nan=False, indent=2))
    return show(text(found))


def _study(given: argparse.Namespace) -> tuple[Study, Scope | None]:
    return codec.open_json(read_file(given.study))


def _solve(given: argparse.Namespace) -> int:
    """Print both answers."""
    study, _ = _study(given)
    return _print(given, as_json(study) if given.json else study, as_text)


def _check(given: argparse.Namespace) -> int:
    """Print what one statement says as it stands, or all that does not fit in the ledger."""
    if given.all == (given.id is not None):
        raise DomainError("check needs a statement's id, or --all.", "id", Words("both or none"))
    from rates.ledger import review  # on demand: a study needs no ledger

    # First, so that what is told is what is stored then.
    if given.write:
        review.write(given.id)
    text, differing = review.everything() if given.all else review.found(given.id)
    show(text)
    return DIFFERS if differing else 0


def _orders(given: argparse.Namespace) -> int:
    """Print what a rate is made of, what it is at given numbers, and each claim's verdict."""
    from rates import orders  # on demand: it needs sympy

    found = orders.report(orders.inquiry.from_json(read_file(given.rate, "rate")))
    return _print(given, found, orders.report_text)


def _plan_arguments(commands: Any) -> None:
    plan = _command(
        commands,
        "plan",
        _plan,
        help="the smallest change of one quantity that reaches a rate",
        description="The smallest change of one quantity that reaches a rate, by the rate "
        "equation and by the named mechanism (for a classifier with bandwidth 2 r) at the same "
        "fraction of its own rate today.",
        epilog="Exit status: 0 reached by the rate equation, 3 out of reach, 2 bad input.",
    )
    plan.add_argument("study", help="a study file (JSON)")
    aim = plan.add_mutually_exclusive_group(required=True)
    aim.add_argument("--rate", type=float, help="the rate wanted, in (0, 1)")
    aim.add_argument("--fraction", type=float, help="the rate wanted over today's, in (0, 1)")
    plan.add_argument("--quantity", required=True, choices=LEVERS, help="what may change")
    plan.add_argument("--servers", help="a row's name, or all (n and epsilon); not used for sites")
    plan.add_argument("--site-n", type=int, help="sites: records of each further site")
    plan.add_argument("--site-epsilon", type=float, help="sites: its budget, or inf")
    plan.add_argument("--site-delta", type=float, help="sites: its delta, for the mechanism")
    plan.add_argument("--site-gamma", type=float, help="sites: its signal exponent (classifier)")


def _plan(given: argparse.Namespace) -> int:
    """Print what reaches a rate; return 3 where nothing does."""
    study, _ = _study(given)
    kind = _kind(study, given)
    if kind is None and given.servers is None:
        raise DomainError("--servers must be a row's name, or all.", "servers", Words("nothing"))
    found = plan_answer(
        study,
        given.quantity,
        ALL if kind else given.servers,
        given.rate,
        fraction=given.fraction,
        kind=kind,
    )
    if given.json:
        whole = {**dataclasses.asdict(found), "decision": decision_of(rates.decide(study))}
        show(json.dumps(plain(whole), allow_nan=False, indent=2))
    elif found.reached:
        show(found.text)
    if not found.reached:
        say(f"python -m rates: {found.text}")
    return 0 if found.reached else OUT_OF_REACH


def _kind(study: Study, given: argparse.Namespace) -> Server | None:
    """Return what a further site is like; None where no further sites are asked for."""
    told = {name: getattr(given, f"site_{name}") for name in ("n", "epsilon", "delta", "gamma")}
    stated = {name for name, value in told.items() if value is not None}
    if not LEVERS[given.quantity].further:
        if stated:
            rule = "--site-n and its like go with --quantity sites only."
            raise DomainError(rule, "quantity", Words(given.quantity))
        return None
    if given.servers is not None:
        rule = "--servers is not used with --quantity sites: further sites are new rows."
        raise DomainError(rule, "servers", Words(given.servers))
    transfer = study.kind == "transfer"
    needs = {"n", "epsilon", "gamma"} if transfer else {"n", "epsilon"}
    if stated - {"delta"} != needs:
        rule = (
            "--quantity sites needs --site-n and --site-epsilon, and of a classifier --site-gamma."
        )
        raise DomainError(rule, "sites", Words(", ".join(sorted(stated)) or "nothing"))
    # A row of the study may be called so already.
    name, taken = "the further site", {server.name for server in study.servers}
    while name in taken:
        name += "'"
    gamma = told.pop("gamma")
    return Server(name=name, **told, signal_exponent=gamma if transfer else 1.0)


def _decide_arguments(commands: Any) -> None:
    decide_ = _command(
        commands,
        "decide",
        _decide,
        help="is the study worth running, for those who use the result?",
        description="Worth in unprotected records by the named mechanism, against own records; "
        "who may stay out, what it would take, and where assumed numbers turn the verdict.",
    )
    decide_.add_argument("study", help="a study file (JSON)")
    decide_.add_argument("--use", choices=USES, help="who uses the result")
    decide_.add_argument("--needed", type=float, help="how many records would do")
    decide_.add_argument("--gain", type=float, help="what the worth must be over own records")


def _decide(given: argparse.Namespace) -> int:
    """Print whether a study is worth running; what the file says of its use holds too."""
    from rates.decision import decide, use_of  # on demand, as below

    study, scope = _study(given)
    said = scope or Scope()
    gain = said.gain if given.gain is None else given.gain
    usual, why = use_of(study, said)
    if why and not given.use:
        say(f"python -m rates: {why} Decided for {usual}.")
    found = decide(
        study,
        use=given.use or usual,
        needed=said.needed if given.needed is None else given.needed,
        gain=USUAL_GAIN if gain is None else gain,
        alike=alike(study, said),
    )
    return _print(given, decision_of(found) if given.json else found, _decision_text)


def _decision_text(found: Decision) -> str:
    from rates.decision import sentences  # on demand

    lines = [f"{said.question} {said.text}" for said in sentences(found)]
    if len(found.users) > 1:
        lines += [
            f"  {_short(user.name):24} own {user.own:,.0f}, worth {between(*user.worth)}, "
            f"gain {between(*user.gain)}: {user.verdict}"
            for user in found.users
        ]
    return "\n".join(lines or ["No site carries information."])


def decision_of(found: Decision) -> dict[str, Any]:
    """Return a decision as plain data, with its sentences."""
    from rates.decision import sentences  # on demand: a statement needs no decision

    out = dataclasses.asdict(found)
    del out["study"]
    out["sentences"] = [
        {"question": said.question, "answer": said.text} for said in sentences(found)
    ]
    return dict(plain(out))


def as_json(study: Study) -> dict[str, Any]:
    """Return both answers as plain data: infinite as "inf", undefined as None."""
    out: dict[str, Any] = dataclasses.asdict(rates.solve(study))
    try:
        out["calibrated"] = dataclasses.asdict(rates.calibrated(study))
    except DomainError as error:
        out["calibrated"] = None
        out["calibrated_missing"] = str(error)
    out["servers"] = [server.name for server in study.servers]
    out["privacy_cost"] = {
        cost.risk: {
            "equation": {"kept": cost.equation.kept, "rate_ratio": cost.equation.rate_ratio},
            "mechanism": [{"kept": s.kept, "rate_ratio": s.rate_ratio} for s in cost.mechanism],
            "mechanism_name": cost.scale or None,
        }
        for cost in privacy_cost(study)
    }
    return dict(plain(out))


def as_text(study: Study) -> str:
    """Return both answers as a page of text."""
    lines: list[str] = []
    for cost in privacy_cost(study):
        lines += _cost_lines(study, cost)
    answer = rates.solve(study)
    lines += ["What the theorem asks for:", *(_note(note) for note in answer.notes)]
    lines += ["", "Rates hold up to constants and logarithms; ratios and shares are meant."]
    return "\n".join(lines)


def _cost_lines(study: Study, cost: Cost) -> list[str]:
    answer = cost.equation.answer
    root = (
        f"r = {answer.r:.6g}, rate r^(beta(1+alpha)) = {answer.rate:.6g}"
        if isinstance(answer, TransferAnswer)
        else f"D = {answer.D:.6g}, rate D^(-2*{answer.smoothness:.4g}) = {answer.rate:.6g}, "
        f"level {answer.level}"
    )
    lines = [
        f"{cost.risk.capitalize()} risk, by the rate equation: {root}",
        f"  effective sample {answer.effective_n:.6g} unprotected records, "
        f"{_part(cost.equation.kept)} of the value without privacy",
        f"  rate over the rate without privacy: {cost.equation.rate_ratio:.4g}",
    ]
    if cost.mechanism:
        kept = between(*cost.kept_range, _part)
        ratio = between(*cost.ratio_range, "{:.4g}".format)
        lines += [
            f"By a named {cost.scale}:",
            f"  effective sample kept {kept}; rate over the rate without privacy {ratio}",
        ]
    else:
        lines += [f"By a named mechanism: not available. {cost.missing}"]
    lines += ["  site                             n       epsilon     share  limited by"]
    lines += [
        f"  {_short(server.name):24} {server.n * server.count:>12,} {server.epsilon:>13.6g}"
        f" {share:>9.2%}  {limit}"
        for server, share, limit in zip(
            study.servers, answer.shares, answer.limited_by, strict=True
        )
    ]
    return [*lines, ""]


def _part(x: float) -> str:
    return "undefined" if math.isnan(x) else f"{x:.3%}"


def _short(name: str) -> str:
    text = shown(name)[1:-1]
    return text if len(text) <= 24 else f"{text[:21]}..."


def _note(note: Condition) -> str:
    mark = {True: "holds", False: "FAILS", None: "open"}[note.holds]
    return f"  [{mark}] {note.text} ({note.source})"


if __name__ == "__main__":
    sys.exit(main())
