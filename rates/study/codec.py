"""Studies as JSON files and as links, with a short form for the address bar.

Version 1 of the format is in the README of this package. Everything that comes in is
checked here once; what is not understood is refused, never skipped.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import math
import re
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

from rates.numbers import (
    FEDERATED_FIELDS,
    MAX_ROWS,
    SERVER_FIELDS,
    TRANSFER_FIELDS,
    DomainError,
    Words,
    shown,
)
from rates.rows import MAX_BYTES, OWN, REQUIRED, decode, exact_float
from rates.study.scenario import FederatedStudy, Server, Study, TransferStudy
from rates.study.scope import Range, Scope, check, fitted

VERSION = 1
MAX_LINK = 8_000
MAX_DEPTH = 50  # brackets in brackets; ours, far beyond what any file needs
_SERVER_KEYS = set(OWN)
PARAMETERS = {"transfer": TRANSFER_FIELDS, "federated": FEDERATED_FIELDS}
_OPTIONAL = {"integrability"}
_RANGES = ("prevalence", "smoothness", "margin", "integrability")
_SAID = ("use", "needed", "gain", "assumed")
_SHORT = "~"  # a link in the short form starts with this mark and the version


def to_dict(study: Study, scope: Scope | None = None) -> dict[str, Any]:
    """Return the study as plain data; fields at their stated defaults are left out.

    A scope comes along as a part of its own, without ranges of sites that the study lacks.
    """
    kind = "transfer" if isinstance(study, TransferStudy) else "federated"
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
        if value != usual[name]:
            row[name] = value if name == "delta" else plain(value)
    return row


def plain(x: float) -> float | int | str:
    """Return a number as a file holds it: whole where it is whole, infinity as text."""
    if math.isinf(x):
        return "inf"
    return int(x) if float(x).is_integer() and abs(x) < 2**53 else x


def to_json(study: Study, scope: Scope | None = None, *, indent: int | None = 2) -> str:
    """Return the study as strict JSON.

    >>> from rates.study.scenario import FederatedStudy, Server
    >>> study = FederatedStudy(servers=[Server(name="A", n=5, epsilon=1)], smoothness=2)
    >>> from_json(to_json(study)) == study
    True
    """
    separators = (",", ":") if indent is None else None
    data = to_dict(study, scope)
    return json.dumps(data, indent=indent, separators=separators, allow_nan=False)


def to_python(study: Study) -> str:
    """Return the lines of Python that make the study and print both answers.

    >>> from rates.study.scenario import FederatedStudy, Server
    >>> study = FederatedStudy(servers=[Server(name="A", n=5, epsilon=1)], smoothness=2)
    >>> print(to_python(study).splitlines()[4])
        rates.Server(name='A', n=5, epsilon=1),
    """
    data = to_dict(study)
    transfer = isinstance(study, TransferStudy)
    lines = ["import math", "import rates", "", "servers = ["]
    for row in data["servers"]:
        fields = {k: v for k, v in row.items() if k != "role"}
        shown_fields = (f"{k}={'math.inf' if v == 'inf' else repr(v)}" for k, v in fields.items())
        lines.append(f"    rates.Server({', '.join(shown_fields)}),")
    lines += ["]", f"study = rates.{type(study).__name__}("]
    sites = ["target=servers[0]", "sources=servers[1:]"] if transfer else ["servers=servers"]
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
    data = load_json(decode(text))
    study = from_dict(data)
    part = data.get("scope") if isinstance(data, Mapping) else None
    return study, None if part is None else scope_from_dict(part, study)


def from_dict(data: object) -> Study:
    """Read a study from plain data, as `from_json` does; a scope is checked and left out."""
    if not isinstance(data, Mapping):
        raise DomainError("A study must be a JSON object.", "study", data)
    if data.get("version") != VERSION or isinstance(data.get("version"), bool):
        rule = f"version must be {VERSION}, the only one this program reads."
        raise DomainError(rule, "version", data.get("version"), "Study")
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in PARAMETERS:
        raise DomainError('kind must be "transfer" or "federated".', "kind", kind, "Study")
    fields = PARAMETERS[kind]
    known = {"version", "kind", "servers", "scope", *fields}
    check_keys(data, known, {"servers", *fields} - _OPTIONAL, "Study")
    parameters = {
        key: _number(data[key], key, "Study", infinite=key == "integrability")
        for key in fields
        if key in data
    }
    rows = data["servers"]
    if not isinstance(rows, list):
        raise DomainError("servers must be a list.", "servers", rows, "Study")
    study = build(kind, parameters, rows)
    if data.get("scope") is not None:
        scope_from_dict(data["scope"], study)
    return study


def build(kind: str, parameters: Mapping[str, Any], rows: Iterable[object]) -> Study:
    """Make a study of ``kind`` from parameters and rows of plain data.

    Rows are what a file holds: mappings with the columns of `rates.rows.OWN`, infinity as
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
    target = servers.pop(targets[0] - 1)
    return TransferStudy(target=target, sources=tuple(servers), **parameters)


def _read_row(row: object, number: int, kind: str) -> tuple[Server, bool]:
    where = f"Row {number}"
    if not isinstance(row, Mapping):
        raise DomainError("A row must be a JSON object.", "servers", row, where)
    name = row.get("name")
    if isinstance(name, str) and name:
        where = f"Row {number} ({name[:80]!r})"
    check_keys(row, _SERVER_KEYS, set(REQUIRED), where)
    role = row.get("role")
    allowed = ("target", "source") if kind == "transfer" else ()
    if "role" in row and (not isinstance(role, str) or role not in allowed):
        rule = (
            'role must be "target" or "source", or left out.'
            if allowed
            else "A federated study has no target: leave role out."
        )
        raise DomainError(rule, "role", role, where)
    values: dict[str, Any] = {}
    for key in SERVER_FIELDS:
        if key not in row or (key == "delta" and row[key] is None):
            continue
        values[key] = _number(row[key], key, where, infinite=key == "epsilon")
    try:
        return Server(name=name, **values), role == "target"  # type: ignore[arg-type]
    except DomainError as error:
        raise error.at(where) from None


def _number(value: object, field: str, where: str, *, infinite: bool = False) -> object:
    """Return a JSON number; "inf" where infinity has a meaning."""
    if infinite and isinstance(value, str) and value == "inf":
        return math.inf
    if isinstance(value, float) and math.isinf(value):
        rule = f"{field} must be a finite number{' or the text inf' if infinite else ''}."
        raise DomainError(rule, field, Words("a number too large to hold"), where)
    if isinstance(value, bool) or not isinstance(value, int | float):
        rule = f"{field} must be a number{' or the text inf' if infinite else ''}."
        raise DomainError(rule, field, value, where)
    return value


def check_keys(data: Mapping[Any, Any], known: set[str], required: set[str], where: str) -> None:
    """Raise `DomainError` for a key that is not known, or one that is required and absent."""
    for key in data:
        if key not in known:
            rule = f"Unknown key; known are {', '.join(sorted(known))}."
            raise DomainError(rule, shown(key)[1:-1], key, where)
    for key in sorted(required):
        if key not in data:
            raise DomainError(f"{key} is required.", key, Words("nothing"), where)


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
    where = "Scope"
    known = {"version", "answers", "records_per_person", "signal_exponent", *_RANGES, *_SAID}
    check_keys(_mapping(data, "scope"), known, {"version"}, where)
    part = _mapping(data, "scope")
    if part["version"] != VERSION or isinstance(part["version"], bool):
        raise DomainError(f"version must be {VERSION}.", "version", part["version"], where)
    answers = _mapping(part.get("answers", {}), "answers")
    signal = _mapping(part.get("signal_exponent", {}), "signal_exponent")
    ranges: dict[str, Any] = {key: _range(part[key], key, where) for key in _RANGES if key in part}
    assumed = part.get("assumed", [])
    if not isinstance(assumed, list):
        raise DomainError("assumed must be a list of names.", "assumed", assumed, where)
    scope = Scope(
        answers=tuple(answers.items()),
        records_per_person=part.get("records_per_person"),
        signal=tuple((name, _range(x, "signal_exponent", name)) for name, x in signal.items()),
        use=part.get("use"),
        needed=part.get("needed"),
        gain=part.get("gain"),
        assumed=tuple(assumed),
        **ranges,
    )
    check(scope, study)
    return scope


def _mapping(data: object, field: str) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise DomainError(f"{field} must be a JSON object.", field, data, "Scope")
    return data


def _range(data: object, field: str, where: str) -> Range:
    if not isinstance(data, list) or len(data) != 2:
        rule = "A range is a list of two numbers, the lower one first."
        raise DomainError(rule, field, data, where)
    low, high = (_number(x, field, where, infinite=field == "integrability") for x in data)
    return low, high  # type: ignore[return-value]


def load_json(text: str) -> object:
    """Return what strict JSON says; no NaN, infinity, duplicate keys, over- or underflow.

    Raises:
        DomainError: It is not strict JSON, or nested deeper than `MAX_DEPTH`.
    """
    _check_depth(text)
    try:
        return json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_refuse_constant,
            parse_float=exact_float,
            parse_int=_exact_int,
        )
    except DomainError:
        raise
    except (ValueError, RecursionError) as error:
        detail = str(error).splitlines()[0] if str(error) else "unreadable"
        raise DomainError("The text must be JSON.", "file", Words(detail[:80])) from None


def _check_depth(text: str) -> None:
    """Count brackets before the reader does: it takes a piece of the stack for each."""
    depth = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', text, re.S):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > MAX_DEPTH:
            rule = f"JSON may have at most {MAX_DEPTH} brackets open at once."
            raise DomainError(rule, "file", Words("more"))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in pairs:
        if key in out:
            where = f"Server {out['name']!r}" if isinstance(out.get("name"), str) else ""
            rule, field = "A key may appear once only.", shown(key)[1:-1]
            raise DomainError(rule, field, key, where)
        out[key] = value
    return out


def _refuse_constant(text: str) -> object:
    rule = 'JSON has no NaN or Infinity; write infinity as the text "inf".'
    raise DomainError(rule, "file", text)


def _exact_int(text: str) -> int | float:
    if len(text) > 300:
        rule = "A number must lie within floating point, 1e-307 to 1e308 in size."
        raise DomainError(rule, "file", Words(f"{text[:20]}..."))
    return int(text)


def to_link(study: Study, scope: Scope | None = None) -> str:
    """Return the value of ``?study=``: compressed JSON in characters that need no escape.

    >>> from rates.study.scenario import FederatedStudy, Server
    >>> study = FederatedStudy(servers=[Server(name="A", n=5, epsilon=1)], smoothness=2)
    >>> from_link(to_link(study)) == study
    True
    """
    return pack(to_json(study, scope, indent=None))


def pack(text: str) -> str:
    """Return a text compressed, in characters that need no escape in an address.

    >>> unpack(pack("α = 1")).decode()
    'α = 1'
    """
    packed = zlib.compress(text.encode(), 9)
    return f"{_SHORT}{VERSION}" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


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
    if not text.startswith(_SHORT):
        return open_json(text)
    return open_json(unpack(text))


def unpack(text: str) -> bytes:
    """Return what `pack` was given, as bytes; at most `MAX_BYTES` of it.

    Raises:
        DomainError: The text is of another version, or cut, or changed.
    """
    mark, body = text[:2], text[2:]
    if mark != f"{_SHORT}{VERSION}":
        raise DomainError(f"The link's version must be {VERSION}.", "link", mark[1:])
    rule = "The link must be whole: it seems to have been cut or changed."
    reader = zlib.decompressobj()
    try:
        packed = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
        data = reader.decompress(packed, MAX_BYTES)
    except (ValueError, zlib.error):
        raise DomainError(rule, "link", body) from None
    if not reader.eof or reader.unused_data:
        raise DomainError(rule, "link", body)
    return data
