"""Which clauses say what an exchange was about.

A candidate (a clause, or a whole sentence) is worth the words it adds that no chosen one has yet, each by its rarity
and by how often the exchange comes back to it, times what its wording and place tell (a decision, a result, a cause; a
question or an offer of help counts less), per token. Candidates are taken greedily until the budget is spent and read
in their own order. So what is repeated is said once, and what both sides talk about is kept.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, groupby, repeat
from math import log2, prod

from msgspec import Struct

from memlite.distill import vocabulary as v
from memlite.text import phrases
from memlite.text.clauses import Clause
from memlite.text.phrases import trimmed
from memlite.text.slug import stem
from memlite.text.talk import WARMTH, is_called, is_warm, names
from memlite.text.words import CJK, cost, is_identifier, language, rarity

BUDGET = 22
"""Tokens of a core, give or take `SLACK`. With about 10 for the context an object has about 38, the method's figure."""
PEER_BUDGET = 34
"""People's talk is short already, and its small details are what is asked for later."""
FOREIGN = 1.3
"""WordPiece cuts the words of other languages into more tokens, so that their budgets are larger by this factor."""
SLACK = 8
"""How far a candidate may exceed what is left of the budget: half a thought helps less than a core a little longer."""
SHARE = 0.8
"""The part of what is left that one side may take while the other has said nothing yet."""
FLOOR, PEER_FLOOR = 0.05, 0.15
"""A piece worth less than this part of the best one is left out, even when there is room."""
OVERHEAD = 3
"""Tokens that a further piece costs a reader beyond its own."""
PEER_EFFORT = 0.7
"""Between people a sentence of some length tells more than a short cry, so that length counts less than it costs."""
LONG = 120
"""Characters of a sentence between people of which a part may be taken; a shorter one is kept whole."""
MIN_CHARS, MAX_CHARS = 4, 400

WEIGHTS: dict[str, float] = {
    # the kind of line
    "prose": 1.6, "item": 0.75, "heading": 0.6,
    # who says it, and how much less a later sentence of the same turn tells
    "user": 1.9, "answer": 1.0, "decay_user": 0.3, "decay_answer": 0.1, "decay_peer": 0.0,
    # what sort of sentence it is
    "user_question": 0.65, "answer_question": 0.4, "peer_question": 0.35, "throat": 0.05, "first_person": 1.2,
    "peer_first_person": 1.3, "peer_second_person": 0.6, "conclusion": 1.5, "chat": 0.5,
    # what its words are signs of
    "decision": 0.95, "result": 1.15, "cause": 1.25, "hedge": 0.7, "turn": 1.0,
    # words: of a name or identifier, and of what the exchange comes back to
    "name": 0.35, "tf": 0.6,
}  # fmt: skip
"""Factors and bonuses, from a coordinate search on the even-numbered windows of the labelled conversations, then drawn
nearer to 1 where that cost nothing there."""

_CJK = re.compile(f"[{CJK}]")
_PARENTHESIS = re.compile(r"\s*\([^()]{4,}\)")
_WIDE = "，、；：。！？"
_TERMINAL = ".!?…。！？"


class Weighed(Struct, frozen=True, gc=False):
    """A candidate, trimmed, with what the choice needs."""

    asked: bool
    """Said by the user, or by the one who has the user's part."""
    first: Clause
    last: int
    """The number of its last clause."""
    text: str
    cost: int
    factor: float
    effort: float
    """What reading it takes: its gain is divided by this."""
    values: dict[str, float]
    """What each of its words is worth, by stem."""


class Subject(Struct, frozen=True):
    """What is known of the whole exchange before choosing."""

    lang: str
    values: tuple[dict[str, float], ...]
    """Per clause, what each of its words is worth, by stem."""
    user_turns: frozenset[int]
    peers: bool
    secrets: frozenset[int]
    """Turns that show a credential somewhere."""
    called: tuple[str, ...]
    """The names by which the speakers call each other."""

    def shows_secret(self, text: str, turn: int) -> bool:
        """Say whether a piece of a turn must not be copied."""
        return turn in self.secrets and phrases.shows_secret(text)


def subject(
    found: Sequence[Clause], turns: Sequence[tuple[bool, str]], *, peers: bool, speakers: Iterable[str] = ()
) -> Subject:
    """Weigh the words of an exchange. `turns` says of each whether the user spoke, and its text."""
    lang = language(chain.from_iterable(clause.words for clause in found))
    called = names(set(speakers))
    if peers:
        known = [{stem(word): _peer_worth(word, lang, called) for word in clause.words} for clause in found]
    else:
        known = [dict(map(_worth, clause.words, repeat(lang))) for clause in found]
    counts = Counter(chain.from_iterable(known))
    often = {key: 1 + WEIGHTS["tf"] * log2(count) for key, count in counts.items()}
    return Subject(
        lang=lang,
        values=tuple({key: worth * often[key] for key, worth in one.items() if worth} for one in known),
        user_turns=frozenset(number for number, (asked, _) in enumerate(turns) if asked),
        peers=peers,
        secrets=frozenset(number for number, (_, text) in enumerate(turns) if phrases.shows_secret(text)),
        called=called,
    )


@lru_cache(maxsize=16384)
def _worth(word: str, lang: str) -> tuple[str, float]:
    worth = rarity(word, lang)
    return stem(word), worth + WEIGHTS["name"] if worth and (word[0].isupper() or is_identifier(word)) else worth


def _peer_worth(word: str, lang: str, called: tuple[str, ...]) -> float:
    """The worth of a word between people: none for their own names, little for praise and thanks."""
    if is_called(word, called):
        return 0.0
    return _worth(word, lang)[1] * (WARMTH if is_warm(word) else 1.0)


def budget_for(about: Subject) -> int:
    """Tokens for the core of this exchange."""
    return int((PEER_BUDGET if about.peers else BUDGET) * (1.0 if about.lang == "en" else FOREIGN))


def weigh(found: Sequence[Clause], about: Subject) -> list[Weighed]:
    """Every candidate for the core."""
    weighed: list[Weighed] = []
    place: Counter[int] = Counter()
    for (turn, _), group in groupby(found, key=lambda clause: (clause.turn, clause.sentence)):
        sentence = list(group)
        whole = _joined(sentence)
        if sentence[0].kind == "pasted" or about.shows_secret(whole, turn):
            continue
        said = trimmed(whole, about.called)
        if not said:
            continue
        cues = [set(chain.from_iterable(map(v.cues, clause.words))) for clause in sentence]
        factor = _factor(sentence, whole, place[turn], about)
        if any("turn" in one for one in cues) and v.concludes(whole):
            factor *= WEIGHTS["conclusion"]
        place[turn] += 1
        signs = [prod([WEIGHTS[cue] for cue in one]) for one in cues]
        weighed.extend(_weighed(sentence, said, factor * max(signs), about))
        if len(sentence) > 1 and (not about.peers or len(whole) > LONG):
            for clause, sign in zip(sentence, signs, strict=True):
                weighed.extend(_weighed([clause], trimmed(clause.text, about.called), factor * sign, about))
    return weighed


def _joined(sentence: Sequence[Clause]) -> str:
    """A sentence as it reads; after a wide mark comes no space."""
    if len(sentence) == 1:
        return sentence[0].text
    return "".join([clause.text + ("" if clause.text[-1] in _WIDE else " ") for clause in sentence]).rstrip()


def _weighed(parts: Sequence[Clause], text: str, factor: float, about: Subject) -> Iterator[Weighed]:
    values = about.values[parts[0].number]
    if len(parts) > 1:
        values = dict(chain.from_iterable(about.values[part.number].items() for part in parts))
    if values and len(text) >= MIN_CHARS:
        tokens = cost(text)
        effort = (tokens + OVERHEAD) ** (PEER_EFFORT if about.peers else 1.0)
        asked = parts[0].turn in about.user_turns
        yield Weighed(asked, parts[0], parts[-1].number, text, tokens, factor, effort, values)


def _factor(sentence: Sequence[Clause], text: str, place: int, about: Subject) -> float:
    """What the wording and the place of a sentence say about its worth."""
    asked = sentence[0].turn in about.user_turns
    side = "peer" if about.peers else "user" if asked else "answer"
    factor = WEIGHTS[sentence[0].kind] / (1 + WEIGHTS["decay_" + side] * place)
    if not about.peers:
        factor *= WEIGHTS[side]
    if phrases.QUESTION.search(text[-12:]):
        factor *= WEIGHTS[side + "_question"]
    if side == "answer" and phrases.THROAT_CLEARING.match(text):
        factor *= WEIGHTS["throat"]
    if side != "answer":
        factor *= person(list(chain.from_iterable(clause.words for clause in sentence)), side)
        if phrases.AGREEING.match(text):
            factor *= WEIGHTS["chat"]
    return factor


def person(said: Sequence[str], side: str) -> float:
    """Whom a person speaks of: himself, or, between people, only the one he speaks to."""
    if any(map(phrases.is_first_person, said)):
        return WEIGHTS["peer_first_person" if side == "peer" else "first_person"]
    return WEIGHTS["peer_second_person"] if side == "peer" and any(map(phrases.is_second_person, said)) else 1.0


def choose(weighed: Sequence[Weighed], budget: int, floor: float = FLOOR) -> list[Weighed]:
    """The candidates that make the core, in order."""
    chosen: list[Weighed] = []
    covered: set[str] = set()
    rest = list(weighed)
    least = 0.0
    while rest and (left := budget - sum(one.cost for one in chosen)) > 0:
        silent = {one.asked for one in rest} - {one.asked for one in chosen}
        rooms = {side: _room(left, side, silent) for side in (True, False)}
        gain, _, best = max((_gain(one, covered, rooms[one.asked]), -number, one) for number, one in enumerate(rest))
        if gain <= least:
            break
        least = least or gain * floor
        chosen.append(best)
        covered.update(best.values)
        rest = [one for one in rest if one.last < best.first.number or best.last < one.first.number]
    return sorted(chosen, key=lambda one: one.last)


def _room(left: int, side: bool, silent: set[bool]) -> int:
    """Tokens a side may take: some is left to the other while that is silent, and more is there for its first."""
    return int(left * SHARE if silent - {side} else left) + SLACK + SLACK // 2 * (side in silent)


def _gain(one: Weighed, covered: set[str], room: int) -> float:
    new = sum([worth for key, worth in one.values.items() if key not in covered])
    return one.factor * new / one.effort * min(1.0, room / one.cost) ** 2


def render(chosen: Sequence[Weighed], labels: Sequence[str], budget: int) -> str:
    """The core: neighbours joined as they stood, others by a semicolon, a speaker's part ended by a full stop."""
    parts: list[str] = []
    before: Weighed | None = None
    for one in chosen:
        text = shortened(one.text, budget)
        if before is None or before.first.turn != one.first.turn:
            parts = [*_closed(parts), labels[one.first.turn] + text]
        else:
            parts.append(_joint(before, one, parts[-1]) + text)
        before = one
    core = "".join(parts)
    return core if len(core) <= MAX_CHARS else cut(core, MAX_CHARS)


def anything_said(found: Sequence[Clause], about: Subject) -> str:
    """The first clause with a word, for an exchange of nothing but filler or code."""
    return next((cut(one.text, 200) for one in found if one.words and not about.shows_secret(one.text, one.turn)), "")


def _closed(parts: list[str]) -> list[str]:
    """A finished speaker's part with its full stop."""
    if not parts:
        return parts
    said = "".join(parts).rstrip(" ,;:，、；：")
    if said[-1:] in _TERMINAL:
        return [said + ("" if said[-1:] in "。！？" else " ")]
    return [said + ("。" if _CJK.match(said[-1:]) else ". ")]


def _joint(before: Weighed, one: Weighed, written: str) -> str:
    last = written[-1:]
    wide = _CJK.match(last) is not None or last in _WIDE
    if before.first.sentence == one.first.sentence or last in _TERMINAL + ",;:，、；：":
        return "" if wide and last in _WIDE else "、" if wide else " " if last in ",;:" + _TERMINAL else ", "
    return "；" if wide else "; "


def shortened(text: str, budget: int) -> str:
    """A candidate within the budget: parentheses go first, then its tail, at a word."""
    if cost(text) <= budget + SLACK:
        return text
    text = _PARENTHESIS.sub("", text)
    while (tokens := cost(text)) > budget + SLACK:
        shorter = cut(text, max(8, len(text) * budget // tokens))
        if len(shorter) >= len(text):
            break
        text = shorter
    return text


def cut(text: str, limit: int) -> str:
    """`text` within `limit` characters, cut between words where it has any."""
    if len(text) <= limit:
        return text
    space = text.rfind(" ", limit // 2, limit + 1)
    return text[: space if space > 0 else limit].rstrip(" ,;:(，、；：")
