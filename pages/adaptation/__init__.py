"""Try it, public data [BCMM]: public records beside private ones."""
