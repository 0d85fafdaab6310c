"""Questions about one's own store, made without a model: how well does memlite find what is in there?

Each is made of one passage of an exchange, and that exchange is what has to be found. The passage is held out: it is no
part of the exchange's object, so that the distilled layer is not asked for what it was made of. There are three kinds,
as in arXiv 2603.13017:

* exact: the rarest word or two of the passage, such as an identifier or a number, that stand in no other exchange;
* phrase: five words of it in a row, that stand in no other exchange;
* conceptual: the words of middling rarity, out of order and without the telling ones.
"""

import random
from collections.abc import Callable, Sequence
from itertools import islice

from memlite.memory import Memory
from memlite.text.words import cost, language, rarity, sentences, words
from memlite.types.evaluation import PERFECT, Question
from memlite.types.report import ExchangeView

LEAST_WORDS, PHRASE, MOST_CONCEPTS, LEAST_CONCEPTS = 8, 5, 6, 3
LONGEST = 120
"""Tokens of a passage: what is longer is code or a table, and nobody's question."""
MIDDLING = (0.25, 0.85)
RARE = 0.9


def generate(memory: Memory, count: int, *, seed: int = 0) -> tuple[Question, ...]:
    """Return up to so many questions, about a third of each kind; the same store and seed give the same ones.

    Fewer, where the store has no more exchanges that a question can be made of.
    """
    draw = random.Random(seed)
    ids = memory.exchange_ids()
    draw.shuffle(ids)
    kinds = list(KINDS)
    # Every exchange is asked for once before one is asked for again, in another way.
    asked = ((id, kinds[(at + again) % len(kinds)]) for again in range(len(kinds)) for at, id in enumerate(ids))
    made = (_question(memory, memory.get(id), kind, draw) for id, kind in asked)
    return tuple(islice(filter(None, made), count))


def _question(memory: Memory, view: ExchangeView, kind: str, draw: random.Random) -> Question | None:
    passages = _held_out(view)
    draw.shuffle(passages)
    for passage in passages:
        text = KINDS[kind](passage, memory)
        if text:
            gold = {message.external_id or f"#{message.id}": PERFECT for message in view.messages}
            return Question(id=f"{kind}-{view.exchange_id}", text=text, gold=gold, category=kind)
    return None


def _held_out(view: ExchangeView) -> list[str]:
    """Return the sentences that the object has nothing of."""
    distilled = f"{view.object.exchange_core}\n{view.object.specific_context}" if view.object else ""
    found = []
    for message in view.messages:
        for start, end in sentences(message.content, 0, len(message.content)):
            passage = message.content[start:end]
            if passage not in distilled and cost(passage) <= LONGEST and len(words(passage)) >= LEAST_WORDS:
                found.append(passage)
    return found


def exact(passage: str, memory: Memory) -> str:
    """Return the rarest words of a passage that stand nowhere else, two at most; "" where there are none."""
    found = _by_rarity(passage, RARE, 2.0)
    alone = [word for word in sorted(found, key=lambda word: -len(word))[:4] if _is_alone(f'+"{word}"', memory)]
    return " ".join(alone[:2])


def phrase(passage: str, memory: Memory) -> str:
    """Return words that stand in a row there and nowhere else; "" where there are none."""
    said = words(passage)
    for start in range(0, len(said) - PHRASE + 1, PHRASE):
        run = " ".join(said[start : start + PHRASE])
        if max(map(rarity, said[start : start + PHRASE])) > 0 and _is_alone(f'"{run}"', memory):
            return run
    return ""


def conceptual(passage: str, memory: Memory) -> str:
    """Return the words of a passage that say most and give nothing away, in the order of the alphabet."""
    found = [word for word in _by_rarity(passage, *MIDDLING) if not any(map(str.isdigit, word))]
    telling = sorted(found, key=rarity, reverse=True)[:MOST_CONCEPTS]
    return " ".join(sorted(telling)) if len(telling) >= LEAST_CONCEPTS else ""


def _by_rarity(passage: str, low: float, high: float) -> Sequence[str]:
    said = words(passage)
    lang = language(said)
    return list(dict.fromkeys(word for word in said if low <= rarity(word, lang) < high and '"' not in word))


def _is_alone(text: str, memory: Memory) -> bool:
    return len(memory.search(text, limit=2, mode="bm25:verbatim", include_automated=True).hits) == 1


KINDS: dict[str, Callable[[str, Memory], str]] = {"exact": exact, "phrase": phrase, "conceptual": conceptual}
