"""Where this comes from: the papers, the glossary, how to cite."""

from pages.parts.about import cite, lookup, page
