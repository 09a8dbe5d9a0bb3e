"""Try it, real records: sites, slopes, and what theory does not see."""
