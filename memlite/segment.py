"""A conversation cut into exchanges: a question and what answered it.

A user message opens a new exchange once the running one has had an answer; until then it extends it, and so do tool
calls, tool results and further answers. A pause of hours also ends an exchange: talk that spans weeks in one thread
would else glue a goodbye to the next hello. An exchange of more than `max_plies` is cut into parts, and each later
part keeps a pointer to the question, so that no part stands without what was asked.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from msgspec import Struct

from memlite.types.transcript import Place, Span


class Rules(Struct, frozen=True):
    """What counts as one exchange, and which exchanges are worth distilling."""

    max_plies: int = 20
    max_pause: timedelta = timedelta(hours=6)
    min_chars: int = 50


def segment(places: Iterable[Place], rules: Rules | None = None) -> list[Span]:
    """Return the exchanges of a conversation's messages, in order. Messages without any ply give none."""
    rules = rules or Rules()
    spans: list[Span] = []
    running: list[Place] = []
    last: Place | None = None  # the last thing said in the running exchange
    answered = False
    for place in places:
        if place.ply is not None:
            asks_anew = answered and place.role == "user"
            if last and (asks_anew or _pause(last.said_at, place.said_at) > rules.max_pause):
                spans += _cut(running, rules.max_plies)
                running, answered = [], False
            last, answered = place, answered or place.role == "assistant"
        running.append(place)
    return spans + _cut(running, rules.max_plies)


def _pause(earlier: str | None, later: str | None) -> timedelta:
    if earlier is None or later is None:
        return timedelta(0)
    return datetime.fromisoformat(later) - datetime.fromisoformat(earlier)


def _cut(places: list[Place], max_plies: int) -> list[Span]:
    """Return one span for a whole exchange, or several where it is too long."""
    said = [place for place in places if place.ply is not None]
    asked = [place for place in said if place.role == "user"]
    automated = asked[0].automated if asked and all(place.automated for place in asked) else ""
    lead = next((place for place in asked if automated or not place.automated), None)
    spans: list[Span] = []
    for start in range(0, len(said), max_plies):
        chunk = said[start : start + max_plies]
        following = said[start + max_plies : start + max_plies + 1]
        times = [place.said_at for place in chunk if place.said_at]
        spans.append(
            Span(
                ply_start=chunk[0].ply or 0,
                ply_end=chunk[-1].ply or 0,
                seq_start=chunk[0].seq if start else places[0].seq,
                seq_end=following[0].seq - 1 if following else places[-1].seq,
                part=start // max_plies,
                lead_seq=lead.seq if lead and lead.seq < chunk[0].seq else None,
                said_from=min(times, default=None),
                said_to=max(times, default=None),
                automated=automated,
                chars=sum(place.chars for place in chunk),
            )
        )
    return spans
