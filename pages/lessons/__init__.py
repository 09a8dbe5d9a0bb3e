"""Teach, lessons: predict, lock, see, explain; alone, and what a class is given."""

from pages.lessons.progress import PROGRESS
from pages.lessons.task import Task, reading, sites_line, tasks
