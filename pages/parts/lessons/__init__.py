"""Lessons: predict, lock, see, explain; alone, and what a class is given."""

from pages.parts.lessons import arriving, fields, page, reveals, said
from pages.parts.lessons.progress import PROGRESS, Progress
