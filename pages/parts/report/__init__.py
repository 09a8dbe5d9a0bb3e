"""The report on a study, and its files."""

from pages.parts.report import files, sections, subject
from pages.parts.report.html import Block, Section, Table
from pages.parts.report.subject import Subject
