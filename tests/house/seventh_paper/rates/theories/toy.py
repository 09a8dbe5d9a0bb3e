"""What [TOY] says of a study."""

from __future__ import annotations

from rates.study import Scope, Study
from rates.theories.says import HELPS, Said, of_all


def toy(study: Study, scope: Scope) -> list[Said]:
    """Say that every site helps."""
    return of_all(study, HELPS, "Every record makes the mean better.", "[TOY] Section 1")
