"""The report on a study, and its files."""

from pages.core import Address as Link
from pages.core import Block, Chapter as Section, Code, Room, Table, document
from pages.report import sections, subject
from pages.report.subject import Subject
