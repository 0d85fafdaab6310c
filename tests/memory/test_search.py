"""Searches through the front door: what is found, in what order, and what is said about it."""

import random
import struct

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

# Of the records, which not every exchange has, see test_record_routes.py.
MODES = [mode for mode in PLANS if mode != "records"]
every_mode = pytest.mark.parametrize("mode", MODES)


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
    assert all(route.ran and not route.why for route in results.routes if route.layer != "records")
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
