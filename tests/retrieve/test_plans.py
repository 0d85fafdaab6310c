"""Names of ways to answer, and routes joined by hand."""

import pytest

from memlite.errors import UsageError
from memlite.retrieve.plans import ABLATIONS, PLANS, ROUTES, get_plan


def names(plan):
    return [route.name for route in plan.routes]


@pytest.mark.parametrize("name", ROUTES)
def test_a_route_is_a_plan(name):
    plan = get_plan(name)
    assert (plan.name, names(plan)) == (name, [name])


def test_routes_are_joined_in_the_order_given():
    assert names(get_plan("dense:verbatim+bm25:tools+bm25:distilled")) == [
        "dense:verbatim",
        "bm25:tools",
        "bm25:distilled",
    ]


def test_what_is_asked_for_replaces_only_that():
    plan = get_plan("auto", fusion="rrf", fields="core+files", group="conversation", with_tools=True)
    assert (plan.name, plan.fusion, plan.group, plan.depth) == ("auto", "rrf", "conversation", PLANS["auto"].depth)
    assert names(plan) == [*names(PLANS["auto"]), "bm25:tools"]
    assert {route.fields for route in plan.routes} == {"core+files"}
    assert get_plan("cross") == PLANS["cross"]


def test_an_ablation_is_the_default_plan_without_a_part_of_it():
    whole = PLANS["auto"]
    left = {name: names(get_plan(name)) for name in ABLATIONS}
    assert {name: set(names(whole)) - set(kept) for name, kept in left.items()} == {
        "auto-without-records": {"bm25:records", "dense:records", "dimensional:records"},
        "auto-without-dimensional": {"dimensional:records"},
        "auto-content-only": {"dimensional:records"},
        "auto-without-update": set(),
    }
    assert [name for name, plan in ABLATIONS.items() if not plan.current_first] == ["auto-without-update"]
    assert {(plan.fusion, plan.depth) for plan in ABLATIONS.values()} == {(whole.fusion, whole.depth)}
    fields = {route.name: route.fields for route in get_plan("auto-content-only").routes}
    assert fields["bm25:records"] == "core"
    assert {fields["bm25:verbatim"], fields["dense:records"]} == {"all"}


@pytest.mark.parametrize(
    ("given", "known"),
    [
        ({"name": "psychic"}, [*PLANS, *ROUTES]),
        ({"name": "bm25:verbatim+"}, list(ROUTES)),
        ({"name": "bm25:verbatim+auto"}, list(ROUTES)),
        ({"name": "dimensional:verbatim"}, list(ROUTES)),
        ({"name": ""}, list(PLANS)),
        ({"name": "auto", "fusion": "cold"}, ["blend", "combmnz", "hybrid", "rrf", "weighted"]),
        ({"name": "auto", "fields": "files"}, ["core", "core+files", "core+rooms", "all"]),
        ({"name": "auto", "group": "project"}, ["conversation"]),
    ],
)
def test_a_name_that_is_not_known_lists_those_that_are(given, known):
    with pytest.raises(UsageError) as error:
        get_plan(**given)
    assert all(name in str(error.value) for name in known)
