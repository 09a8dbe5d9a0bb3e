"""The command that opens the app."""

import sims  # before NumPy is loaded: linear algebra on one thread
from pages.parts.serve.command import main
