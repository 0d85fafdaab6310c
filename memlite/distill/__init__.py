"""The extractive distiller: an exchange in, a palace object out, by rules alone.

Every word it writes is a word of the exchange: it chooses clauses, trims and joins them, and labels speakers. It knows
no store, no model and no network, and the same exchange always gives the same object.
"""

from memlite.distill.context import specific_context
from memlite.distill.core import anything_said, choose, render
from memlite.distill.files import files_touched
from memlite.distill.reading import read
from memlite.distill.rooms import rooms_for
from memlite.text.clauses import readable
from memlite.types.palace import Exchange, PalaceObject

__all__ = ["VERSION", "distil", "opening", "skip_reason"]

VERSION = "extractive-2"
"""Of the rules; stored with each object, so that objects of older rules can be told."""


OPENING_WORDS = 30


def skip_reason(exchange: Exchange, min_chars: int = 50) -> str:
    """Say why an exchange is not worth an object, or "" when it is."""
    peers = exchange.style == "peers"
    said = [(turn.role, readable(turn.content).strip()) for turn in exchange.turns]
    if not any(text for role, text in said if peers or role == "user"):
        return "no user text"
    return "too short" if sum(len(text) for _, text in said) < min_chars else ""


def distil(exchange: Exchange) -> PalaceObject:
    """Distil one exchange."""
    reading = read(exchange)
    chosen = choose(reading.weighed, reading.budget, reading.floor)
    core = render(chosen, reading.labels, reading.budget) or anything_said(reading.found, reading.about)
    files = files_touched(exchange, reading.contents)
    places = (exchange.project, exchange.cwd)
    return PalaceObject(
        exchange_core=core,
        specific_context=specific_context(reading.contents, reading.found, core, reading.about, places),
        rooms=rooms_for(reading.found, chosen, files, reading.about),
        files=files,
    )


def opening(exchange: Exchange) -> str:
    """Return the first words a person asked an assistant with, which the vector takes in; "" between people.

    An object tells what came of it, a question is often remembered by how it was put: on a coding history the MRR rises
    from 0.585 to 0.622 with them. In talk between people they add nothing (LoCoMo 0.626 without, 0.622 with).
    """
    if exchange.style == "peers":
        return ""
    asked = next((turn.content for turn in exchange.turns if turn.role == "user"), "")
    return " ".join(readable(asked).split()[:OPENING_WORDS])
