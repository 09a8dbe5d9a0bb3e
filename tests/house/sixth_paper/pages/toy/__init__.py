"""Widgets and words of [TOY]."""

from __future__ import annotations

from pages.toy.mean import TAB
