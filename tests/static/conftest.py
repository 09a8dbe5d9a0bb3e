"""The builder of the static folder lies outside the packages: its folder is put on the path."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / ".static"))
