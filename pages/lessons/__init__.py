"""Teach, lessons: predict, lock, see, explain; alone, and what a class is given."""

from pages.lessons import reading
from pages.lessons.progress import PROGRESS
from pages.lessons.task import Task, tasks
