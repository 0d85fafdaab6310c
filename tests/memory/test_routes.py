"""Every route alone, routes joined, and what of an object the keywords look at."""

import re

import pytest

from memlite.errors import MemliteError, UsageError
from memlite.memory import Memory
from memlite.retrieve.plans import PLANS, ROUTES
from tests.embedders import WordEmbedder
from tests.memory.conftest import conversations, plant

FUSIONS = ["blend", "combmnz", "hybrid", "rrf", "weighted"]


@pytest.fixture(scope="module")
def layered(tmp_path_factory, talk):
    """Each exchange is found by one layer alone: what was said, its object, or its tools; one of them by all."""
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "systemctl restart gecko"}}
    with Memory(tmp_path_factory.mktemp("layered") / "memory.db", embedder=WordEmbedder()) as memory:
        memory.add(talk("Where does the gecko sleep?", "Under the stone by the wall."), conversation="said")
        memory.add(talk("What did the small animal eat?", "It ate nothing at all."), conversation="object")
        memory.add(
            [
                {"role": "user", "content": "Please start it again now, would you?"},
                {"role": "assistant", "content": [call]},
                {"role": "assistant", "content": "It runs again."},
            ],
            conversation="tools",
        )
        memory.add(
            [
                {"role": "user", "content": "How do we feed the gecko?"},
                {"role": "assistant", "content": [{"type": "text", "text": "The gecko eats flies."}, call]},
            ],
            conversation="all",
            title="On feeding geckos, and on the gecko.",
        )
        memory.embed(verbatim=True)
        plant(memory, 1, "stone by the wall")
        plant(memory, 2, "gecko fed")
        plant(memory, 3, "started again")
        plant(memory, 4, "gecko feeding with flies", "the gecko eats flies")
        memory.reindex()  # the objects put in by hand wait for their vectors
        yield memory


@pytest.mark.parametrize(
    ("mode", "found"),
    [
        ("bm25:verbatim", {"said", "all"}),
        ("dense:verbatim", {"said", "all"}),
        ("bm25:distilled", {"object", "all"}),
        ("dense:distilled", {"object", "all"}),
        ("bm25:tools", {"tools", "all"}),
    ],
)
def test_every_route_alone(layered, mode, found):
    results = layered.search("gecko", mode=mode)
    # A vector of a few words is a little like every other; what shares the word is well above the rest.
    assert set(conversations(results)[:2]) == found
    assert len(results) == 2 or mode.startswith("dense")
    assert results.plan == mode
    (route,) = results.routes
    assert (f"{route.name}:{route.layer}", route.ran, route.candidates) == (mode, True, len(results))
    for hit in results:
        assert [step.route for step in hit.trace] == [mode]
    assert layered.search("quasar", mode=mode).hits == ()


@pytest.mark.parametrize("fusion", FUSIONS)
@pytest.mark.parametrize(
    "mode",
    ["bm25:verbatim+dense:verbatim", "bm25:distilled+dense:distilled", "bm25:verbatim+dense:verbatim+bm25:tools"],
)
def test_routes_joined_with_any_fusion(layered, mode, fusion):
    results = layered.search("the gecko", mode=mode, fusion=fusion)
    assert [f"{route.name}:{route.layer}" for route in results.routes] == mode.split("+")
    assert conversations(results)[0] == "all" or "tools" not in mode  # only that one is found by all three
    assert {step.route for step in results[0].trace} >= set(mode.split("+"))
    alone = {hit.exchange_id for route in mode.split("+") for hit in layered.search("the gecko", mode=route)}
    assert {hit.exchange_id for hit in results} == alone
    for hit in results:
        assert hit.score == pytest.approx(sum(step.contribution for step in hit.trace))
    assert [hit.score for hit in results] == sorted((hit.score for hit in results), reverse=True)


def test_a_title_with_a_word_of_the_question_counts_twice_in_hybrid(layered):
    one = layered.search("gecko", mode="bm25:verbatim+dense:verbatim", fusion="hybrid")
    hit = next(hit for hit in one if hit.conversation.external_id == "all")
    share = {step.route: (step.rank, step.score) for step in hit.trace}
    best = {step.route: step.score for other in one for step in other.trace if step.rank == 1}
    by_hand = sum(
        weight * share[route][1] / best[route] / (1 + 0.1 * (share[route][0] - 1))
        for route, weight in (("bm25:verbatim", 0.6), ("dense:verbatim", 0.4))
    )
    assert hit.score == pytest.approx(by_hand * 1.2 * 2)


@pytest.mark.parametrize(
    ("given", "known"),
    [
        ({"mode": "bm25"}, [*PLANS, *ROUTES]),
        ({"mode": "bm25:verbatim + dense:verbatim"}, [*PLANS, *ROUTES]),
        ({"fusion": "cold"}, FUSIONS),
        ({"fields": "files"}, ["core", "core+files", "core+rooms", "all"]),
        ({"group": "project"}, ["conversation"]),
        ({"sort": "best"}, ["relevance", "newest", "oldest"]),
        ({"limit": -1}, ["limit -1", "0 or more"]),
        ({"offset": -3}, ["offset -3", "0 or more"]),
    ],
)
def test_what_is_not_known_is_named_with_what_is(layered, given, known):
    with pytest.raises(UsageError) as error:
        layered.search("gecko", **given)
    assert all(name in str(error.value) for name in known)
    assert layered.search("gecko", limit=0).hits == ()


@pytest.mark.parametrize("question", ["gecko", "", "+gecko -stone"])
@pytest.mark.parametrize("mode", ROUTES)
def test_every_route_on_an_empty_store(memory, mode, question):
    results = memory.search(question, mode=mode)
    assert results.hits == ()
    assert all(route.candidates == 0 for route in results.routes)


# -- what of an object is looked at --

FIELDS = ["core", "core+files", "core+rooms", "all"]


@pytest.fixture
def fields(memory, talk):
    for name in ("core", "context", "file", "room"):
        memory.add(talk("Which animal lives here?", "One lives here, as was said."), conversation=name)
    plant(memory, 1, "the ocelot core")
    plant(memory, 2, "nothing much", "the margay detail")
    plant(memory, 3, "nothing much", files=["/home/me/src/quokka_store.py"])
    plant(memory, 4, "nothing much", rooms=[("wombat-burrow", "Wombat burrows"), ("den", "A den of the numbat")])
    return memory


@pytest.mark.parametrize(
    ("question", "found", "where"),
    [
        ("ocelot", "core", set(FIELDS)),
        ("margay", "context", set(FIELDS)),
        ("quokka", "file", {"core+files", "all"}),
        ("quokka_store.py", "file", {"core+files", "all"}),
        ("wombat", "room", {"core+rooms", "all"}),
        ("numbat", "room", {"core+rooms", "all"}),  # by the room's label
    ],
)
def test_fields(fields, question, found, where):
    for name in FIELDS:
        results = fields.search(question, mode="bm25:distilled", fields=name)
        assert conversations(results) == ([found] if name in where else []), name
        assert results.routes[0].ran
    assert conversations(fields.search(question, mode="bm25:distilled")) == [found]


def test_fields_count_for_no_other_route(fields):
    for name, found in (("core", []), ("all", ["file"])):
        results = fields.search("animal quokka", mode="bm25:verbatim+bm25:distilled", fields=name)
        by = {hit.conversation.external_id: [step.route for step in hit.trace] for hit in results}
        assert set(by) == {"core", "context", "file", "room"}
        assert all("bm25:verbatim" in routes for routes in by.values())
        assert [name for name, routes in by.items() if "bm25:distilled" in routes] == found


def test_a_file_touched_by_a_tool_alone_is_found_by_its_path(memory):
    edit = {"type": "tool_use", "id": "t1", "name": "Edit", "input": {"file_path": "/srv/marmot/burrow_map.py"}}
    memory.add(
        [
            {"role": "user", "content": "Please make the lookup twice as fast, it takes a second for each request."},
            {"role": "assistant", "content": [{"type": "text", "text": "It caches the last result now."}, edit]},
        ]
    )
    memory.distill()
    assert len(memory.search("marmot", mode="bm25:distilled", fields="core")) == 0
    assert len(memory.search("marmot", mode="bm25:distilled", fields="core+files")) == 1
    assert len(memory.search("marmot", mode="bm25:verbatim")) == 0


# -- after the end --


@pytest.mark.parametrize(
    "use",
    [
        lambda memory: memory.search("pool"),
        lambda memory: memory.status(),
        lambda memory: memory.get(1),
        lambda memory: memory.context("pool"),
        lambda memory: memory.add([{"role": "user", "content": "more"}]),
        lambda memory: memory.distill(),
        lambda memory: memory.embed(verbatim=True),
        lambda memory: memory.reindex(),
    ],
)
def test_a_closed_store_says_how_to_go_on(pool, use):
    use(pool)
    pool.close()
    pool.close()
    with pytest.raises(MemliteError, match=re.escape(f"{pool.path} is closed. Open it again with memlite.open")):
        use(pool)
