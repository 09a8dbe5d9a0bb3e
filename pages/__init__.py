"""The app's pages: widgets and words, no formulas."""
