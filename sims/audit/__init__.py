"""Can an attacker tell? An empirical audit of every mechanism that passes the gate."""

from sims.audit.experiment import AUDIT, Bound, bounds, lower_bound
from sims.audit.mechanisms import AUDITED, BY_NAME
from sims.audit.setup import Audited
