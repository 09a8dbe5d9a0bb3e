"""[CAC]: the correlation of columns at two servers, simulated."""

from sims.cac import two_servers
from sims.cac.two_servers import APART, LISTENING, SPLIT
