"""Run it? For whom it pays, against doing nothing; who may stay out; where that turns."""

from rates.decision.case import check_use, decide, use_of
from rates.decision.records import (
    Against, Decision, Doubling, FLOOR, LOSS, MOVES, Tip, User, VERDICTS, WORTH, judged, threshold,
)
from rates.decision.wording import Sentence, sentences
