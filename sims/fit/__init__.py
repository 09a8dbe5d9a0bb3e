"""Constants calibrated by simulation, and exact risks of a study's rivals."""

from sims.fit.calibration import Absolute, Calibration, risk_of, sample_size
from sims.fit.classifier_rivals import exact_classifier_risks
from sims.fit.pilot import calibrate_pilot
from sims.fit.rival_risks import Risks, exact_risks
from sims.fit.worlds import World, calibrate, title_of, worlds_for
