"""Lessons: predict, lock, see, explain; alone, and what a class is given."""

from pages.lessons import arriving, fields, page, reveals, said
from pages.lessons.progress import PROGRESS, Progress
