"""What a phone is told: who sees what, what is protected and how far, and what is not."""

from __future__ import annotations

from pages.charts import words
from rates.study import advantage
from rates.tally import coin_error, laplace_error, truth_chance
from sims.classroom import (
    AGAIN,
    CARDS,
    COINS,
    CURATOR,
    LEAST_SHOWN,
    LOBBY,
    OPEN,
    PLAIN,
    TALK,
    Seen,
)  # fmt: skip
from sims.lessons import TRANSFER, question, truth

WAITING = "The next question appears here by itself."
TALKING = "The vote is closed. Talk to your neighbour; you can vote again after that."
CLOSED = "The vote is closed. Look at the screen."
SENT = "Your answer is stored."
ENDING = "All its answers are deleted with it. Phones that are in it are told that it is gone."
GONE = "This page looks again by itself; if the room has ended, nothing more comes."
NAMES = {
    PLAIN: "Answers without protection",
    COINS: "Coins on the phone",
    CURATOR: "A curator who adds noise",
    CARDS: "Dealt cards",
}

KINDS = {
    PLAIN: "Predictions of lessons: nothing private. Two rounds, histograms, then the truth.",
    COINS: "Yes or no, tossed on each phone before it leaves: nobody has to be trusted. One "
    "answer.",
    CURATOR: "Yes or no, counted by the server, which adds noise once and deletes the count: it is "
    "trusted until then. One answer.",
    CARDS: "Yes or no from a dealt card: nothing private, so the truth may be shown, and both "
    "errors of one class beside it.",
}

SCREEN = {
    LOBBY: "The vote is not open yet.",
    OPEN: "The vote is open. What was answered is shown when the last vote has closed.",
    TALK: "The first vote is closed. Find a neighbour who answered otherwise, and convince them.",
    AGAIN: "The second vote is open. Both votes are shown together, when it has closed.",
}


def counted(seen: Seen) -> str:
    """Return how many phones there are and have answered; empty once the vote has closed."""
    if seen.state == LOBBY and not seen.place:
        return f"**{seen.voters}** phones have joined."
    if seen.state not in SCREEN:
        return ""
    return f"**{seen.answers} of {seen.voters}** phones have answered. {SCREEN[seen.state]}"


def few(total: int) -> str:
    """Return why no histogram is shown."""
    return f"{total} answered. A histogram of fewer than {LEAST_SHOWN} would show who did."


def undecided(many: int) -> str:
    """Return how many answers stand in no bar."""
    return f"{many} preferred none of these and {'is' if many == 1 else 'are'} in no bar."


def compared(seen: Seen, n: int) -> str:
    """Return how the errors of both ways compare by their formulas, here and for a million."""
    assert seen.epsilon is not None
    coins, noise = coin_error(n, seen.epsilon), laplace_error(n, seen.epsilon)
    many = coin_error(10**6, seen.epsilon) / laplace_error(10**6, seen.epsilon)
    equation, mechanism = map(words.number, truth(question("class" + TRANSFER)).low)
    return (
        f"By the formulas, {n} answers at ε = {words.number(seen.epsilon)} leave a typical error "
        f"of {words.percent(coins)} with coins and {words.percent(noise)} with noise on the count: "
        f"a factor of {words.number(coins / noise)}, and of {words.number(many)} for a million. "
        "Where a million phones learn a curve at ε = 1, the rate equation counts them as "
        f"{equation} unprotected records in one place, and a named mechanism as {mechanism}."
    )


def short(seen: Seen) -> str:
    """Return one sentence above the answer: what leaves the phone, and what is ever shown."""
    if seen.kind == PLAIN:
        return "Your answer is stored without a name. The class sees how all answered, not who."
    if seen.kind == CURATOR:
        return (
            "Your true answer is sent to the server, which counts it. Only the number of yes, with "
            "noise, is ever shown."
        )
    assert seen.epsilon is not None
    often = words.percent(truth_chance(seen.epsilon))
    if seen.kind == CARDS:
        return (
            "The answer is on a card that was dealt to you by chance, so nothing private is at "
            f"stake. The phone passes it on unchanged with probability {often}."
        )
    return (
        f"The phone tosses coins: your answer leaves it unchanged with probability {often}, else "
        "turned over. Nobody, the server included, learns which."
    )


def long(seen: Seen) -> str:
    """Return the whole of it, as Markdown."""
    if seen.kind in (PLAIN, CARDS):
        return (_PLAIN if seen.kind == PLAIN else _CARDS) + _END
    assert seen.epsilon is not None
    e, k = seen.epsilon, len(seen.questions)
    hits = words.number(100 * (1 + float(advantage(e))) / 2)
    budget = (
        f"- **How far.** Two classes are neighbours if one phone's answer to one question is "
        f"replaced by the other answer. Each question is protected by ε = {words.number(e)}: "
        f"who knows all other answers guesses yours right at most {hits} times of 100, against 50 "
        f"without any release. All {k} questions of this room together cost ε = "
        f"{words.number(k * e)} where you answer them all."
        if k > 1
        else f"- **How far.** Two classes are neighbours if one phone's answer is replaced by the "
        f"other answer. The question is protected by ε = {words.number(e)}: who knows all other "
        f"answers guesses yours right at most {hits} times of 100, against 50 without any release."
    )
    who = _COINS if seen.kind == COINS else _CURATOR
    return f"{who}\n{budget}{_NOT}{_END}"


_PLAIN = """
- **Who sees what.** The server stores your answer beside a random number that stands for this
  phone. Who runs the server can read it. The class sees a histogram from five answers on.
- **What is protected.** Nothing is protected by differential privacy: these are answers about
  mathematics, not about you."""
_CARDS = """
- **Who sees what.** The card is dealt by the app, so the truth is known and may be shown: that is
  how the errors of both ways are compared without spending anybody's privacy."""
_COINS = """
- **Who sees what.** Only the answer after the coins leaves the phone. The server counts it, and
  the class sees the corrected share of yes with its error. You trust the page that the server sent
  to this phone; whoever does not can toss real coins, below."""
_CURATOR = """
- **Who sees what.** Your true answer reaches the server. It is counted, not stored beside this
  phone; until the release, the server's file and its log could still show which phone answered
  what to somebody who reads them. At the release noise is added once, and the count is deleted
  from file and log. Who runs the server could keep a copy before that: you trust them."""
_NOT = """
- **What is not protected.** That you take part, and when; your address in the network, which the
  server sees. Without a padlock in the address bar the network sees what this phone sends. Two
  phones in one hand are two votes; nothing prevents it."""
_END = """
- **When it ends.** The room is deleted when the lecturer ends it, or 12 hours after the last
  action."""
