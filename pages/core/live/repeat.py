"""A run on a file of one's own: the lines of Python that repeat it."""

from __future__ import annotations

from collections.abc import Iterable

from sims.engine import Request
from sims.files import to_dict

_ALWAYS = (
    "from sims.experiment import Request",
    "from sims.files import to_csv",
    "from sims.run import run",
)


def lines(request: Request, name: str, imports: Iterable[str], experiment: str) -> str:
    """Return the lines that repeat a run.

    Args:
        request: The run.
        name: What the file holds: it is read by ``read_<name>``.
        imports: Lines that import what is needed besides.
        experiment: What is run on it.
    """
    plain = to_dict(request)
    needed = "\n".join(sorted([*_ALWAYS, *imports]))
    return (
        f"from pathlib import Path\n\n{needed}\n\n"
        f'{name} = read_{name}(Path("{name}.csv").read_bytes())  # the file that was uploaded\n'
        "request = Request(\n"
        f"    experiment={experiment},\n"
        f"    values={plain['parameters']!r},\n"
        f"    replicates={plain['replicates']},\n"
        f"    seed={plain['seed']},\n"
        ")\n"
        "for progress in run(request):\n"
        "    pass\n"
        "print(to_csv(progress))\n"
    )
