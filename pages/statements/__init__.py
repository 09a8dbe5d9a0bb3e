"""Evidence, theorems checked: the ledger, one entry, and a sheet for a paper's authors."""
