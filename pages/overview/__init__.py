"""The overview: what this is, and where to begin."""
