"""Named ways to answer: which routes, which fusion. A variant is a value here, not code elsewhere."""

from collections.abc import Sequence
from typing import Literal, get_args

from msgspec import Struct, structs

from memlite.errors import UsageError
from memlite.retrieve.routes import Route

VERBATIM = Route("bm25", "verbatim")
DISTILLED = Route("dense", "distilled")
TOOLS = Route("bm25", "tools")


Fusion = Literal["blend", "combmnz", "rrf", "weighted"]


class Plan(Struct, frozen=True):
    """A set of routes and how their rankings become one."""

    name: str
    routes: tuple[Route, ...]
    fusion: Fusion
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


def get_plan(name: str, *, fusion: str = "", with_tools: bool = False) -> Plan:
    """Return a plan by name; `fusion` takes the place of its own, `with_tools` adds a route over tool calls.

    :raises UsageError: there is no plan or fusion of that name; the message lists those there are
    """
    plan = PLANS[_known(name, "search mode", tuple(PLANS))]
    if fusion:
        _known(fusion, "fusion", get_args(Fusion))
        plan = structs.replace(plan, fusion=fusion)
    return structs.replace(plan, routes=(*plan.routes, TOOLS)) if with_tools else plan


def _known(name: str, what: str, names: Sequence[str]) -> str:
    if name not in names:
        raise UsageError(f"there is no {what} {name!r}. Choose one of: {', '.join(names)}")
    return name
