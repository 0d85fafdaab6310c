"""What is shown of each exchange found: the words that match, its object, the records that lead to it, its trace.

Of what the assistant said, only the answer that the question is about: to the message that the best record rests on.
"""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from itertools import takewhile

from msgspec import Struct, structs

from memlite.retrieve import analyse, snippet
from memlite.retrieve.blend import RECORD_MEANING
from memlite.retrieve.fuse import Traces
from memlite.retrieve.routes import LEAST_SIMILAR
from memlite.store import history, lexical, palace, recall, records
from memlite.store.connection import Connection
from memlite.store.recall import FoundExchange
from memlite.store.record_routes import Match
from memlite.types.query import Hit, MatchedRecord, ObjectView, Query
from memlite.types.report import MessageView

Matches = Mapping[str, Sequence[Match]]
"""Route -> the records it found, best first."""


class Page(Struct, frozen=True):
    """What to show."""

    ranking: Sequence[tuple[int, float]]
    traces: Traces
    matches: Matches
    weights: Mapping[str, float]
    """Route -> what its records weigh in the order of an exchange's."""
    with_reply: bool = False


def build(con: Connection, query: Query, page: Page) -> tuple[Hit, ...]:
    """Return the hits of a page."""
    ids = [id for id, _ in page.ranking]
    exchanges = recall.get_exchanges(con, ids)
    objects = palace.get_objects(con, ids)
    stated = _records(con, ids, page)
    words = analyse.sought(query)
    # The question's words are tokenised for every message of every hit: 40 times in one search.
    tokenise = cache(partial(lexical.tokenise, con))
    shown = ((exchanges[id], score) for id, score in page.ranking if id in exchanges)
    return tuple(
        structs.replace(
            _hit(tokenise, words, found, objects.get(found.id)),
            score=score,
            records=stated.get(found.id, ()),
            assistant=reply(found, stated.get(found.id, ())) if page.with_reply else "",
            trace=tuple(page.traces.get(found.id, ())),
        )
        for found, score in shown
    )


def _hit(tokenise: snippet.Tokenise, words: Sequence[str], found: FoundExchange, view: ObjectView | None) -> Hit:
    places = [snippet.occurrences(m.content, words, tokenise) for m in found.messages]
    best_first = sorted(range(len(found.messages)), key=lambda i: snippet.strength(places[i]), reverse=True)
    messages = [found.messages[i] for i in best_first]
    shown = ""
    if best_first:
        best = best_first[0]
        where = places[best] or _context_place(found.messages[best].content, view)
        shown = snippet.cut(found.messages[best].content, where)
    return Hit(
        exchange_id=found.id,
        conversation_id=found.conversation_id,
        conversation=found.conversation,
        plies=found.plies,
        message_ids=tuple(message.id for message in messages),
        said_at=found.said_at,
        score=0.0,
        snippet=shown,
        text=found.text,
        object=view,
        external_ids=tuple(message.external_id for message in messages),
    )


def _context_place(content: str, view: ObjectView | None) -> list[snippet.Found]:
    """Return where the object's exact detail stands: what to show of a hit that shares no word with the question."""
    start = content.find(view.specific_context) if view and view.specific_context else -1
    return [snippet.Found(start, start + 1, 0)] if start >= 0 else []


def _records(con: Connection, exchange_ids: Sequence[int], page: Page) -> dict[int, tuple[MatchedRecord, ...]]:
    """Return the records found of each exchange, best first."""
    matched, worth = _weigh(page, set(exchange_ids))
    # Routes look at what holds; what an exchange says that is over is shown with the time in which it held.
    shown = set(exchange_ids)
    over = [one.record_id for one in history.get_successions(con, exchange_ids) if one.old in shown]
    matched, worth = {**{id: {} for id in over}, **matched}, {**dict.fromkeys(over, 0.0), **worth}
    views = records.get_records(con, matched)
    found: dict[int, tuple[MatchedRecord, ...]] = {}
    for id in sorted(views, key=lambda id: (-worth[id], id)):
        view = MatchedRecord(**structs.asdict(views[id]), matched=matched[id])
        found[view.exchange_id] = (*found.get(view.exchange_id, ()), view)
    return found


def _weigh(page: Page, exchange_ids: set[int]) -> tuple[dict[int, dict[str, float]], dict[int, float]]:
    """Return what each record of these exchanges matched, and what it is worth by all routes together."""
    matched: dict[int, dict[str, float]] = {}
    worth: dict[int, float] = {}
    for route, found in page.matches.items():
        best = found[0].score if found else 1.0
        for match in found:
            if match.exchange_id not in exchange_ids or (route == RECORD_MEANING and match.score < LEAST_SIMILAR):
                continue
            matched.setdefault(match.record_id, {}).update({route: match.score, **match.parts})
            worth[match.record_id] = worth.get(match.record_id, 0.0) + page.weights[route] * match.score / best
    return matched, worth


def reply(found: FoundExchange, stated: Sequence[MatchedRecord]) -> str:
    """Return what the assistant said to the message that the best record rests on, else all it said; "" of people."""
    if found.style != "assistant":
        return ""
    told = [message for message in found.messages if _is_assistants(message)]
    if stated:
        at = next((i for i, message in enumerate(found.messages) if message.id == stated[0].message_id), 0)
        source, after = found.messages[at], found.messages[at + 1 :]
        told = [source] if _is_assistants(source) else list(takewhile(_is_assistants, after)) or told
    return "\n\n".join(message.content for message in told)


def _is_assistants(message: MessageView) -> bool:
    return message.role == "assistant"
