"""Lessons: predict, lock, see, explain; alone, and what a class is given."""

from pages.parts.lessons import reveals
