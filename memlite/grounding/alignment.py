"""Where the words of a text stand in what was said.

A text may rephrase, so this is not one place but a few: it is taken from left to right, each time the longest run of
words that stands somewhere. What the text only glues them with rests on nothing and is left out.
"""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from memlite.text.words import CJK, rarity

_TOKEN = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")
"""A word without its punctuation, or one character of a script without spaces: as fine as markup can part them."""
_WIDE = re.compile(f"[{CJK}]")
NEAR = 12
"""Characters between two words beyond which they are two places: markup and a line break are less, a table is more."""
MANY = 24
"""Places of a word that are looked at: a rarer word next to it soon tells them apart."""
BLOB = 8
"""Letters from which on a word may be a longer one that the engine cut."""

Span = tuple[int, int, int]
"""A text by its number, and the characters of it where a run of words starts and ends."""


class _Words(Struct, frozen=True):
    """Every word of some texts in order, with an empty one behind each text, which no run crosses."""

    words: list[str]
    folded: list[str]
    spans: list[Span]


class Source:
    """Texts to look in."""

    def __init__(self, contents: Sequence[str]) -> None:
        self._contents = contents
        self._read = _read(contents)

    def places(self, text: str) -> list[Span]:
        """Return the spans that the words of a text stand in, by place."""
        return _merged(_aligned(text, self._read), self._contents)


def _read(contents: Sequence[str]) -> _Words:
    words: list[str] = []
    spans: list[Span] = []
    for turn, content in enumerate(contents):
        found = list(_TOKEN.finditer(content))
        words += [match[0] for match in found]
        spans += [(turn, match.start(), match.end()) for match in found]
        words.append("")
        spans.append((turn, 0, 0))
    return _Words(words, [word.casefold() for word in words], spans)


def _aligned(text: str, source: _Words) -> list[Span]:
    """The span of every word that stands in a run which tells something."""
    found = list(_TOKEN.finditer(text))
    said = [match[0] for match in found]
    folded = [word.casefold() for word in said]
    as_written, in_any_case = _places(said, source.words), _places(folded, source.folded)
    spans: list[Span] = []
    at = 0
    while at < len(said):
        place, length = _longest(said, at, as_written[said[at]], source.words)
        if not length:
            place, length = _longest(folded, at, in_any_case[folded[at]], source.folded)
        run = source.spans[place : place + length]
        after = at + length
        if after < len(said) and (part := _cut(found, after, place + length, source)):
            run.append(part)
            after += 1
        if _tells(said[at:after]):
            spans += run
        at = max(after, at + 1)
    return spans


def _places(said: Iterable[str], words: Iterable[str]) -> dict[str, list[int]]:
    """Where each word that is looked for stands."""
    places: dict[str, list[int]] = {word: [] for word in said}
    for place, word in enumerate(words):
        if word in places:
            places[word].append(place)
    return places


def _longest(said: Sequence[str], at: int, places: Sequence[int], words: Sequence[str]) -> tuple[int, int]:
    """Where the longest run from here on stands in the source, and of how many words it is."""
    best, most = 0, 0
    for place in places[:MANY]:
        length = 1
        while at + length < len(said) and words[place + length] == said[at + length]:
            length += 1
        if length > most:
            best, most = place, length
    return best, most


def _cut(found: Sequence[re.Match[str]], at: int, place: int, source: _Words) -> Span | None:
    """The beginning of a source word that the engine cut for length: the next one of a run, or any long one."""
    match = found[at]
    word = match[0]
    follows = at > 0 and found[at - 1].end() <= match.start() and not _parted(match.string, found[at - 1], match)
    if not follows or not source.words[place].startswith(word):
        if len(word) < BLOB:
            return None
        place = next((place for place, said in enumerate(source.words) if said.startswith(word)), -1)
        if place < 0 or source.words[place] == word:
            return None
    turn, start, _ = source.spans[place]
    return turn, start, start + len(match[0])


def _parted(text: str, left: re.Match[str], right: re.Match[str]) -> bool:
    return any(map(str.isspace, text[left.end() : right.start()]))


def _tells(run: Sequence[str]) -> bool:
    """Say whether a run is more than glue, or one character of a script without spaces."""
    return any(map(rarity, run)) and (len(run) > 1 or not _WIDE.match(run[0]))


def _merged(spans: Iterable[Span], contents: Sequence[str]) -> list[Span]:
    """The spans by place, joined where no word and little else stands between them."""
    merged: list[Span] = []
    for turn, start, end in sorted(set(spans)):
        if merged and merged[-1][0] == turn:
            _, first, last = merged[-1]
            if start <= last or (start - last <= NEAR and not _TOKEN.search(contents[turn], last, start)):
                merged[-1] = (turn, first, max(last, end))
                continue
        merged.append((turn, start, end))
    return merged
