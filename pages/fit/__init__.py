"""Does it apply?: what covers a study, what is not known, its alternatives, its promises."""
