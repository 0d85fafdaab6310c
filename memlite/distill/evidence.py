"""Where the words of an object stand in the turns it was made of.

For an extractive object these are the clauses it chose; for a model's they are the phrases it kept.
"""

import re
from collections.abc import Iterable, Sequence

from memlite.grounding.alignment import Source, Span
from memlite.types.palace import Evidence, Exchange, PalaceObject


def evidence(exchange: Exchange, made: PalaceObject) -> tuple[Evidence, ...]:
    """Return the spans of the turns' contents that an object rests on: its core's, then its context's, by place."""
    contents = [turn.content for turn in exchange.turns]
    speakers = {turn.speaker for turn in exchange.turns} - {""}
    source = Source(contents)
    core = source.places(_unlabelled(made.exchange_core, speakers))
    detail = _literal(made.specific_context, contents) or source.places(made.specific_context)
    return (
        *(Evidence("exchange_core", *span) for span in core),
        *(Evidence("specific_context", *span) for span in detail),
    )


def _unlabelled(core: str, speakers: Iterable[str]) -> str:
    """A core without the names that say who speaks: they stand in no content."""
    names = "|".join(map(re.escape, speakers))
    return re.sub(rf"(?:^|(?<=[.!?…。！？]) ?)(?:{names}): ", "\n", core) if names else core


def _literal(text: str, contents: Sequence[str]) -> list[Span]:
    """Where a text stands as it is."""
    for turn, content in enumerate(contents):
        if text and (start := content.find(text)) >= 0:
            return [(turn, start, start + len(text))]
    return []
