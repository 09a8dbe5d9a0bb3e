"""Studies as JSON files and as links, with a short form for the address bar.

Version 1 of the format is in the README of this package.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from rates.numbers import (
    FEDERATED_FIELDS,
    MAX_ROWS,
    SERVER_FIELDS,
    TRANSFER_FIELDS,
    VERSION,
    DomainError,
    Fields,
    Words,
    decode,
    load_json,
    pack,
    packed,
    plain,
    to_text,
    unpack,
)
from rates.study.scenario import FederatedStudy, Server, Study, TransferStudy
from rates.study.scope import PARAMETERS as RANGES
from rates.study.scope import PREVALENCE, Scope, check, fitted

MAX_LINK = 8_000
OWN = ("name", "role", *SERVER_FIELDS)  # of a row, and the header of the tables written here
REQUIRED = ("name", "n", "epsilon")
PARAMETERS = {"transfer": TRANSFER_FIELDS, "federated": FEDERATED_FIELDS}
_OPTIONAL = {"integrability"}
_RANGES = {"prevalence": PREVALENCE, **RANGES["transfer"], **RANGES["federated"]}
_SAID = ("use", "needed", "gain", "assumed")


def to_dict(study: Study, scope: Scope | None = None) -> dict[str, Any]:
    """Return the study as plain data; fields at their stated defaults are left out.

    A scope comes along as a part of its own, without ranges of sites that the study lacks.
    """
    kind = study.kind
    out: dict[str, Any] = {"version": VERSION, "kind": kind}
    for field in PARAMETERS[kind]:
        out[field] = plain(getattr(study, field))
    out["servers"] = [
        _server_to_dict(s, target=kind == "transfer" and row == 0)
        for row, s in enumerate(study.servers)
    ]
    if scope is not None:
        out["scope"] = scope_to_dict(fitted(scope, study))
    return out


def _server_to_dict(server: Server, *, target: bool) -> dict[str, Any]:
    row: dict[str, Any] = {"name": server.name}
    if target:
        row["role"] = "target"
    usual = {field.name: field.default for field in dataclasses.fields(Server)}
    for name in SERVER_FIELDS:
        value = getattr(server, name)
        # What a reader may leave out is left out, so that links stay short.
        if value != usual[name]:
            row[name] = value if name == "delta" else plain(value)
    return row


def to_json(study: Study, scope: Scope | None = None, *, indent: int | None = 2) -> str:
    """Return the study as strict JSON.

    >>> from rates.study.scenario import FederatedStudy, Server
    >>> study = FederatedStudy(servers=[Server(name="A", n=5, epsilon=1)], smoothness=2)
    >>> from_json(to_json(study)) == study
    True
    """
    return to_text(to_dict(study, scope), indent)


def to_python(study: Study) -> str:
    """Return the lines of Python that make the study and print both answers.

    >>> from rates.study.scenario import FederatedStudy, Server
    >>> study = FederatedStudy(servers=[Server(name="A", n=5, epsilon=1)], smoothness=2)
    >>> print(to_python(study).splitlines()[4])
        rates.Server(name='A', n=5, epsilon=1),
    """
    data = to_dict(study)
    lines = ["import math", "import rates", "", "servers = ["]
    for row in data["servers"]:
        fields = {k: v for k, v in row.items() if k != "role"}
        shown_fields = (f"{k}={'math.inf' if v == 'inf' else repr(v)}" for k, v in fields.items())
        lines.append(f"    rates.Server({', '.join(shown_fields)}),")
    lines += ["]", f"study = rates.{type(study).__name__}("]
    curve = study.target is None
    sites = ["servers=servers"] if curve else ["target=servers[0]", "sources=servers[1:]"]
    values = [
        f"{field}={'math.inf' if data[field] == 'inf' else repr(data[field])}"
        for field in PARAMETERS[data["kind"]]
    ]
    lines += [f"    {entry}," for entry in sites + values]
    lines += [
        ")",
        "print(rates.solve(study))  # up to constants and logs",
        "print(rates.calibrated(study))  # a named mechanism, with its constants",
    ]
    return "\n".join(lines) + "\n"


def from_json(text: str | bytes) -> Study:
    """Read a study from JSON text or bytes.

    Raises:
        DomainError: The text is not a study of this format; the message names row and field.
    """
    return open_json(text)[0]


def open_json(text: str | bytes) -> tuple[Study, Scope | None]:
    """Read a study and its scope, None where the text has none, as `from_json` does."""
    return _read(load_json(decode(text)))


def from_dict(data: object) -> Study:
    """Read a study from plain data, as `from_json` does; a scope is checked and left out."""
    return _read(data)[0]


def _read(data: object) -> tuple[Study, Scope | None]:
    part = Fields.of(data, "A study", "Study").version()
    kind = part.data.get("kind")
    if not isinstance(kind, str) or kind not in PARAMETERS:
        raise DomainError('kind must be "transfer" or "federated".', "kind", kind, "Study")
    fields = PARAMETERS[kind]
    known = {"version", "kind", "servers", "scope", *fields}
    part.keys(known, {"servers", *fields} - _OPTIONAL)
    parameters = {key: part.number(key, of) for key, of in fields.items() if key in part.data}
    study, scope = build(kind, parameters, part.items("servers")), part.data.get("scope")
    return study, None if scope is None else scope_from_dict(scope, study)


def build(kind: str, parameters: Mapping[str, Any], rows: Iterable[object]) -> Study:
    """Make a study of ``kind`` from parameters and rows of plain data.

    Rows are what a file holds: mappings with the columns of `OWN`, infinity as
    "inf", absent fields at their stated defaults.

    Raises:
        DomainError: A row or parameter is refused; the message names row and field.
    """
    table = list(rows)
    if len(table) > MAX_ROWS:
        rule = f"A study has at most {MAX_ROWS:,} rows (use count for identical sites)."
        raise DomainError(rule, "servers", len(table), "Study")
    servers: list[Server] = []
    targets: list[int] = []
    seen: dict[str, int] = {}
    for number, row in enumerate(table, start=1):
        server, is_target = _read_row(row, number, kind)
        if server.name in seen:
            rule = f"Names must be unique; row {seen[server.name]} has it too."
            raise DomainError(rule, "name", server.name, f"Row {number}")
        seen[server.name] = number
        servers.append(server)
        if is_target:
            targets.append(number)
    if kind == "federated":
        return FederatedStudy(servers=tuple(servers), **parameters)
    if len(targets) != 1:
        rule = 'A transfer study has exactly one row with role "target".'
        got = "none" if not targets else "rows " + ", ".join(map(str, targets[:5]))
        raise DomainError(rule, "role", Words(got), "Study")
    # Rows keep their order but for the target, which a study has first.
    target = servers.pop(targets[0] - 1)
    return TransferStudy(target=target, sources=tuple(servers), **parameters)


def _read_row(row: object, number: int, kind: str) -> tuple[Server, bool]:
    where = f"Row {number}"
    part = Fields.of(row, "A row", where, "servers")
    name = part.data.get("name")
    if isinstance(name, str) and name:
        where = f"Row {number} ({name[:80]!r})"
    part = Fields(part.data, where).keys({*OWN}, {*REQUIRED})
    role = part.data.get("role")
    allowed = ("target", "source") if kind == "transfer" else ()
    if "role" in part.data and (not isinstance(role, str) or role not in allowed):
        rule = (
            'role must be "target" or "source", or left out.'
            if allowed
            else "A federated study has no target: leave role out."
        )
        raise DomainError(rule, "role", role, where)
    given = {key: of for key, of in SERVER_FIELDS.items() if key in part.data}
    # A delta of null is one that is not stated.
    if part.data.get("delta") is None:
        given.pop("delta", None)
    values: dict[str, Any] = {key: part.number(key, of) for key, of in given.items()}
    try:
        return Server(name=name, **values), role == "target"  # type: ignore[arg-type]
    except DomainError as error:
        raise error.at(where) from None


def scope_to_dict(scope: Scope) -> dict[str, Any]:
    """Return the scope as plain data; what is not known is left out.

    >>> scope_to_dict(Scope(answers=(("outcome", "binary"),), smoothness=(0.5, 1)))
    {'version': 1, 'answers': {'outcome': 'binary'}, 'smoothness': [0.5, 1]}
    """
    out: dict[str, Any] = {"version": VERSION}
    if scope.answers:
        out["answers"] = dict(scope.answers)
    if scope.records_per_person is not None:
        out["records_per_person"] = scope.records_per_person
    for key in _RANGES:
        given = getattr(scope, key)
        if given is not None:
            out[key] = [plain(x) for x in given]
    if scope.signal:
        out["signal_exponent"] = {name: [plain(x) for x in r] for name, r in scope.signal}
    for key in _SAID:
        given = getattr(scope, key)
        if given not in (None, ()):
            out[key] = list(given) if key == "assumed" else given
    return out


def scope_from_dict(data: object, study: Study) -> Scope:
    """Read the scope of a study from plain data.

    Raises:
        DomainError: A key, answer or range is refused, or belongs to no site of the study.
    """
    known = {"version", "answers", "records_per_person", "signal_exponent", *_RANGES, *_SAID}
    part = Fields.of(data, "scope", "Scope", "scope").keys(known, {"version"}).version()
    said, signal = part.data, part.part("signal_exponent").data
    scope = Scope(
        answers=tuple(part.part("answers").data.items()),
        records_per_person=said.get("records_per_person"),
        signal=tuple(
            (name, Fields(signal, name).span(name, name="signal_exponent")) for name in signal
        ),
        use=said.get("use"),
        needed=said.get("needed"),
        gain=said.get("gain"),
        assumed=tuple(part.items("assumed", " of names")),
        **{key: part.span(key, of) for key, of in _RANGES.items() if key in said},
    )
    check(scope, study)
    return scope


def to_link(study: Study, scope: Scope | None = None) -> str:
    """Return the value of ``?study=``: compressed JSON in characters that need no escape.

    >>> from rates.study.scenario import FederatedStudy, Server
    >>> study = FederatedStudy(servers=[Server(name="A", n=5, epsilon=1)], smoothness=2)
    >>> from_link(to_link(study)) == study
    True
    """
    return pack(to_json(study, scope, indent=None))


def from_link(text: str) -> Study:
    """Read a study from the value of ``?study=``: the short form, or plain JSON.

    Raises:
        DomainError: The value is neither, or is cut, or too long.
    """
    return open_link(text)[0]


def open_link(text: str) -> tuple[Study, Scope | None]:
    """Read a study and its scope, None where the link has none, as `from_link` does."""
    rule = f"A link holds at most {MAX_LINK:,} characters; use a file for a larger study."
    if len(text) > MAX_LINK:
        raise DomainError(rule, "link", Words(f"{len(text):,} characters"))
    return open_json(unpack(text) if packed(text) else text)
