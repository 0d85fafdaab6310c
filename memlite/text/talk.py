"""What people say to each other without telling anything: names they call each other by, praise and thanks.

In talk between people about half the sentences are of this kind, and their words are rare enough in written English
that rarity alone would keep them. A name matters when it is spoken of, not when it is called: the label before each
part says who speaks, and the other is the one spoken to.
"""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from memlite.text.slug import stem
from memlite.text.words import rarity

SHORTEST = 3
"""Letters of a short form: `Mel` is Melanie; fewer may be any word."""
WARMTH = 0.2
"""What is left of the worth of a word that mostly praises, thanks or greets."""

_WARM = frozenset(
    map(
        stem,
        """
        absolutely adorable agree amazing appreciate awesome beautiful best bet blessed brave bravo breathtaking
        brilliant catch chat cheer cheers congrats congratulations cool courage cute dedication definitely
        delicious delightful encourage encouragement encouraging enjoy exciting excited fab fabulous fantastic
        fascinating feel feeling fun glad good gorgeous grateful great guy haha happy happiness hear hello hey hi
        hope incredible incredibly inspire inspired inspiration inspiring interesting impressive joy keep kind
        kudos lately lol look looking looks love loved lovely luck lucky man mean means nice passion passionate
        perfect pic precious pretty proud rad really rewarding rock super support supportive sound sounds special
        stay stoked strength strong stunning sure sweet talk thank thankful thanks thrilled tight totally
        touching true truly wait wanna welcome whoa wish wishing woah wonderful wow yay yeah yep yes yup amigo
        amiga lindo linda maravilha maravilhoso ótimo legal parabéns saudade maravilloso bonito qué genial
        enhorabuena felicidades toll schön klasse wunderbar freut glückwunsch chouette génial félicitations
        magnifique formidable
        """.split(),
    )
)


@lru_cache(maxsize=4096)
def is_warm(word: str) -> bool:
    """Say whether a word mostly praises, thanks or greets."""
    return stem(word) in _WARM


def names(speakers: Iterable[str]) -> tuple[str, ...]:
    """Every way to call the speakers: each part of a name and its short forms, longest first."""
    parts = {part for speaker in speakers for part in re.findall(r"[^\W\d_]+", speaker) if part[0].isupper()}
    short = {part[:end] for part in parts for end in range(SHORTEST, len(part)) if rarity(part[:end]) > 0}
    return tuple(sorted(parts | short, key=lambda name: (-len(name), name)))


@lru_cache(maxsize=256)
def calls(called: tuple[str, ...]) -> re.Pattern[str] | None:
    """Where a clause calls one of these names: at its front before a mark, or at its end behind a comma or a thanks."""
    if not called:
        return None
    name = "(?:" + "|".join(map(re.escape, called)) + ")"
    return re.compile(
        rf"^{name}\s*(?:[,.!?:;…–—-]+\s*|$)|\s*[,–—-]\s*{name}(?=\s*[.!?…]*$)"
        rf"|(?<=\b[Tt]hanks)\s{name}\b|(?<=\b[Cc]ongrats)\s{name}\b|(?<=\b[Hh]ey)\s{name}\b|(?<=\b[Hh]i)\s{name}\b"
    )


def is_called(word: str, called: Collection[str]) -> bool:
    """Say whether a word is a name of one of the speakers."""
    return word in called or word.removesuffix("'s") in called
