"""The app's pages: widgets and words, no formulas."""

import sys

# Visitors' threads take turns: with Python's 5 ms a page of 160 messages, each of which lets
# others in, would wait as often for one who computes without a pause.
sys.setswitchinterval(0.0005)
