"""One search from question to hits: every plan, every door goes through here."""

from collections.abc import Mapping, Sequence

from memlite.models.base import Embedder
from memlite.retrieve import analyse, blend, fuse, routes, snippet
from memlite.retrieve.plans import DISTILLED, Plan
from memlite.retrieve.routes import Ground, Route
from memlite.store import dense, lexical, palace, recall
from memlite.store.connection import Connection
from memlite.store.recall import FoundExchange
from memlite.types.query import Hit, ObjectView, Query, Results, Sort, TraceStep

BROWSE = Route("newest", "verbatim")


def search(
    con: Connection,
    query: Query,
    plan: Plan,
    embedder: Embedder | None,
    *,
    limit: int,
    offset: int = 0,
    sort: Sort = "relevance",
) -> Results:
    """Return the exchanges that answer a question, best first. A question without words browses, newest first."""
    vector, why_not = routes.embed_question(con, query, embedder) if _needs_vector(plan) else (None, "")
    ground = Ground(con, query, routes.scope_of(query), max(plan.depth, 2 * (limit + offset)), vector, why_not)
    wanted = plan.routes if query.words else (BROWSE,)
    ran = [routes.run(route, ground) for route in wanted]
    rankings = {route.name: found for route, (found, _) in zip(wanted, ran, strict=True) if found}
    traces = _blend(ground, rankings) if plan.fusion == "blend" else _fuse(plan, rankings)
    ranking = fuse.ranked(traces) if query.words else [(id, 0.0) for id, _ in rankings.get(BROWSE.name, ())]
    page = _page(con, ranking, limit, offset, sort)
    reports = tuple(report for _, report in ran)
    return Results(query, plan.name, reports, recall.get_coverage(con), _hits(con, query, page, traces))


def _needs_vector(plan: Plan) -> bool:
    return any(route.kind == "dense" for route in plan.routes)


def _fuse(plan: Plan, rankings: Mapping[str, fuse.Ranking]) -> fuse.Traces:
    return fuse.FUSIONS[plan.fusion](rankings, {route.name: route.weight for route in plan.routes})


def _blend(ground: Ground, rankings: Mapping[str, fuse.Ranking]) -> fuse.Traces:
    candidates = list(dict.fromkeys(id for ranking in rankings.values() for id, _ in ranking))
    # Every candidate gets its cosine, also those only the words have found: a missing score is not a score of 0.
    cosines = (
        dense.similarities(ground.con, ground.vector, candidates)
        if ground.vector and DISTILLED.name in rankings
        else ()
    )
    return blend.blend(
        {name: ranking for name, ranking in rankings.items() if name != DISTILLED.name},
        cosines,
        recall.get_standings(ground.con, candidates),
        dense_weight=blend.DENSE_FOR_CODE if _is_literal(ground.query) else blend.DENSE,
        month=ground.query.month,
    )


def _is_literal(query: Query) -> bool:
    return bool(query.phrases) or blend.names_code(query.text)


def _page(
    con: Connection, ranking: list[tuple[int, float]], limit: int, offset: int, sort: Sort
) -> list[tuple[int, float]]:
    if sort != "relevance":
        said = {id: found.said_at or "" for id, found in recall.get_exchanges(con, [id for id, _ in ranking]).items()}
        known = [row for row in ranking if said[row[0]]]
        known.sort(key=lambda row: said[row[0]], reverse=sort == "newest")
        ranking = known + [row for row in ranking if not said[row[0]]]
    return ranking[offset : offset + limit]


def _hits(con: Connection, query: Query, page: Sequence[tuple[int, float]], traces: fuse.Traces) -> tuple[Hit, ...]:
    ids = [id for id, _ in page]
    exchanges = recall.get_exchanges(con, ids)
    objects = palace.get_objects(con, ids)
    words = (*query.phrases, *analyse.content_words(query))
    return tuple(
        _hit(con, words, exchanges[id], objects.get(id), score, traces.get(id, []))
        for id, score in page
        if id in exchanges
    )


def _hit(
    con: Connection,
    words: Sequence[str],
    found: FoundExchange,
    view: ObjectView | None,
    score: float,
    trace: Sequence[TraceStep],
) -> Hit:
    places = [snippet.occurrences(m.content, words, lambda text: lexical.tokenise(con, text)) for m in found.messages]
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
        score=score,
        snippet=shown,
        text=found.text,
        object=view,
        trace=tuple(trace),
        external_ids=tuple(message.external_id for message in messages),
    )


def _context_place(content: str, view: ObjectView | None) -> list[snippet.Found]:
    """Return where the object's exact detail stands: what to show of a hit that shares no word with the question."""
    start = content.find(view.specific_context) if view and view.specific_context else -1
    return [snippet.Found(start, start + 1, 0)] if start >= 0 else []
