"""Tables as sites of a study, for tests."""

from __future__ import annotations

from rates.rows import read, tables
from rates.study import Study, codec


def with_csv(study: Study, text: str | bytes) -> Study:
    """Put the sites of a table into a study, keeping its kind and parameters."""
    kind = study.kind
    parameters = {kind: {k: getattr(study, k) for k in codec.PARAMETERS[kind]}}
    return tables.study_of(read(text, kind=kind), kind, parameters)
