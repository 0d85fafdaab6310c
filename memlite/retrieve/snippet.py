"""The part of a message that shows why it was found."""

import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import NamedTuple

from memlite.text import search_terms

WIDTH = 200
PER_WORD = 20  # occurrences looked at: a log that repeats one word must not cost a scan per repetition

Tokenise = Callable[[str], list[tuple[int, int, str]]]
"""Text -> (start, end, token) as the keyword index sees it, offsets in UTF-8 bytes."""


class Found(NamedTuple):
    """Where a word of the question occurs, in characters."""

    start: int
    end: int
    word: int
    whole: bool = True
    """False when only a part of it is there."""


def occurrences(content: str, words: Sequence[str], tokenise: Tokenise) -> list[Found]:
    """Return where the words occur: as typed, else in another inflection, else inside a longer word or in parts."""
    found: list[Found] = []
    missing: list[int] = []
    # Most words are not in a given message; a plain search says so sooner than a pattern (50 us a message, not 270).
    lowered = content.lower()
    for number, word in enumerate(words):
        places = _as_typed(content, word, number) if word.lower() in lowered else []
        found += places
        if not places:
            missing.append(number)
    if missing:
        inflected = _inflected(content, lowered, [words[number] for number in missing], tokenise)
        found += [place._replace(word=missing[place.word]) for place in inflected]
        seen = {place.word for place in found}
        found += _inside(content, lowered, [(number, words[number]) for number in missing if number not in seen])
    return sorted(found)


def _as_typed(content: str, word: str, number: int) -> list[Found]:
    pattern = re.compile(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", re.IGNORECASE)
    return [Found(*match.span(), number) for match in islice(pattern.finditer(content), PER_WORD)]


def _inflected(content: str, lowered: str, words: Sequence[str], tokenise: Tokenise) -> list[Found]:
    """Return where the tokens of words stand side by side, whatever is between them, else where one of them stands."""
    wanted = [[token for _, _, token in tokenise(word)] for word in words]
    any_wanted = {token for own in wanted for token in own}
    if content.isascii() and not any(token[:-1] in lowered for token in any_wanted):
        return []  # a stem differs from what was said in its last letter at most (happy, happi): no need to tokenise
    said = tokenise(content)
    tokens = [token for _, _, token in said]
    hits = [i for i, token in enumerate(tokens) if token in any_wanted]
    places: list[tuple[int, int, int, bool]] = []
    for number, own in enumerate(wanted):
        whole = [(i, i + len(own) - 1) for i in hits if own and tokens[i : i + len(own)] == own]
        spans = whole or [(i, i) for i in hits if tokens[i] in own]
        places += [(said[first][0], said[last][1], number, bool(whole)) for first, last in spans[:PER_WORD]]
    raw = content.encode()
    # Bytes to characters only where something was found: decoding for every token would be quadratic.
    return [
        Found(len(raw[:start].decode("utf-8", "ignore")), len(raw[:end].decode("utf-8", "ignore")), number, whole)
        for start, end, number, whole in places
    ]


def _inside(content: str, lowered: str, words: Sequence[tuple[int, str]]) -> list[Found]:
    found = []
    for number, word in words:
        forms = (re.escape(form) for form in (word, *search_terms.parts(word)) if form.lower() in lowered)
        match = next(filter(None, (re.search(form, content, re.IGNORECASE) for form in forms)), None)
        if match:
            found.append(Found(*match.span(), number, match[0].casefold() == word.casefold()))
    return found


def strength(found: Sequence[Found]) -> tuple[int, int, int]:
    """Return how well a message answers: different words found whole, different words found at all, all places."""
    return len({place.word for place in found if place.whole}), len({place.word for place in found}), len(found)


def cut(content: str, found: Sequence[Found], width: int = WIDTH) -> str:
    """Return about `width` characters of `content` with as many different words found as possible, on one line."""
    start = _best_start(found, width)
    if found:
        last = max(place.end for place in found if start <= place.start < start + width)
        start = max(0, start - max(0, width - (last - start)) // 2)
    start = _word_start(content, start)
    end = min(len(content), start + width)
    if end < len(content) and (space := content.rfind(" ", start + width // 2, end)) > 0:
        end = max(space, *(place.end for place in found if start <= place.start < end), 0)
    text = " ".join(content[start:end].split())
    return f"{'…' if start else ''}{text}{'…' if end < len(content) else ''}"


def _best_start(found: Sequence[Found], width: int) -> int:
    best, best_value = 0, (0, 0)
    for i, first in enumerate(found):
        inside = [first, *(place for place in found[i + 1 : i + 4 * PER_WORD] if place.end <= first.start + width)]
        value = (len({place.word for place in inside}), len(inside))
        if value > best_value:
            best, best_value = first.start, value
    return best


def _word_start(content: str, start: int) -> int:
    if start <= 0:
        return 0
    space = content.rfind(" ", max(0, start - 20), start + 1)
    return space + 1 if space >= 0 else start
