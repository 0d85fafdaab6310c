"""The one to three rooms an exchange belongs to.

A room is only useful when the next exchange about the same thing gets the same key, so keys are made of what people
repeat: the name of a file, a phrase or identifier that comes back, a kind of work from a closed list.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from memlite.distill import vocabulary as v
from memlite.distill.core import Subject, Weighed
from memlite.text.clauses import Clause
from memlite.text.paths import base_name
from memlite.text.slug import slug
from memlite.text.talk import is_called, is_warm
from memlite.text.words import cjk_share, cjk_terms, is_identifier, rarity
from memlite.types.palace import FileTouched, Room

MAX_ROOMS = 3
_LETTERS = re.compile(r"[^\W\d_]{3}")
_APOSTROPHE = re.compile("['’]")
MAX_KEY = 60
MAX_LABEL = 120
_COMMON_STEMS = frozenset(
    """
    index main __init__ mod lib views models utils util helpers types test tests page route app setup config
    """.split()
)
"""Base names that say nothing without their folder."""


def rooms_for(
    found: Sequence[Clause], chosen: Sequence[Weighed], files: Sequence[FileTouched], about: Subject
) -> tuple[Room, ...]:
    """The rooms, most relevant first; none only for an exchange without a word."""
    made: dict[str, Room] = {}
    for room in _candidates(found, chosen, files, about):
        if room.key and room.key not in made:
            made[room.key] = room
        if len(made) == MAX_ROOMS:
            break
    return tuple(made.values())


def _candidates(
    found: Sequence[Clause], chosen: Sequence[Weighed], files: Sequence[FileTouched], about: Subject
) -> Iterator[Room]:
    topics = _topics(found, chosen, about)
    changed = [file for file in files if file.action in ("created", "modified", "deleted")]
    yield from map(_file_room, changed[:1])
    yield from topics[:1]
    yield from map(_file_room, changed[1:2] or files[:1])
    yield from _workflows(found)
    yield from topics[1:] if topics else _any_word(found, about)


def _file_room(file: FileTouched) -> Room:
    parts = [part for part in file.path.replace("\\", "/").split("/") if part not in ("", ".", "..", "~")]
    label = base_name(file.path)
    if label.split(".")[0] in _COMMON_STEMS and len(parts) > 1:
        label = "/".join(parts[-2:])
    relevance = 1.0 if file.action in ("created", "modified", "deleted") else 0.7
    return Room("file", slug(label.lstrip("."))[:MAX_KEY].strip("-"), label[:MAX_LABEL], relevance)


def _workflows(found: Sequence[Clause]) -> list[Room]:
    """The kind of work most clauses speak of, when at least two do."""
    signs = set(filter(v.starts_workflow, set(chain.from_iterable(clause.words for clause in found))))
    hits: Counter[str] = Counter()
    for clause in found:
        if not signs.isdisjoint(clause.words):
            # Not a set: of two kinds spoken of equally often the first wins, in every process.
            hits.update(list(dict.fromkeys(filter(None, map(v.workflow, clause.words, (*clause.words[1:], ""))))))
    return [
        Room("workflow", key, key.replace("-", " ").capitalize(), 0.6)
        for key, count in hits.most_common(1)
        if count > 1
    ]


def _topics(found: Sequence[Clause], chosen: Sequence[Weighed], about: Subject) -> list[Room]:
    """Words and pairs of words that the exchange comes back to, best first, none inside a better one."""
    core = {number for one in chosen for number in range(one.first.number, one.last + 1)}
    scores: dict[str, float] = defaultdict(float)
    labels: dict[str, str] = {}
    for clause in found:
        if clause.kind == "pasted" or about.shows_secret(clause.text, clause.turn):
            continue
        place = 2.0 if clause.number in core else 1.0
        for key, worth, label in chain(_phrases(clause, about), _terms(clause.text)):
            scores[key] += place * worth
            labels.setdefault(key, label)
    picked: list[str] = []
    for key in sorted(scores, key=lambda key: (-scores[key], key)):
        parts = set(key.split("-"))
        if not any(parts & set(other.split("-")) for other in picked):
            picked.append(key)
        if len(picked) == MAX_ROOMS:
            break
    top = scores[picked[0]] if picked else 1.0
    return [Room("concept", key, labels[key][:MAX_LABEL], round(min(1.0, scores[key] / top), 2)) for key in picked]


def _phrases(clause: Clause, about: Subject) -> Iterator[tuple[str, float, str]]:
    """Key, worth and label of every content word, and of every two that stand side by side."""
    before: tuple[str, float, str] | None = None
    for word in clause.words:
        one = None if about.peers and _only_talk(word, about.called) else _topic_word(word, about.lang)
        if one:
            yield one
            if before and (pair := f"{before[2]} {word}") in clause.text:
                yield f"{before[0]}-{one[0]}", (before[1] + one[1]) * 0.8, pair
        before = one


def _only_talk(word: str, called: tuple[str, ...]) -> bool:
    """Say whether a word names a speaker or praises: half of what two people say would share such a room."""
    return is_called(word, called) or is_warm(word)


def _terms(text: str) -> Iterator[tuple[str, float, str]]:
    if not text.isascii():
        yield from ((slug(term), 1.0 + len(term) / 4, term) for term in cjk_terms(text))


@lru_cache(maxsize=16384)
def _topic_word(word: str, lang: str) -> tuple[str, float, str] | None:
    worth, key = rarity(word, lang), slug(word)
    if (
        worth < 0.35
        or len(key) > MAX_KEY
        or not _LETTERS.search(key)
        or cjk_share(word) > 0
        or _APOSTROPHE.search(word)
    ):
        return None
    return key, worth + 0.5 * is_identifier(word), word


def _any_word(found: Sequence[Clause], about: Subject) -> Iterator[Room]:
    """The longest word of an exchange that has no better topic."""
    said = [clause for clause in found if not about.shows_secret(clause.text, clause.turn)]
    word = max((word for clause in said for word in clause.words), key=len, default="")
    yield Room("concept", slug(word)[:MAX_KEY].strip("-"), word[:MAX_LABEL], 0.3)
