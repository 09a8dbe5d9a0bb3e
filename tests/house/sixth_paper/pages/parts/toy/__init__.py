"""Widgets and words of [TOY]."""

from __future__ import annotations

from pages.parts.toy.mean import TAB
