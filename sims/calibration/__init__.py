"""Constants calibrated by simulation, and exact risks of a study's rivals."""

from sims.calibration.calibration import Absolute, Calibration, risk_of
from sims.calibration.rivals import Risks, exact_classifier_risks, exact_risks
from sims.calibration.worlds import World, calibrate, title_of, worlds_for
