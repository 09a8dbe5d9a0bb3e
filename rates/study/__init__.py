"""What is stated: sites, studies, scope, and how they are read and written."""

from rates.study import codec
from rates.study.codec import OWN, REQUIRED
from rates.study.guarantee import EMPTY, Guarantee, advantage, at_two_sites, for_person, guarantees
from rates.study.presets import PRESETS, Preset, matching, preset, scope_of
from rates.study.scenario import FederatedStudy, Server, Study, TransferStudy, columns
from rates.study.scope import (
    Fit, GAIN, NEEDED, PARAMETERS, Range, Scope, UNKNOWN, USUAL_GAIN, alike, check, checked,
    fits, fitted, theory_for,
)
from rates.study.scope_rules import QUESTIONS, USES
