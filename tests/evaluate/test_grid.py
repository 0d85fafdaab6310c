"""The configurations: as many as the formula says, each with a name of its own, each a plan that runs."""

from memlite.evaluate.grid import DENSE, FIELDS, FUSIONS, grid
from memlite.retrieve.plans import ABLATIONS, PLANS

VERBATIM, RECORDS = (
    2,
    4,
)  # routes of a layer: by words and by meaning; records by words (of two fields), meaning, dimensions
DISTILLED = len(FIELDS) + len(DENSE)
PAIRS = 1 + len(FIELDS) * len(DENSE) + 2 * 2 + 1


def test_the_count_equals_the_formula():
    counts = {family: len(plans) for family, plans in grid().items()}
    assert counts == {
        "named": len(PLANS) + len(ABLATIONS),
        "pure": VERBATIM + DISTILLED + RECORDS,
        "same-layer": PAIRS * (len(FUSIONS) + 1),
        "cross-layer": len(FUSIONS) * (VERBATIM * DISTILLED + VERBATIM * RECORDS + DISTILLED * RECORDS + len(FIELDS)),
    }


def test_every_plan_has_a_name_of_its_own_and_they_differ():
    plans = [plan for plans in grid().values() for plan in plans]
    assert len({plan.name for plan in plans}) == len(plans)
    unnamed = [plan for family, plans in grid().items() if family != "named" for plan in plans]
    assert len({(plan.routes, plan.fusion) for plan in unnamed}) == len(unnamed)


def test_families_are_what_they_are_called():
    families = grid()
    assert all(len(plan.routes) == 1 for plan in families["pure"])
    assert all(len({route.layer for route in plan.routes}) == 1 < len(plan.routes) for plan in families["same-layer"])
    assert all(len({route.layer for route in plan.routes}) > 1 for plan in families["cross-layer"])


def test_the_published_best_is_among_them():
    plan = next(plan for plan in grid()["cross-layer"] if plan.name == "V:bm25+D:dense/combmnz")
    assert (plan.routes, plan.fusion, plan.depth) == (
        PLANS["cross"].routes,
        PLANS["cross"].fusion,
        PLANS["cross"].depth,
    )
