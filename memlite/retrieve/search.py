"""One search from question to hits: every plan, every door goes through here."""

import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import structs

from memlite.models.base import Embedder
from memlite.retrieve import analyse, blend, fuse, hits, routes, standing
from memlite.retrieve.plans import DISTILLED, Plan
from memlite.retrieve.routes import Ground, Route
from memlite.store import dense, history, recall, record_routes
from memlite.store.connection import Connection
from memlite.store.record_routes import Match
from memlite.types.query import Filters, Query, Recall, Results, RouteReport, Sort, TraceStep

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
    reply: Recall = "auto",
) -> Results:
    """Return the exchanges that answer a question, best first. A question without words browses, newest first."""
    # By time, it is the newest of all that match that count, not of those that match best.
    depth = min(max(plan.depth, limit + offset), EVERYTHING) if sort == "relevance" else EVERYTHING
    ranked = _rank(Ground(con, query, routes.scope_of(query), depth, embedder), plan)
    if plan.group == "conversation":
        best = _best_of_each_conversation(con, ranked.ranking)
        if len(best) < limit + offset and ranked.cut:  # so few conversations hold so many of the best exchanges
            ranked = _rank(Ground(con, query, routes.scope_of(query), EVERYTHING, embedder), plan)
            best = _best_of_each_conversation(con, ranked.ranking)
        ranked = ranked._replace(ranking=best)
    page = hits.Page(
        ranking=_page(con, ranked.ranking, limit, offset, sort),
        traces=ranked.traces,
        matches=ranked.matches,
        weights={route.name: route.weight for route in plan.routes},
        with_reply=reply == "always" or (reply == "auto" and query.analysis.needs_assistant),
    )
    return Results(query, plan.name, ranked.reports, recall.get_coverage(con), hits.build(con, query, page))


class Ranking(NamedTuple):
    """What a plan finds: (exchange id, score), best first."""

    found: list[tuple[int, float]]
    seconds: float
    """What it takes alone: its routes, the question's vector where one asks for it, and the fusion."""


def rank(
    con: Connection, query: Query, plans: Sequence[Plan], embedder: Embedder | None, *, limit: int
) -> dict[str, Ranking]:
    """Return what each plan finds for a question: what `search` pages through.

    Plans share the question's vector and what their routes find, so hundreds of them cost little more than one: that is
    what an evaluation needs.
    """
    depth = max(limit, *(plan.depth for plan in plans))
    ground = Ground(con, query, routes.scope_of(query), depth, embedder)
    started = time.perf_counter()
    if embedder is not None and any(route.kind == "dense" for plan in plans for route in plan.routes):
        _ = ground.vector
    embedding = time.perf_counter() - started
    return {plan.name: _timed(ground, plan, embedding, limit) for plan in plans}


def _timed(ground: Ground, plan: Plan, embedding: float, limit: int) -> Ranking:
    for route in plan.routes:
        ground.found(route)
    started = time.perf_counter()
    found = _rank(ground, plan).ranking[:limit]
    seconds = time.perf_counter() - started + sum(map(ground.seconds, plan.routes))
    return Ranking(found, seconds + embedding * any(route.kind == "dense" for route in plan.routes))


class _Ranked(NamedTuple):
    """All that was found, best first."""

    ranking: list[tuple[int, float]]
    traces: fuse.Traces
    reports: tuple[RouteReport, ...]
    cut: bool
    """Whether a route found more than it was asked for."""
    matches: hits.Matches


def _rank(ground: Ground, plan: Plan) -> _Ranked:
    query = ground.query
    wanted = plan.routes if query.words else (BROWSE,)
    ran = [ground.found(route) for route in wanted]
    by_route = {route.name: outcome for route, (outcome, _) in zip(wanted, ran, strict=True)}
    found = {name: outcome.ranking for name, outcome in by_route.items() if outcome.ranking}
    matches = {name: outcome.matches for name, outcome in by_route.items() if outcome.matches}
    # What is weighed does not depend on the page asked for, so that pages are pieces of one list.
    heads = {name: ranking[: plan.depth] for name, ranking in found.items()} if query.words else {}
    if plan.fusion == "blend":
        traces, similar = _blend(ground, plan, heads)
        matches |= {blend.RECORD_MEANING: similar} if similar else {}
    else:
        traces = _fuse(ground.con, query, plan, heads)
    ranking = fuse.ranked(traces)
    traces |= _tail(found, traces)
    ranking += [(id, 0.0) for id in list(traces)[len(ranking) :]]
    ranking = _current_first(ground, ranking) if plan.current_first else ranking
    cut = any(len(ranking) >= ground.depth for ranking in found.values())
    return _Ranked(ranking, traces, tuple(report for _, report in ran), cut, matches)


def _current_first(ground: Ground, ranking: list[tuple[int, float]]) -> list[tuple[int, float]]:
    query = ground.query
    if not query.words:
        return ranking
    links = history.get_successions(ground.con, [id for id, _ in ranking[: standing.HEAD]])
    if query.filters != structs.replace(Filters(), as_of=query.filters.as_of):  # no filter may be got round
        known = {id for id, _ in ranking}
        links = [one for one in links if one.old in known and one.new in known]
    past = standing.asks_of_the_past(query.text)
    return standing.arrange(ranking, links, past=past, as_of=query.filters.as_of)


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


def _blend(ground: Ground, plan: Plan, rankings: Mapping[str, fuse.Ranking]) -> tuple[fuse.Traces, Sequence[Match]]:
    """Return what makes up each candidate's score, and the cosines of the candidates' records."""
    candidates = list(dict.fromkeys(id for ranking in rankings.values() for id, _ in ranking))
    # Every candidate gets its cosine, also those only the words have found: a missing score is not a score of 0.
    found = DISTILLED.name in rankings
    cosines = dense.similarities(ground.con, "distilled", ground.vector, candidates) if found else ()
    of_records = {name: ranking for name, ranking in rankings.items() if name in blend.RECORDS}
    similar: Sequence[Match] = ()
    if blend.RECORD_MEANING in of_records:
        similar = record_routes.similarities(ground.con, ground.vector, candidates, ground.scope)
        of_records[blend.RECORD_MEANING] = routes.by_exchange(similar)
    traces = blend.blend(
        {name: ranking for name, ranking in rankings.items() if name not in (DISTILLED.name, *of_records)},
        cosines,
        recall.get_standings(ground.con, candidates),
        records=of_records,
        weights={route.name: route.weight for route in plan.routes},
        dense_weight=blend.DENSE_FOR_CODE if _is_literal(ground.query) else blend.DENSE,
        month=ground.query.month,
    )
    return traces, similar


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
