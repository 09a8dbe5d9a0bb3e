"""Widgets and words of the study page."""

from pages.parts.study import (
    balance, brought, examples, levers, page, parameters, pictures, questions, sites, verdict,
    why, world,
)
from pages.parts.study.verdict import FREE, RISKS
