"""Read the lines of Python under a page's figures, and run them in a process of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.pages.driver import ROOT

RUNNER = """
import json, sys
from pages.charts import spec
out = []
for text in json.load(sys.stdin):
    space = {}
    exec(compile(text, "lines", "exec"), space)
    out.append(json.loads(spec.figure(space["drawn"].figure).to_json()))
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
    """The figures of a page with their lines; every figure has some."""
    figures = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    texts = [code.value for code in app.code if "svg.draw(" in code.value]
    assert len(figures) == len(texts) > 0
    return list(zip(figures, texts, strict=True))
