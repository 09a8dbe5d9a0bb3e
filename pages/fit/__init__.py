"""My study, does it apply: what covers it, what is not known, alternatives, promises."""
