"""Teach, lessons: predict, lock, see, explain; alone, and what a class is given."""

from pages.lessons.task import PROGRESS, Task, reading, sites_line, tasks
