"""Filters, order and pages: what narrows a search narrows every route before it ranks."""

import random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlite.memory import Memory
from memlite.retrieve.plans import PLANS
from memlite.store import dense
from tests.embedders import WordEmbedder

# With the plans, every layer's keywords and vectors.
MODES = [*(mode for mode in PLANS if mode != "records"), "bm25:distilled", "dense:verbatim"]
every_mode = pytest.mark.parametrize("mode", MODES)


def conversations(results):
    return [hit.conversation.external_id for hit in results]


@every_mode
def test_a_rare_project_gives_its_hits_though_all_others_are_nearer(memory, mode, talk):
    for i in range(260):
        memory.add(
            talk(f"The pool timeout pool timeout pool {i}?", f"Pool timeout pool, number {i} of the pool timeout."),
            conversation=f"c{i}",
            project="big",
        )
    memory.add(
        talk("Was it a pool timeout in the garden?", "Yes, a timeout of the pump: an hour or so of no water."),
        conversation="rare",
        project="small",
    )
    memory.distill()
    memory.embed(verbatim=mode == "dense:verbatim")
    assert conversations(memory.search("pool timeout", mode=mode, project="small")) == ["rare"]
    assert set(conversations(memory.search("pool timeout", mode=mode, project="big", limit=300))) <= {
        f"c{i}" for i in range(260)
    }


@every_mode
def test_the_day_is_that_of_the_zone(pool, mode):
    pool.embed(verbatim=True)
    lisbon, utc = ZoneInfo("Europe/Lisbon"), ZoneInfo("UTC")

    def found(**when):
        return conversations(pool.search("swimming pool closed", mode=mode, **when))

    # Said at 23:30 UTC on 20 May, which is 00:30 on 21 May in Lisbon.
    assert found(since="2026-05-20", until="2026-05-20", zone=utc) == ["c2"]
    assert found(since="2026-05-21", zone=lisbon) == ["c2"]
    assert found(since="2026-05-20", until="2026-05-20", zone=lisbon) == []
    assert found(until="2026-05-20", zone=lisbon).count("c2") == 0


@every_mode
def test_filters(pool, mode):
    pool.embed(verbatim=True)

    def found(**filters):
        return set(conversations(pool.search("pool strings cache closed", mode=mode, **filters)))

    expected = [
        ({"project": "home"}, {"c2"}),
        ({"conversation": "c1"}, {"c1"}),
        ({"source": "claude-code"}, set()),
        ({"source": "generic", "project": "music"}, {"c3"}),
        ({"since": "2026-05-10"}, {"c2"}),
        ({"until": "2026-05-10"}, {"c1", "c3"}),
        ({"project": "", "source": "", "conversation": "", "since": "", "until": ""}, {"c1", "c2", "c3"}),
    ]
    for filters, wanted in expected:
        # Not every one of them is near enough to the question for the vectors.
        assert found(**filters) <= wanted if "di" in mode or "dense" in mode else found(**filters) == wanted


@pytest.mark.parametrize("name", ["50%", "a_b", "it's", "x" * 300, "café ☕", "App"])
def test_names_are_matched_as_they_are(memory, name, talk):
    memory.add(talk("Why does the pool time out?", "Too few connections."), conversation=name, project=name)
    memory.add(talk("Why does the pool time out?", "Too few connections."), conversation="axb", project="app")
    assert conversations(memory.search("pool", project=name)) == [name]
    assert conversations(memory.search("pool", conversation=name)) == [name]


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """200 exchanges over five projects and 100 days; a third was not said by a person, some at no known time."""
    words = "pool timeout cache redis sqlite index vector deploy server port".split()
    dice = random.Random(24)
    with Memory(tmp_path_factory.mktemp("mixed") / "memory.db", embedder=WordEmbedder()) as memory:
        for i in range(200):
            said = " ".join(dice.choices(words, k=12))
            question = f"<command-name>/{said}</command-name>" if i % 3 == 0 else f"{said}?"
            when = {} if i % 7 == 0 else {"timestamp": f"2026-{1 + i // 60:02}-{1 + i % 28:02}T{i % 24:02}:30:00Z"}
            memory.add(
                [{"role": "user", "content": question, **when}, {"role": "assistant", "content": said, **when}],
                conversation=f"c{i}",
                project=f"p{i % 5}",
            )
        memory.distill()
        memory.embed(verbatim=True)
        yield memory


@settings(max_examples=40, deadline=None)
@given(
    mode=st.sampled_from(MODES),
    text=st.sampled_from(["pool timeout", "redis -cache", "+index vector", '"deploy server"', "", "-pool"]),
    project=st.sampled_from(["", "p1", "p4", "none"]),
    since=st.sampled_from(["", "2026-01-15", "2026-03"]),
    until=st.sampled_from(["", "2026-02", "2026-03-10T05:00Z"]),
    automated=st.booleans(),
    sort=st.sampled_from(["relevance", "newest", "oldest"]),
)
def test_no_result_lies_outside_its_filters(mixed, mode, text, project, since, until, automated, sort):
    zone = ZoneInfo("UTC")
    results = mixed.search(
        text,
        mode=mode,
        project=project,
        since=since,
        until=until,
        include_automated=automated,
        sort=sort,
        limit=300,
        zone=zone,
    )
    ends = results.query.filters
    for hit in results:
        assert not project or hit.conversation.project == project
        assert not since or (hit.said_at or "") >= ends.since
        assert not until or "" < (hit.said_at or "") < ends.until
        assert automated or "command-name" not in hit.text
        assert "-" not in text or text.split("-")[1] not in hit.text
        assert "+" not in text or "index" in hit.text
        assert '"' not in text or "deploy server" in hit.text.replace(
            "?\n\nassistant: ", " "
        )  # a phrase may span turns
    assert len({hit.exchange_id for hit in results}) == len(results)
    if sort != "relevance":
        known = [hit.said_at for hit in results if hit.said_at]
        assert known == sorted(known, reverse=sort == "newest")
        assert [hit.said_at for hit in results][: len(known)] == known


def test_what_no_person_asked_is_found_only_on_demand(mixed):
    usual = mixed.search("pool", mode="verbatim", limit=300)
    whole = mixed.search("pool", mode="verbatim", limit=300, include_automated=True)
    assert 0 < len(usual) < len(whole)
    assert {hit.exchange_id for hit in usual} < {hit.exchange_id for hit in whole}
    assert mixed.status().automated == 67
    assert mixed.status().tasks.skipped["command"] == 67


def test_filtered_vectors_equal_brute_force(mixed):
    con = mixed._store.con
    for project in ("p0", "p1", "p2", "p3", "p4"):
        for text in ("redis cache", "vector index deploy"):
            vector = WordEmbedder().embed_query(text)
            ids = [
                id
                for (id,) in con.execute(
                    "select exchange.id from exchange join conversation on conversation.id = conversation_id "
                    "join palace_object on exchange_id = exchange.id where project = ?",
                    (project,),
                )
            ]
            brute = dense.similarities(con, "distilled", vector, ids)[:5]
            hits = mixed.search(text, mode="distilled", project=project, limit=5)
            assert [hit.exchange_id for hit in hits] == [id for id, _ in brute][: len(hits)]
            assert hits


@every_mode
def test_a_huge_limit_works(mixed, mode):
    assert len(mixed.search("pool timeout cache", mode=mode, limit=100_000)) <= 200


@every_mode
@pytest.mark.parametrize("sort", ["relevance", "newest", "oldest"])
def test_pages_are_pieces_of_one_list(mixed, mode, sort):
    whole = [hit.exchange_id for hit in mixed.search("pool timeout cache server", mode=mode, limit=60, sort=sort)]
    pages = [
        hit.exchange_id
        for start in range(0, 60, 7)
        for hit in mixed.search("pool timeout cache server", mode=mode, limit=7, offset=start, sort=sort)
    ]
    assert len(whole) == 60
    assert pages[:60] == whole


@every_mode
def test_pages_far_down_are_pieces_of_one_list_too(memory, mode):
    dice = random.Random(62)
    words = "pool timeout cache redis sqlite index vector deploy server port".split()
    for i in range(400):
        said = [" ".join(dice.choices(words, k=dice.randrange(4, 14))) + f" {i}?", " ".join(dice.choices(words, k=9))]
        messages = [{"role": role, "content": text} for role, text in zip(("user", "assistant"), said, strict=True)]
        memory.add(messages, conversation=f"c{i // 5}")
    memory.distill()
    memory.embed(verbatim=mode == "dense:verbatim")
    whole = [hit.exchange_id for hit in memory.search("pool timeout", mode=mode, limit=200)]
    starts = range(0, 200, 40)
    pages = [memory.search("pool timeout", mode=mode, limit=40, offset=start) for start in starts]
    pages = [hit.exchange_id for page in pages for hit in page]
    assert pages == whole


@every_mode
def test_the_oldest_of_all_that_match_comes_first(mixed, mode):
    found = mixed.search("pool", mode=mode, limit=100_000, sort="oldest")
    assert mixed.search("pool", mode=mode, limit=1, sort="oldest")[0] == found[0]
    newest = mixed.search("", project="p1", limit=100_000, mode=mode)
    assert mixed.search("", project="p1", limit=1, sort="oldest", mode=mode)[0].said_at == min(
        hit.said_at for hit in newest if hit.said_at
    )


def test_browsing_without_words_gives_the_newest_first(mixed):
    results = mixed.search("", since="2026-02", until="2026-02", limit=300, zone=ZoneInfo("UTC"))
    times = [hit.said_at for hit in results]
    assert times == sorted(times, reverse=True)
    assert (
        len(times)
        == mixed._store.con.execute(
            "select count(*) from exchange where automated = '' and said_from between '2026-02' and '2026-03'"
        ).get
    )
    nothing = mixed.search("")
    assert len(nothing) == 0
    assert nothing.routes[0].why
