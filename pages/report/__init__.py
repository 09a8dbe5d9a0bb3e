"""The report on a study, and its files."""

from pages.report import files, sections, subject
from pages.report.html import Block, Code, Link, Room, Section, Table, document
from pages.report.subject import Subject
