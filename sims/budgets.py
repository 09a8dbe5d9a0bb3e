"""What one visitor may ask of a server: limits of ours, each said on the page where it binds.

Sizes of what may be read (rows, files, links) stand with their readers. None of the time limits
below holds for the command line or Python, and of the sizes only the first ones do.
"""

from __future__ import annotations

# At home too: a request names its points before it is run, and the values of all are kept. It has
# so many points, and so many points times replicates.
POINTS, EVALUATIONS = 2_000, 5_000_000
# Studies of more rows: no exact risks of the rivals, and no simulation.
RISK_ROWS, SIMULATED_ROWS = 100, 200

# On pages alone: a live run ends after so many seconds of computing, or so many estimates.
RUN_SECONDS, RUN_EVALUATIONS = 120.0, 400_000
# Its page is drawn after the first step of so many seconds, and after each later one.
FIRST_STEP, NEXT_STEP = 0.1, 0.3
# So many live runs compute at a time, one of a visitor; so many more wait for a place.
PLACES, QUEUE = 2, 50
# A run that waits asks for its place every so many seconds; one that does not ask loses it.
ASKS_EVERY, LEASE = 1.5, 15.0
# A run that others held up gives way for as long as they did, and for so many seconds at most.
GIVES_WAY = 2.0
# The runs of volunteers: after so many seconds no further one is begun.
VOLUNTEERS_SECONDS = 15.0
# The cheapest mix of offers is searched for so long, for each answer.
SEARCH_SECONDS = 3.0
# Studies of more rows: no made-up world beside the verdict,
WORLD_ROWS = 40
# no answers over ranges in a report,
REPORT_ROWS = 200
# no total that is split over the sites,
SPLIT_ROWS = 500
# and no answers over ranges, which take memory as the square.
RANGE_ROWS = 1_000
