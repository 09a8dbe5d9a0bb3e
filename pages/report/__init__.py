"""The report on a study: its first page, its sections, and the files beside it."""

from pages.core import Address as Link
from pages.core import Block, Chapter as Section, Code, Room, Table, document
from pages.report import sections, subject
from pages.report.subject import Subject
