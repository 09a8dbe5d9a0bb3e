"""The app's pages: widgets and words, no formulas.

Read `core` first: a view asks by fields, computes by a section and shows blocks, and all that it
asks for stands in the address. Then `current` (the visitor's study), `charts`, `pictures`, and the
views, by the names that `app.py` gives them.
"""

import sys

# Visitors' threads take turns: with Python's 5 ms a page of 160 messages, each of which lets
# others in, would wait as often for one who computes without a pause.
sys.setswitchinterval(0.0005)
