"""Elements and files as plain data, without what may change unseen; see screen_record.py."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import math
import re
import urllib.parse
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from streamlit.testing.v1.element_tree import Element, Widget

DIGITS = 9
MOST_TEXT = 400  # characters of an element's text; longer ones are stored once, by lines
# Names in the messages to the browser that are no content.
UNSEEN = {
    *("id", "key", "element_id", "form_id", "url", "urls", "page_script_hash", "page"),
    *("default", "value", "raw_value", "raw_values", "set_value", "deferred_file_id"),
    *("selected_indices", "query_string", "user_key", "ignore_rerun", "default_values"),
    *("is_fragment", "fragment_id", "max_upload_size_mb", "wrap", "element_type"),
}
# What a link says in one word stands; what is a text form of its own is replaced by "…".
WORDS = {"tab", "id", "page", "paper", "view", "embed", "embed_options", "verdict", "kind"}
_FORMS = "study|run|plan|at|detail|curator|constant|table"
_REPLACED = (
    (re.compile(rf"((?:[?&]|&amp;)(?:{_FORMS})=)[^&\s\"')<\]]+"), r"\1…"),
    (re.compile(r"\b\d[\d,]*(?:\.\d+)? (s|ms|seconds)\b(?!\.\w)"), r"# \1"),
    (re.compile(r"0x[0-9a-f]{6,}"), "0x…"),
    (re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC with (\S+) \d[\w.+]*\."), r"# UTC with \1 #."),
    (re.compile(r"Version \d[\w.+]*\."), "Version #."),
)
FILE = ("file_name", "mime")
_IMAGE = re.compile(r"data:(image/[\w+.-]+);base64,([A-Za-z0-9+/=]+)")


class Texts(dict[str, list[str]]):
    """Long texts by what names them, each stored once."""

    def keep(self, lines: list[str]) -> str:
        """Store lines; return their name."""
        name = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]
        self[name] = lines
        return name


def element(node: Element, path: list[str], texts: Texts) -> dict[str, Any]:
    """Return what a visitor sees of an element, and in what it stands."""
    kind = node.type
    out: dict[str, Any] = {"type": kind}
    if path:
        out["in"] = " > ".join(path)
    fields = _plain(node.proto, whole=not isinstance(node, Widget) and kind != "file_uploader")
    if kind == "plotly_chart":
        fields = _figure(node.proto)
    elif kind in ("dataframe", "arrow_data_frame", "table", "arrow_table"):
        out["table"] = _table(node.value)
        if columns := getattr(node.proto, "columns", ""):
            fields["columns"] = _without_none(json.loads(columns))
    elif isinstance(node, Widget) and kind not in ("button", "download_button"):
        out["value"] = _value(node)
    if kind == "page_link":
        fields["to"] = node.proto.page
        fields["with"] = query(node.proto.query_string)
    if kind in ("link_button",):
        fields["to"] = _link(node.proto.url)
    out.update(fields)
    return _shortened(out, texts)


def _value(node: Widget) -> Any:
    """What a control shows, as the browser sends it: options by their words."""
    if node.type == "file_uploader":
        files = node.value if isinstance(node.value, list) else [node.value]
        return [f"{file.name}, {file.size} bytes" for file in files if file]
    state = node._widget_state
    for field, value in state.ListFields():
        if field.name == "id":
            continue
        data = getattr(value, "data", value)
        if isinstance(data, str | int | float | bool):
            return data
        try:
            return list(data)
        except TypeError:
            return str(data)
    return None


def _plain(message: Any, *, whole: bool) -> dict[str, Any]:
    """A message to the browser as plain data, without what is no content."""
    out: dict[str, Any] = {}
    for field, value in message.ListFields():
        if field.name in UNSEEN and not (whole and field.name == "value"):
            continue
        name = "style" if field.name == "type" else field.name
        if name == "label_visibility":
            if value.value:
                out[name] = (
                    value.DESCRIPTOR.fields_by_name["value"]
                    .enum_type.values_by_number[value.value]
                    .name
                )
            continue
        if field.cpp_type == field.CPPTYPE_MESSAGE:
            if field.message_type.GetOptions().map_entry:
                out[name] = {str(k): str(v) for k, v in value.items()}
            elif isinstance(value, list) or hasattr(value, "add"):
                out[name] = [_plain(entry, whole=whole) for entry in value]
            else:
                out[name] = _plain(value, whole=whole)
        elif field.cpp_type == field.CPPTYPE_ENUM and isinstance(value, int):
            out[name] = field.enum_type.values_by_number[value].name
        elif isinstance(value, str | int | float | bool):
            out[name] = value
        elif not isinstance(value, bytes):
            out[name] = [entry for entry in value if not isinstance(entry, bytes)]
    return out


def _without_none(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _without_none(v) for k, v in value.items() if v is not None}
    return value


def _shortened(value: Any, texts: Texts) -> Any:
    """The same with texts as they are compared, and long ones stored once."""
    if isinstance(value, str):
        text = _text(value)
        if len(text) <= MOST_TEXT:
            return text
        return {"text": texts.keep(text.splitlines())}
    if isinstance(value, Mapping):
        return {k: _shortened(v, texts) for k, v in value.items()}
    if isinstance(value, list):
        return [_shortened(v, texts) for v in value]
    if isinstance(value, float):
        return number(value)
    return value


# Pieces ----------------------------------------------------------------------------------------


def number(value: float) -> float | str | int:
    """A number as it is stored: rounded, in strict JSON."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    rounded = float(f"{value:.{DIGITS}g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded


def _text(text: str) -> str:
    for pattern, shown in _REPLACED:
        text = pattern.sub(shown, text)
    return text


def query(text: str) -> dict[str, str]:
    pairs = urllib.parse.parse_qsl(text.lstrip("?"), keep_blank_values=True)
    return {k: v if k in WORDS else "…" for k, v in pairs}


def _link(url: str) -> dict[str, Any]:
    parts = urllib.parse.urlsplit(url)
    return {"path": parts.path, "with": query(parts.query)}


def _figure(proto: Any) -> dict[str, Any]:
    """A figure's specification; its arrays as numbers, however they are packed."""
    out: dict[str, Any] = {"spec": _numbers(json.loads(proto.spec))}
    if proto.config:
        out["config"] = json.loads(proto.config)
    for name in ("alt", "theme", "selection_mode"):
        value = getattr(proto, name, None)
        if value:
            out[name] = value if isinstance(value, str) else [int(v) for v in value]
    return out


def _numbers(value: Any) -> Any:
    if isinstance(value, Mapping):
        if {"dtype", "bdata"} <= set(value):
            array = np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"])
            if shape := value.get("shape"):
                array = array.reshape([int(n) for n in str(shape).split(",")])
            return _numbers(array.tolist())
        return {k: _numbers(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_numbers(v) for v in value]
    if isinstance(value, float):
        return None if math.isnan(value) else number(value)
    return value


def _table(frame: Any) -> list[str]:
    """A table by lines."""
    if frame is None:
        return []
    plain = frame.reset_index(drop=True)
    lines = [" | ".join(map(str, plain.columns))]
    for row in plain.itertuples(index=False):
        lines.append(" | ".join(_cell(x) for x in row))
    if not (frame.index == range(len(frame))).all():
        lines.append("rows: " + " | ".join(map(str, frame.index)))
    return lines


def _cell(value: Any) -> str:
    if isinstance(value, float | np.floating):
        return str(number(float(value)))
    return str(value)


# Files -----------------------------------------------------------------------------------------


def file(found: Mapping[str, Any], texts: Texts) -> dict[str, Any]:
    """Return a download with its content."""
    data = found["data"]
    if callable(data):
        try:
            data = data()
        except Exception as error:  # what the visitor would meet
            data = f"{type(error).__name__}: {error}"
    out = {"type": "file", "label": found["label"]} | {k: found[k] for k in FILE}
    name = str(found["file_name"])
    if name.endswith(".zip"):
        return out | {"content": _archive(data, texts)}
    return out | {"content": {"text": texts.keep(_lines(name, data))}}


def _archive(data: bytes, texts: Texts) -> dict[str, Any]:
    """The files of an archive; of pictures that depend on the machine nothing is stored."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = sorted(name for name in archive.namelist() if not name.endswith(".png"))
        return {name: {"text": texts.keep(_lines(name, archive.read(name)))} for name in names}


def _lines(name: str, data: Any) -> list[str]:
    if hasattr(data, "read"):
        data = data.read()
    try:
        text = data.decode("utf-8") if isinstance(data, bytes | bytearray) else str(data)
    except UnicodeDecodeError:
        return [f"bytes {hashlib.sha256(data).hexdigest()[:16]}"]
    text = _IMAGE.sub(_picture, text)
    if name.endswith((".html", ".svg")):
        text = re.sub(r">\s*<", ">\n<", text)
    return _text(text).splitlines()


def _picture(found: re.Match[str]) -> str:
    data = base64.b64decode(found[2])
    if found[1] == "image/svg+xml":
        return f"picture {found[1]}: {data.decode()}"
    return f"picture {found[1]}, {hashlib.sha256(data).hexdigest()[:16]}"
