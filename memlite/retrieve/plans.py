"""Named ways to answer: which routes, which fusion. A variant is a value here, not code elsewhere."""

from typing import Literal

from msgspec import Struct, structs

from memlite.errors import UsageError
from memlite.retrieve.routes import Route

VERBATIM = Route("bm25", "verbatim")
DISTILLED = Route("dense", "distilled")
TOOLS = Route("bm25", "tools")


class Plan(Struct, frozen=True):
    """A set of routes and how their rankings become one."""

    name: str
    routes: tuple[Route, ...]
    fusion: Literal["blend", "combmnz", "rrf", "weighted"]
    depth: int = 20
    """Candidates a route gives at least. CombMNZ doubles what both routes give, which means little when each gives
    everything: twice the usual limit, as in arXiv 2603.13017. The blend needs many, to see neighbours: at 400 its MRR
    levels off."""


PLANS: dict[str, Plan] = {
    plan.name: plan
    for plan in (
        Plan("auto", (VERBATIM, DISTILLED), "blend", depth=400),
        Plan("cross", (VERBATIM, DISTILLED), "combmnz"),
        Plan("verbatim", (VERBATIM,), "weighted"),
        Plan("distilled", (DISTILLED,), "weighted"),
    )
}


def get_plan(name: str, *, with_tools: bool = False) -> Plan:
    """Return a plan by name; `with_tools` lets it look into tool calls and their output too.

    :raises UsageError: there is none of that name; the message lists those there are
    """
    if name not in PLANS:
        raise UsageError(f"there is no search mode {name!r}. Choose one of: {', '.join(PLANS)}")
    plan = PLANS[name]
    return structs.replace(plan, routes=(*plan.routes, TOOLS)) if with_tools else plan
