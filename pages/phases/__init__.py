"""Maps, what binds where: the term of the rate that decides, and where that changes."""
