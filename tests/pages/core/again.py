"""Read the lines of Python under a page's figures, and run them in a process of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.pages.driver import ROOT, details

RUNNER = """
import json, sys
from pages.charts import spec
out = []
for text in json.load(sys.stdin):
    space = {}
    exec(compile(text, "lines", "exec"), space)
    out.append(json.loads(spec.Sent(space["drawn"].figure).to_json()))
json.dump(out, sys.stdout)
"""


def run(texts, folder):
    """Run each text in a fresh namespace of one fresh process; the figures they draw."""
    done = subprocess.run(
        [sys.executable, "-c", RUNNER],
        input=json.dumps(texts),
        capture_output=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
        check=False,
    )
    assert not done.returncode, done.stderr[-2000:]
    return json.loads(done.stdout)


def cards(app):
    """The figures of a page with their lines, which each has; None for a picture's still."""
    found, last = [], ""
    details(app)
    for node in _nodes(app.main):
        if node.type == "plotly_chart":
            assert last == ""  # the one before had lines
            last = json.loads(node.proto.spec)
        elif node.type == "image":
            last = None
        elif node.type == "code" and "svg.draw(" in node.value:
            found.append((last, node.value))
            last = ""
    assert found
    assert last == ""
    return found


def _nodes(node):
    for _, child in sorted(getattr(node, "children", {}).items()):
        yield child
        yield from _nodes(child)
