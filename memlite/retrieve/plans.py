"""Named ways to answer: which routes, which fusion. A variant is a value here, not code elsewhere."""

from collections.abc import Iterable
from typing import Literal, get_args

from msgspec import Struct, structs

from memlite.errors import UsageError
from memlite.retrieve.routes import Fields, Route

Fusion = Literal["blend", "combmnz", "hybrid", "rrf", "weighted"]
Group = Literal["", "conversation"]

ROUTES = {
    route.name: route
    for route in (
        Route("bm25", "verbatim"),
        Route("dense", "verbatim"),
        Route("bm25", "distilled"),
        Route("dense", "distilled"),
        Route("bm25", "records"),
        Route("dense", "records"),
        Route("dimensional", "records"),
        Route("bm25", "tools"),
    )
}
VERBATIM, DISTILLED, TOOLS = ROUTES["bm25:verbatim"], ROUTES["dense:distilled"], ROUTES["bm25:tools"]


def _over_records(words: float, meaning: float, dimensions: float) -> tuple[Route, ...]:
    weights = {"bm25:records": words, "dense:records": meaning, "dimensional:records": dimensions}
    return tuple(structs.replace(ROUTES[name], weight=weight) for name, weight in weights.items())


# Beside what was said and what was distilled of it, the words of the records say little that is new: at 0.25 the MRR
# of LoCoMo is 0.01 lower. The neighbours of these weights find the same within 0.005 (benchmarks/README.md).
RECORDS = _over_records(0.1, 0.25, 0.3)


class Plan(Struct, frozen=True):
    """A set of routes and how their rankings become one."""

    name: str
    routes: tuple[Route, ...]
    fusion: Fusion = "combmnz"
    depth: int = 20
    """Candidates of each route that are weighed; what is found beyond follows unweighed. CombMNZ doubles what both
    routes give, which means little when each gives everything: twice the usual limit, as in arXiv 2603.13017. The blend
    needs many, to see neighbours; 400 find 0.002 more of LoCoMo than 200 do, and cost a third more time."""
    group: Group = ""
    """`conversation`: only the best exchange of each."""
    current_first: bool = True
    """Whether what holds now stands before what it took the place of."""


PLANS: dict[str, Plan] = {
    plan.name: plan
    for plan in (
        Plan("auto", (VERBATIM, DISTILLED, *RECORDS), "blend", depth=200),
        Plan("cross", (VERBATIM, DISTILLED), "combmnz"),
        Plan("verbatim", (VERBATIM,), "weighted"),
        Plan("distilled", (DISTILLED,), "weighted"),
        Plan("records", _over_records(0.5, 1.0, 0.5), "blend", depth=200),
    )
}
# What is left of the default plan without one of its parts: for measuring what the part is worth.
CONTENT = structs.replace(RECORDS[0], fields="core"), RECORDS[1]
ABLATIONS: dict[str, Plan] = {
    f"auto-{name}": structs.replace(PLANS["auto"], name=f"auto-{name}", routes=(VERBATIM, DISTILLED, *records))
    for name, records in {"without-records": (), "without-dimensional": RECORDS[:2], "content-only": CONTENT}.items()
}
ABLATIONS["auto-without-update"] = structs.replace(PLANS["auto"], name="auto-without-update", current_first=False)


def get_plan(name: str, *, fusion: str = "", fields: str = "all", group: str = "", with_tools: bool = False) -> Plan:
    """Return a plan by its name, or made of routes: `bm25:verbatim+dense:distilled`.

    `fusion` takes the place of its own, `fields` says what of an object `bm25:distilled` looks at, `with_tools` adds
    the route over tool calls.

    :raises UsageError: a name that is not known; the message lists those there are
    """
    plan = PLANS.get(name) or ABLATIONS.get(name) or Plan(name, tuple(_route(part) for part in name.split("+")))
    if fusion:
        plan = structs.replace(plan, fusion=known(fusion, "fusion", get_args(Fusion)))
    if with_tools:
        plan = structs.replace(plan, routes=(*plan.routes, TOOLS))
    asked = known(fields, "set of fields", get_args(Fields))
    routes = plan.routes
    if asked != "all":  # a plan's own routes look at all but where the plan says less
        routes = tuple(structs.replace(route, fields=asked) for route in routes)
    return structs.replace(plan, routes=routes, group=known(group, "group", get_args(Group)))


def _route(name: str) -> Route:
    if name not in ROUTES:
        modes = ", ".join([*PLANS, *ROUTES])
        raise UsageError(f"there is no search mode {name!r}. Choose one of {modes}, or join routes with +")
    return ROUTES[name]


def known(name: str, what: str, names: Iterable[str]) -> str:
    """Return a name that is one of those there are.

    :raises UsageError: it is not; the message lists them
    """
    if name not in names:
        raise UsageError(f"there is no {what} {name!r}. Choose one of: {', '.join(filter(None, names))}")
    return name
