"""Widgets and words of the plan page."""

from pages.parts.plan import designs, goal, levers, money, page, report, sites, state, view
from pages.parts.plan.goal import Goal
from pages.parts.plan.view import View
