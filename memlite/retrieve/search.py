"""One search from question to hits: every plan, every door goes through here."""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

from memlite.models.base import Embedder
from memlite.retrieve import analyse, blend, fuse, routes, snippet
from memlite.retrieve.plans import DISTILLED, Plan
from memlite.retrieve.routes import Ground, Route
from memlite.store import dense, lexical, palace, recall
from memlite.store.connection import Connection
from memlite.store.recall import FoundExchange
from memlite.types.query import Hit, ObjectView, Query, Results, RouteReport, Sort, TraceStep

BROWSE = Route("newest", "verbatim")
EVERYTHING = 1 << 40


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
    # By time, it is the newest of all that match that count, not of those that match best.
    depth = max(plan.depth, limit + offset) if sort == "relevance" else EVERYTHING
    ranked = _rank(Ground(con, query, routes.scope_of(query), depth, embedder), plan)
    if plan.group == "conversation":
        best = _best_of_each_conversation(con, ranked.ranking)
        if len(best) < limit + offset and ranked.cut:  # so few conversations hold so many of the best exchanges
            ranked = _rank(Ground(con, query, routes.scope_of(query), EVERYTHING, embedder), plan)
            best = _best_of_each_conversation(con, ranked.ranking)
        ranked = ranked._replace(ranking=best)
    page = _page(con, ranked.ranking, limit, offset, sort)
    hits = _hits(con, query, page, ranked.traces)
    return Results(query, plan.name, ranked.reports, recall.get_coverage(con), hits)


class _Ranked(NamedTuple):
    """All that was found, best first."""

    ranking: list[tuple[int, float]]
    traces: fuse.Traces
    reports: tuple[RouteReport, ...]
    cut: bool
    """Whether a route found more than it was asked for."""


def _rank(ground: Ground, plan: Plan) -> _Ranked:
    query = ground.query
    wanted = plan.routes if query.words else (BROWSE,)
    ran = [routes.run(route, ground) for route in wanted]
    found = {route.name: ranking for route, (ranking, _) in zip(wanted, ran, strict=True) if ranking}
    # What is weighed does not depend on the page asked for, so that pages are pieces of one list.
    heads = {name: ranking[: plan.depth] for name, ranking in found.items()} if query.words else {}
    traces = _blend(ground, heads) if plan.fusion == "blend" else _fuse(ground.con, query, plan, heads)
    ranking = fuse.ranked(traces)
    traces |= _tail(found, traces)
    ranking += [(id, 0.0) for id in list(traces)[len(ranking) :]]
    cut = any(len(ranking) >= ground.depth for ranking in found.values())
    return _Ranked(ranking, traces, tuple(report for _, report in ran), cut)


def _tail(found: Mapping[str, fuse.Ranking], weighed: fuse.Traces) -> fuse.Traces:
    """Return what routes found beyond the depth of the plan, by rank; it adds nothing to a score of 0.

    By rank and not route by route: a deeper search then only adds at the end of the list.
    """
    tail: fuse.Traces = {}
    places = ((rank, route, id, score) for route, row in found.items() for rank, (id, score) in enumerate(row, start=1))
    for rank, route, id, score in sorted(places, key=lambda place: place[0]):
        if id not in weighed:
            tail.setdefault(id, []).append(TraceStep(route, rank, score, 0.0))
    return tail


def _best_of_each_conversation(con: Connection, ranking: list[tuple[int, float]]) -> list[tuple[int, float]]:
    standings = recall.get_standings(con, [id for id, _ in ranking])
    best: dict[int, tuple[int, float]] = {}
    for id, score in ranking:
        best.setdefault(standings[id].conversation_id, (id, score))
    return list(best.values())


def _fuse(con: Connection, query: Query, plan: Plan, rankings: Mapping[str, fuse.Ranking]) -> fuse.Traces:
    traces = fuse.FUSIONS[plan.fusion](rankings, {route.name: route.weight for route in plan.routes})
    if plan.fusion != "hybrid":
        return traces
    asked, titles = _content(query), recall.get_titles(con, list(traces))
    titled = {id for id, title in titles.items() if asked & _content(analyse.parse(title, query.filters))}
    return fuse.lifted(traces, titled)


def _content(query: Query) -> set[str]:
    return {word.casefold() for word in analyse.content_words(query)}


def _blend(ground: Ground, rankings: Mapping[str, fuse.Ranking]) -> fuse.Traces:
    candidates = list(dict.fromkeys(id for ranking in rankings.values() for id, _ in ranking))
    # Every candidate gets its cosine, also those only the words have found: a missing score is not a score of 0.
    found = DISTILLED.name in rankings
    cosines = dense.similarities(ground.con, "distilled", ground.vector, candidates) if found else ()
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
        said = {id: place.said_from or "" for id, place in recall.get_standings(con, [id for id, _ in ranking]).items()}
        known = [row for row in ranking if said[row[0]]]
        known.sort(key=lambda row: said[row[0]], reverse=sort == "newest")
        ranking = known + [row for row in ranking if not said[row[0]]]
    return ranking[offset : offset + limit]


def _hits(con: Connection, query: Query, page: Sequence[tuple[int, float]], traces: fuse.Traces) -> tuple[Hit, ...]:
    ids = [id for id, _ in page]
    exchanges = recall.get_exchanges(con, ids)
    objects = palace.get_objects(con, ids)
    words = analyse.sought(query)
    # The question's words are tokenised for every message of every hit: 40 times in one search.
    tokenise = cache(partial(lexical.tokenise, con))
    return tuple(
        _hit(tokenise, words, exchanges[id], objects.get(id), score, traces.get(id, []))
        for id, score in page
        if id in exchanges
    )


def _hit(
    tokenise: snippet.Tokenise,
    words: Sequence[str],
    found: FoundExchange,
    view: ObjectView | None,
    score: float,
    trace: Sequence[TraceStep],
) -> Hit:
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
