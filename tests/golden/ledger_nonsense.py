"""Edit a copy of the ledger at random and ask whether what checks it notices.

    python tests/golden/ledger_nonsense.py --seed 1 --count 300

An edit changes one thing of the texts, as they are read, or of the certificates. What notices it is
counted by the first that does: the reader, the draws, what every entry keeps to with its quote in
the paper's text, the certificates, or nothing but the digest of the text that was checked. The
texts are edited and judged in this process; what an edit leaves alone is judged once.
"""

from __future__ import annotations

import argparse
import copy
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from rates.ledger import CATEGORIES, PAPERS, certificate, check, review, verdicts, verify
from rates.ledger import entry as _  # noqa: F401
