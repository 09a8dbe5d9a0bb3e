"""The toy seventh paper is no part of the tests: one of them builds a house with it."""

collect_ignore = ["seventh_paper"]
