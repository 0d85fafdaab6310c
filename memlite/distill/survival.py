"""How much of an exchange's vocabulary its object keeps.

An object is found by its words, so two shares tell how findable it is (arXiv 2603.13017 reports both for its objects):
of the 15 rarest words of the whole exchange, which is what an exact search asks for, and of the words of the question,
which is how people remember what they talked about.
"""

from memlite.text.clauses import readable
from memlite.text.slug import stem
from memlite.text.words import language, rarity, words
from memlite.types.palace import Exchange, Turn

RAREST = 15


def rarest(text: str) -> list[str]:
    """Return the 15 rarest words of a text, in lower case, first said first among equals; all where there are fewer."""
    said = dict.fromkeys(word.casefold() for word in words(text))
    lang = language(said)
    return sorted(said, key=lambda word: rarity(word, lang), reverse=True)[:RAREST]


def survival(text: str, distilled: str) -> float:
    """Return which share of the 15 rarest words of an exchange its object keeps, in whatever case; 1 without words."""
    kept = {word.casefold() for word in words(distilled)}
    return _share([word in kept for word in rarest(text)])


def asked_survival(exchange: Exchange, distilled: str) -> float:
    """Return which share of the content words of what was asked the object keeps, by stem, each word counted once.

    Content words are those with any rarity. What was asked is what the user said, all turns of it; between people, all
    that the one who opens said. What a tool injected there was not asked. 1 where nothing was.
    """
    found = [word for turn in _asking(exchange) for word in words(readable(turn.content))]
    lang = language(found)
    kept = set(map(stem, words(distilled)))
    return _share([word in kept for word in dict.fromkeys(stem(word) for word in found if rarity(word, lang) > 0)])


def _asking(exchange: Exchange) -> list[Turn]:
    """The turns of the one who asks."""
    if exchange.style == "peers":
        opener = next((turn.label for turn in exchange.turns if turn.content.strip()), "")
        return [turn for turn in exchange.turns if turn.label == opener]
    return [turn for turn in exchange.turns if turn.role == "user"]


def _share(kept: list[bool]) -> float:
    return sum(kept) / len(kept) if kept else 1.0
