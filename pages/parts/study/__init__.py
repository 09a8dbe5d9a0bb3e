"""Widgets and words of the study page."""

from pages.parts.study import (
    balance, brought, examples, levers, page, parameters, pictures, sites, verdict, why,
)
from pages.parts.study.verdict import FREE, RISKS
