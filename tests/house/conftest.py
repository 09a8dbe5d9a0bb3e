"""The toy sixth paper is no part of the tests: one of them builds a house with it."""

collect_ignore = ["sixth_paper"]
