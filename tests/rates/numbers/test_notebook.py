"""What a notebook shows of a record: every field, every text escaped; one short line as text."""

from __future__ import annotations

from dataclasses import dataclass, fields
from html.parser import HTMLParser

import pytest

import rates
from rates.numbers import Shown
from rates.study import FederatedStudy, Server, preset


@dataclass(frozen=True)
class Toy(Shown):
    text: str
    sites: tuple[Server, ...]


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag, attrs):
        assert not attrs
        self.tags.append(tag)

    def handle_data(self, data):
        self.texts.append(data)


def read(record) -> Reader:
    reader = Reader()
    reader.feed(record._repr_html_())
    return reader


def test_text_is_text():
    name = "<script>alert(1)</script> & 'x'"
    shown = read(Toy(name, (Server(name=name, n=3, epsilon=0.125),)))
    assert set(shown.tags) == {"table", "caption", "tr", "th", "td"}
    assert shown.texts.count(name) == 2
    assert {"3", "0.125", "None"} <= set(shown.texts)


@pytest.mark.parametrize("key", ["hospitals", "unequal"])
def test_every_field_is_there_and_the_line_is_short(key):
    study = preset(key).study
    for record in (study, rates.solve(study)):
        assert {field.name for field in fields(record)} <= set(read(record).texts)
    assert len(repr(rates.solve(study))) < 600


def test_a_long_line_says_how_many_there_are():
    sites = [Server(name=f"s{k}", n=100, epsilon=1) for k in range(50)]
    answer = rates.solve(FederatedStudy(servers=sites, smoothness=2))
    assert repr(answer).count("... 50 in all") == 4
    assert "shares=(0.02, 0.02, 0.02, 0.02, ... 50 in all)" in repr(answer.integrated)
