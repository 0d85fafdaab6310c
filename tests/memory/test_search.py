"""Searches through the front door: what is found, in what order, and what is said about it."""

import random
import struct
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlite.errors import EmbedderMismatch, UsageError
from memlite.memory import Memory
from memlite.models.base import Embedder
from memlite.retrieve.plans import PLANS
from memlite.samples import __name__ as samples
from memlite.store import dense
from tests.embedders import WordEmbedder

MODES = list(PLANS)
every_mode = pytest.mark.parametrize("mode", MODES)
KEYWORD_MODES = ("auto", "cross", "verbatim")


@pytest.fixture
def pool(memory, talk):
    """Three exchanges about pools in two projects, one about something else."""
    memory.add(
        talk(
            "Why does the connection pool time out?",
            "The pool-size was 5; don't go under 20 on 2026-03-01.",
            "Did we drop Redis for the cross-layer cache?",
            "Yes: Redis was dropped, the cache lives in SQLite now.",
        ),
        conversation="c1",
        project="app",
    )
    memory.add(
        talk(
            "The swimming pool is closed on Mondays, isn't it?",
            "Right, the pool is closed for the layer of algae.",
            start="2026-05-20T23:30:00+00:00",
        ),
        conversation="c2",
        project="home",
    )
    memory.add(
        talk("Which violin strings suit a dry garden room?", "Gut strings, tuned twice a day there."),
        conversation="c3",
        project="music",
    )
    memory.distill()
    return memory


def conversations(results):
    return [hit.conversation.external_id for hit in results]


@every_mode
@pytest.mark.parametrize(
    ("question", "wanted", "unwanted"),
    [
        ('"connection pool"', "connection pool", "swimming"),
        ('pool -"swimming pool"', "connection pool", "swimming"),
        ("pool +closed", "swimming", "connection pool"),
        ("pool -closed", "connection pool", "swimming"),
        ("cross-layer +cache", "cross-layer cache", "algae"),
        ("pool +pool-size", "pool-size", "swimming"),
        ("does the pool time out +2026-03-01", "2026-03-01", "swimming"),
        ("pool +don't", "don't", "swimming"),
        ("pool +isn't", "isn't", "connection"),
    ],
)
def test_what_must_and_must_not_occur_holds_on_every_route(pool, mode, question, wanted, unwanted):
    texts = [hit.text for hit in pool.search(question, mode=mode)]
    assert texts
    assert any(wanted in text for text in texts)
    if question.startswith('"') or "+" in question:
        assert all(wanted in text for text in texts)
    assert not any(unwanted in text for text in texts)


@every_mode
def test_a_compound_that_must_occur_must_occur_whole(memory, mode, talk):
    memory.add(
        talk("Where is getUserById defined, in the store?", "In src/store/users.py, next to the other getters."),
        conversation="whole",
    )
    memory.add(
        talk("Can you get the user by email from the store?", "Not by id, but the user table has the email."),
        conversation="parts",
    )
    memory.distill()
    assert conversations(memory.search("+getUserById store", mode=mode)) == ["whole"]
    assert conversations(memory.search("+src/store/users.py store", mode=mode)) == ["whole"]


@every_mode
@pytest.mark.parametrize(
    "text",
    [
        "' OR 1=1 --",
        '"',
        "*",
        "",
        " ",
        "'; drop table message; --",
        "NEAR(",
        "a AND",
        "NOT",
        "col:x",
        "^",
        "pool*",
        "%",
        "\0",
        "({[",
        "🎉",
        "\ud800",
        "-",
        "+",
        '-""',
        "AND OR NOT NEAR",
    ],
)
def test_odd_questions_are_safe(pool, mode, text):
    results = pool.search(text, mode=mode)
    assert len(results) <= 4
    assert pool.status().messages == 8


def test_10_000_random_questions_raise_nothing(pool):
    dice = random.Random(30)
    spans = [
        (0x20, 0x7F),
        (0x20, 0x7F),
        (0xA0, 0x24F),
        (0x370, 0x5FF),
        (0x2000, 0x30FF),
        (0x4E00, 0x4FFF),
        (0xAC00, 0xADFF),
        (0, 0x1F),
        (0x1F300, 0x1F6FF),
        (0xFF00, 0xFFEF),
        (0x0, 0x10FFFF),
    ]
    for _ in range(10_000):
        low, high = dice.choice(spans)
        text = "".join(chr(dice.randint(low, high)) for _ in range(dice.randrange(1, 14)))
        pool.search(text, mode="verbatim", limit=2)


@settings(max_examples=60, deadline=None)
@given(text=st.text(alphabet=st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), min_size=1, max_size=30))
def test_what_was_said_is_found_by_its_longest_word(tmp_path_factory, text):
    words = [word.strip('+-"“”„‟＂') for word in text.split()]
    words = [word for word in words if any(c.isalpha() and c.isascii() for c in word)]
    with Memory(tmp_path_factory.mktemp("longest") / "memory.db", embedder=WordEmbedder()) as memory:
        memory.add([{"role": "user", "content": f"before {text} after"}, {"role": "assistant", "content": "noted"}])
        if words:
            assert len(memory.search(max(words, key=len), mode="verbatim")) == 1


@every_mode
def test_every_trace_adds_up_to_its_score(pool, mode):
    for with_tools in (False, True):
        results = pool.search("why did the pool cache time out", mode=mode, with_tools=with_tools)
        assert results
        for hit in results:
            assert hit.trace
            assert hit.score == pytest.approx(sum(step.contribution for step in hit.trace))
        assert [hit.score for hit in results] == sorted((hit.score for hit in results), reverse=True)


@every_mode
def test_every_result_says_which_routes_ran_and_how_much_is_covered(pool, mode):
    results = pool.search("connection pool", mode=mode)
    assert results.plan == mode
    assert [route.name for route in results.routes] == [route.kind for route in PLANS[mode].routes]
    assert all(route.ran and not route.why for route in results.routes)
    assert (results.coverage.exchanges, results.coverage.distilled, results.coverage.embedded) == (4, 4, 4)


def test_before_distilling_words_answer_and_the_vectors_say_why_not(memory, talk):
    memory.add(talk("Why does the connection pool time out?", "Five connections are too few for this load."))
    for mode in ("auto", "cross"):
        results = memory.search("connection pool", mode=mode)
        assert len(results) == 1
        routes = {route.name: route for route in results.routes}
        assert routes["bm25"].ran
        assert not routes["dense"].ran
        assert "memlite distill" in routes["dense"].why
        assert results.coverage.embedded == 0
    assert len(memory.search("connection pool", mode="distilled")) == 0


def test_another_embedder_is_not_mixed_in_and_words_still_answer(pool, talk):
    with Memory(pool.path, embedder=WordEmbedder("other")) as other:
        results = other.search("connection pool", mode="cross")
        assert "connection pool" in results[0].text
        (why,) = [route.why for route in results.routes if route.name == "dense"]
        assert "test words" in why
        assert "test other" in why
        assert "reindex --vectors" in why
        assert not any(step.route.startswith("dense") for hit in results for step in hit.trace)
        other.add(talk("Which port does the metrics server of the shop use?", "Port 9100, behind the firewall."))
        with pytest.raises(EmbedderMismatch):
            other.distill()
        other.reindex(vectors=True)
        assert all(route.ran for route in other.search("connection pool", mode="cross").routes)
        assert other.search("connection pool").coverage.embedded == 5


# -- filters --


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
    assert conversations(memory.search("pool timeout", mode=mode, project="small")) == ["rare"]
    assert set(conversations(memory.search("pool timeout", mode=mode, project="big", limit=300))) <= {
        f"c{i}" for i in range(260)
    }


@every_mode
def test_the_day_is_that_of_the_zone(pool, mode):
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
        assert found(**filters) <= wanted if mode == "distilled" else found(**filters) == wanted


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
            brute = dense.similarities(con, vector, ids)[:5]
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


def test_usage_errors(memory):
    with pytest.raises(UsageError, match="auto, cross, verbatim, distilled"):
        memory.search("x", mode="psychic")
    with pytest.raises(UsageError, match="2026-05"):
        memory.search("x", since="soon")
    with pytest.raises(UsageError, match="extractive"):
        memory.distill(engine="magic")


# -- what a hit holds --


def test_every_keyword_hit_shows_a_word_it_was_found_by(tmp_path, pytestconfig):
    folder = pytestconfig.rootpath / "memlite" / samples.rsplit(".")[-1]
    with Memory(tmp_path / "memory.db", embedder=WordEmbedder()) as memory:
        for name in ("project.jsonl", "personal.jsonl", "friends.jsonl"):
            memory.import_path(folder / name)
        words = {
            word.strip(".,?!:;()`'\"")
            for (text,) in memory._store.con.execute("select content from message")
            for word in text.split()
        }
        asked = random.Random(34).sample(sorted(word for word in words if len(word) > 3 and '"' not in word), 250)
        for word in asked:
            for hit in memory.search(f'"{word}"', mode="verbatim", limit=3):
                assert word.casefold() in hit.snippet.casefold() or _stem_shown(memory, word, hit.snippet)


def _stem_shown(memory, word, snippet):
    from memlite.store.lexical import tokenise

    con = memory._store.con
    return {token for *_, token in tokenise(con, word)} <= {token for *_, token in tokenise(con, snippet)}


def test_the_message_that_matches_best_comes_first(pool):
    hit = pool.search("Redis was dropped SQLite", mode="verbatim")[0]
    view = pool.get(hit.exchange_id)
    best = next(message for message in view.messages if message.id == hit.message_ids[0])
    assert best.content.startswith("Yes: Redis was dropped")
    assert hit.snippet == best.content
    assert hit.plies == (2, 3)
    assert set(hit.message_ids) == {message.id for message in view.messages}


def test_a_new_row_is_found_by_the_same_question(memory, talk):
    assert len(memory.search("pool")) == 0
    memory.add(talk("Why does the pool time out?"))
    assert len(memory.search("pool")) == 1


def test_tool_output_is_found_only_on_demand(memory):
    use = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "systemctl restart pgbouncer"}}
    memory.add(
        [
            {"role": "user", "content": "Restart it"},
            {"role": "assistant", "content": [use]},
            {"role": "assistant", "content": "Done, it runs again."},
        ]
    )
    assert len(memory.search("pgbouncer", mode="verbatim")) == 0
    assert len(memory.search("pgbouncer", mode="verbatim", with_tools=True)) == 1


# -- across the layers --


class Lookup(Embedder):
    """Gives the question of this test the direction it names, and every text its own."""

    fingerprint = WordEmbedder().fingerprint

    def __init__(self):
        self.directions = {}

    def embed(self, texts):
        return [self._axis(self.directions.setdefault(text, len(self.directions))) for text in texts]

    def embed_query(self, text):
        return self._axis(0)

    def _axis(self, number):
        return struct.pack("<384f", *(1.0 if i == number else 0.0 for i in range(384)))


@pytest.mark.parametrize("mode", ["auto", "cross", "distilled"])
def test_the_order_follows_the_distilled_vectors(tmp_path, mode, talk):
    with Memory(tmp_path / "memory.db", embedder=Lookup()) as memory:
        for name in ("alpha", "beta"):
            memory.add(
                talk(f"Which plan did we follow in {name} to move the shop?", f"The {name} plan, moved by night."),
                conversation=name,
            )
        memory.distill()
        con = memory._store.con
        assert conversations(memory.search("plan shop", mode=mode))[0] == "alpha"
        before = memory.search("plan shop", mode=mode)
        assert any(step.route == "dense:distilled" for step in before[0].trace)
        one, two = con.execute("select exchange_id, embedding from vector order by 1").fetchall()
        with memory._store.transaction():
            con.execute("update vector set embedding = ? where exchange_id = ?", (two[1], one[0]))
            con.execute("update vector set embedding = ? where exchange_id = ?", (one[1], two[0]))
            dense.rebuild(con)
        assert conversations(memory.search("plan shop", mode=mode))[0] == "beta"


@pytest.mark.parametrize("mode", ["auto", "cross"])
def test_an_exchange_that_words_cannot_find_is_found_by_its_vector(tmp_path, mode, talk):
    with Memory(tmp_path / "memory.db", embedder=Lookup()) as memory:
        memory.add(talk("How shall we call the animal of the neighbours?", "Felix, since that cat is always happy."))
        memory.distill()
        found = memory.search("kitten", mode=mode)
        assert [step.route for step in found[0].trace][0] == "dense:distilled"
        with memory._store.transaction() as con:
            dense.drop(con)
        without = memory.search("kitten", mode=mode)
        assert len(without) == 0
        assert "memlite distill" in next(route.why for route in without.routes if route.name == "dense")
        memory.reindex()
        assert len(memory.search("kitten", mode=mode)) == 1


def test_an_exchange_in_both_lists_ranks_first(memory, talk):
    memory.add(
        talk("The pool of connections times out, why?", "Because five connections are held."), conversation="both"
    )
    memory.add(
        talk("Timeouts here too: timeouts of the fax?", "The fax has timeouts when lines are busy."),
        conversation="words",
    )
    memory.distill()
    hit = memory.search("pool of connections", mode="cross")[0]
    assert hit.conversation.external_id == "both"
    assert {step.route for step in hit.trace} == {"bm25:verbatim", "dense:distilled"}
    assert all(step.rank == 1 for step in hit.trace)


def test_a_question_about_nothing_stored_gives_nothing(pool):
    for mode in MODES:
        assert len(pool.search("xylophone quasar", mode=mode)) == 0


def test_two_exchanges_of_one_conversation_may_both_be_found(pool):
    assert conversations(pool.search("pool cache", mode="verbatim", conversation="c1")) == ["c1", "c1"]
