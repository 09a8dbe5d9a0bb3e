"""The report on a study, and its files."""

from pages.parts.report import files, sections, subject
from pages.parts.report.html import Block, Code, Link, Room, Section, Table, document
from pages.parts.report.subject import Subject
