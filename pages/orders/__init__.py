"""Maps, my own rate: typed, typeset, mapped, and what is claimed of it decided."""
