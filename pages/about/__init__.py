"""Where this comes from: the papers, the glossary, how to cite."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # loads when it is imported from here
    from pages.about import page
