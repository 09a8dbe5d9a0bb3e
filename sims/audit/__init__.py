"""Can an attacker tell? An empirical audit of every mechanism that passes the gate."""

from sims.audit.experiment import Bound, bounds, lower_bound
from sims.audit.experiment import AUDIT
from sims.audit.mechanisms import AUDITED, find
from sims.audit.setup import Audited
