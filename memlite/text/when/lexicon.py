"""The words of time, by language.

Each line is a kind (one letter, see `grammar`), a value and the words. `_` joins the words of a phrase. `?` marks a
word that is more often something else (`may`, `sun`, `fall`): alone it counts only behind a word that expects a time.
"""

import re
from functools import cache
from typing import NamedTuple

from memlite.text.when.english import EN
from memlite.text.when.languages import DE, ES, FR, PT

WORD = r"(?:\b[dljDLJ]|\b[Jj]usqu)['’](?=\w|$)|[^\W\d_]+(?:['’][^\W\d_]+)*"
"""A word; the elided words of French are words of their own, so that `d'octobre` is two."""

LANGUAGES = {"en": EN, "de": DE, "fr": FR, "es": ES, "pt": PT}


_PIECE = re.compile(f"{WORD}|-")


class Entry(NamedTuple):
    """What a word or phrase means."""

    kind: str
    value: str
    weak: bool
    words: int


@cache
def entries(lang: str) -> dict[tuple[str, ...], Entry]:
    """Every word and phrase of a language."""
    found: dict[tuple[str, ...], Entry] = {}
    for line in LANGUAGES[lang].split("\n"):
        kind, value, *words = line.split() or ("", "")
        for word in words:
            phrase = tuple(_PIECE.findall(word.lstrip("?").replace("_", " ")))
            found.setdefault(phrase, Entry(kind, value, word[0] == "?", len(phrase)))
    return found


@cache
def longest(lang: str) -> dict[str, int]:
    """How many words the longest phrase has that begins with a word."""
    found: dict[str, int] = {}
    for phrase in entries(lang):
        found[phrase[0]] = max(len(phrase), found.get(phrase[0], 0))
    return found


_NAMING = frozenset("MWGSRUHAPE")


@cache
def naming(lang: str) -> frozenset[str]:
    """The first words of what can begin or make a time; a text with none of them, and no digit, names none."""
    return frozenset(phrase[0] for phrase, entry in entries(lang).items() if entry.kind in _NAMING)
