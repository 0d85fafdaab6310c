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
        Route("bm25", "tools"),
    )
}
VERBATIM, DISTILLED, TOOLS = ROUTES["bm25:verbatim"], ROUTES["dense:distilled"], ROUTES["bm25:tools"]


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


PLANS: dict[str, Plan] = {
    plan.name: plan
    for plan in (
        Plan("auto", (VERBATIM, DISTILLED), "blend", depth=200),
        Plan("cross", (VERBATIM, DISTILLED), "combmnz"),
        Plan("verbatim", (VERBATIM,), "weighted"),
        Plan("distilled", (DISTILLED,), "weighted"),
    )
}


def get_plan(name: str, *, fusion: str = "", fields: str = "all", group: str = "", with_tools: bool = False) -> Plan:
    """Return a plan by its name, or made of routes: `bm25:verbatim+dense:distilled`.

    `fusion` takes the place of its own, `fields` says what of an object `bm25:distilled` looks at, `with_tools` adds
    the route over tool calls.

    :raises UsageError: a name that is not known; the message lists those there are
    """
    plan = PLANS.get(name) or Plan(name, tuple(_route(part) for part in name.split("+")))
    if fusion:
        plan = structs.replace(plan, fusion=_known(fusion, "fusion", get_args(Fusion)))
    if with_tools:
        plan = structs.replace(plan, routes=(*plan.routes, TOOLS))
    routes = tuple(
        structs.replace(route, fields=_known(fields, "set of fields", get_args(Fields))) for route in plan.routes
    )
    return structs.replace(plan, routes=routes, group=_known(group, "group", get_args(Group)))


def _route(name: str) -> Route:
    known = [*PLANS, *ROUTES]
    if name not in ROUTES:
        raise UsageError(f"there is no search mode {name!r}. Choose one of {', '.join(known)}, or join routes with +")
    return ROUTES[name]


def _known(name: str, what: str, names: Iterable[str]) -> str:
    if name not in names:
        raise UsageError(f"there is no {what} {name!r}. Choose one of: {', '.join(filter(None, names))}")
    return name
