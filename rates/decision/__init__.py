"""What a planner decides on: four questions, each answered by both answers or left undecided."""

from rates.decision.questions import Decision, HowMany, RunIt, WhichBudget, Who, decide
from rates.decision.look import Look, MOVES, budget_factor, looks, records_factor
from rates.decision.wording import Sentence, sentences
