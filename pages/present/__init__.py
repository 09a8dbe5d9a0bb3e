"""The presenter: one question of a list of lessons on one screen."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # each loads when it is imported from here
    from pages.present import page
