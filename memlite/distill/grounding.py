"""The gate between a model and the store: an output passes when the exchange bears out every word of it.

A model that writes fluently also writes what was never said, and a memory nobody said is worse than none. So a core may
rephrase with the words of its exchange and a little glue, but whatever could be wrong alone (a number, a name, a path,
an identifier, a quotation) must have been said whole, the detail must be a literal span, and the language the
exchange's own. What fails keeps its extractive value; why is one of a few fixed reasons, because reasons are counted.

What was run or returned by tools is not consulted: an object tells what people and assistant told each other.
"""

import re
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import get_args

from msgspec.structs import replace

from memlite.distill import context, core
from memlite.distill import vocabulary as v
from memlite.distill.rooms import MAX_KEY, MAX_LABEL, MAX_ROOMS
from memlite.grounding.form import NOTHING, form_fault, length_fault, sentence_fault
from memlite.grounding.said import Said, said_in, sticks
from memlite.grounding.wording import label_fault
from memlite.text.paths import is_file_name
from memlite.text.phrases import shows_secret
from memlite.text.slug import slug
from memlite.text.words import words
from memlite.types.palace import Engine, Exchange, PalaceObject, Proposal, Room, RoomType, Settled

MIN_CORE, MIN_CONTEXT = 10, 5
"""Characters below which a text says nothing; one of a script without spaces counts for two."""


def core_fault(text: str, exchange: Exchange, forbidden: frozenset[str] = NOTHING) -> str:
    """Say why a text cannot be the core of an exchange; "" when it can."""
    return sentence_fault(text, said_in(exchange), MIN_CORE, core.MAX_CHARS, forbidden)


def context_fault(text: str, exchange: Exchange) -> str:
    """Say why a text cannot be the detail of an exchange; "" when it can."""
    return _span(text, said_in(exchange))[1]


def ground_rooms(rooms: Sequence[Room], exchange: Exchange) -> tuple[tuple[Room, ...], str]:
    """Return the rooms that the exchange bears out, the best three, and "" or, when there are none, why."""
    said = said_in(exchange)
    kept: dict[str, Room] = {}
    faults = ["" if rooms else "empty"]
    for room in rooms:
        made, fault = _room(room, said)
        faults.append(fault)
        if made and (made.key not in kept or kept[made.key].relevance < made.relevance):
            kept[made.key] = made
    if not kept:
        return (), next(filter(None, faults))
    return tuple(sorted(kept.values(), key=lambda room: -room.relevance)[:MAX_ROOMS]), ""


def settle(
    exchange: Exchange, floor: PalaceObject, proposal: Proposal, engine: Engine, forbidden: frozenset[str] = NOTHING
) -> Settled:
    """Take from a proposal each field that is grounded, and keep the others of `floor`, the extractive object.

    Files come from tool calls and the text itself, never from a model. The floor must have a core.
    """
    wanted = " ".join(proposal.exchange_core.split())
    core_reason = "same" if wanted and wanted == floor.exchange_core else core_fault(wanted, exchange, forbidden)
    span, context_reason = _span(proposal.specific_context, said_in(exchange))
    rooms, rooms_reason = ground_rooms(proposal.rooms, exchange)
    if span and span == floor.specific_context:
        context_reason = "same"
    if rooms and [room.key for room in rooms] == [room.key for room in floor.rooms]:
        rooms_reason = "same"
    outcomes = {"exchange_core": core_reason, "specific_context": context_reason, "rooms": rooms_reason}
    made = replace(
        floor,
        exchange_core=floor.exchange_core if core_reason else wanted,
        specific_context=floor.specific_context if context_reason else span,
        rooms=floor.rooms if rooms_reason else rooms,
        engine=floor.engine if all(outcomes.values()) else engine,
    )
    return Settled(made, {name: reason or "improved" for name, reason in outcomes.items()})


# -- the detail --


def _span(text: str, said: Said) -> tuple[str, str]:
    """The detail as it stands in its turn, and "" or why it cannot be one."""
    if fault := length_fault(text, MIN_CONTEXT, context.MAX_CHARS):
        return "", fault
    if not words(text):
        return "", "empty"
    if shows_secret(text):
        return "", "shows a secret"
    for content in said.contents:
        for start, end in _places(text.strip(), content):
            before, after = content[max(0, start - 1) : start], content[end : end + 1]
            if not (sticks(before, content[start]) or sticks(content[end - 1], after)):
                return content[start:end], form_fault(content[start:end], said)
    return "", "not a literal span"


def _places(text: str, content: str) -> Iterator[tuple[int, int]]:
    """Every place of a text in a content, as it is or with other blanks."""
    start = content.find(text)
    if start < 0 and len(parts := text.split()) > 1 and all(part in content for part in parts):
        yield from (match.span() for match in re.finditer(r"\s+".join(map(re.escape, parts)), content))
    while start >= 0:
        yield start, start + len(text)
        start = content.find(text, start + 1)


# -- rooms --

_KEY = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_BROAD = frozenset(
    map(
        slug,
        """
        answer app application assistant bug change chat code coding conversation data detail development discussion
        example file fix general help idea info information issue message misc note other problem program programming
        project question request software stuff summary system task technology text thing topic update user work
        """.split(),
    )
)
"""Labels that half of all exchanges could bear."""
MAX_WORDS = 6
"""Words of a label beyond which it is a sentence."""


def _room(room: Room, said: Said) -> tuple[Room | None, str]:
    """The room as it is stored, or why it cannot be. Its key is made of its label, so that equal labels share it."""
    label = " ".join(room.label.split())
    if room.type not in get_args(RoomType):
        return None, "no such kind of room"
    if fault := length_fault(label, 1, MAX_LABEL) or form_fault(label, said):
        return None, fault
    if room.type == "workflow" and room.key in v.WORKFLOW_KEYS and _speaks_of(room.key, said):
        return _kept(room, room.key, label), ""
    parts = slug(label).split("-")
    if all(part in _BROAD for part in parts):
        return None, "too broad"
    if len(label.split()) > MAX_WORDS:
        return None, "too long"
    if room.type == "file" and not is_file_name(label.split()[-1]):
        return None, "no such kind of room"
    if fault := "shows a secret" if shows_secret(label) else label_fault(label, said):
        return None, fault
    key = slug(label.lstrip("."))[:MAX_KEY].strip("-")
    return (_kept(room, key, label), "") if _KEY.fullmatch(key) else (None, "no such kind of room")


def _speaks_of(kind: str, said: Said) -> bool:
    """Say whether an exchange speaks of a kind of work on the closed list, as the extractive engine tells it."""
    found = words(said.joined)
    return any(v.workflow(word, after) == kind for word, after in zip(found, (*found[1:], ""), strict=True))


def _kept(room: Room, key: str, label: str) -> Room:
    relevance = room.relevance if isfinite(room.relevance) else 0.0
    return Room(room.type, key, label, min(1.0, max(0.0, relevance)))
