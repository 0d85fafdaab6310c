"""Vectors of what was said, on request: every part of a long exchange counts, and nothing is embedded twice."""

import math
import struct
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from memlite.errors import EmbedderMismatch
from memlite.memory import Memory, embedding
from memlite.models import base
from memlite.store import dense
from memlite.text import words
from tests.embedders import WordEmbedder
from tests.memory.conftest import conversations

TOPICS = {
    "database": "The migration of the orders table to the new cluster",
    "garden": "The irrigation of the tomato beds behind the greenhouse",
    "hiring": "The interviews for the second designer of the team",
    "tax": "The tax return with the receipts of the home office",
}
STEPS = """
    was planned for the first week and then moved by ten days
    needs somebody who checks every number before it is signed
    took longer than we thought, since two people were ill
    is described on one page that hangs beside the door
    costs less than last year when all the small parts are counted
    should begin early in the morning while it is still quiet
    was discussed with everybody who has to live with the outcome
    goes on after lunch and ends when the list is empty
    is the third attempt, and this time there is a checklist
    depends on a delivery that was promised for Thursday
    has a fallback in case the weather or the network fails
    was noted down so that the next one takes half the time
""".strip().splitlines()
BURIED = (
    "One more thing: my sister looks after the dog while we are hiking in Norway. She moves into our house for those "
    "two weeks, walks him in the morning and in the evening, and knows what he eats. Last year a kennel had him, and "
    "he came back thin and afraid of every stranger. Her number is on the fridge, next to that of the vet."
)


def long_answer(topic, buried=""):
    """Over 600 words on one topic; what is buried stands in the last third."""
    said = [f"{topic} {step.strip()}." for step in STEPS * 3]
    if buried:
        said.insert(len(said) * 5 // 6, buried)
    return " ".join(said)


@pytest.fixture(scope="module")
def real(tmp_path_factory, talk):
    """Four long exchanges in a store with the real model."""
    with Memory(tmp_path_factory.mktemp("real") / "memory.db") as memory:
        for name, topic in TOPICS.items():
            buried = BURIED if name == "database" else ""
            memory.add(
                talk(f"{topic}: how did it go, and what is left to do?", long_answer(topic, buried)), conversation=name
            )
        memory.distill(embed=False)
        memory.embed(verbatim=True)
        yield memory


def test_a_paraphrase_in_the_last_third_of_a_long_exchange_is_found_first(real):
    text = real.search('"hiking in Norway"', mode="verbatim")[0].text
    assert len(text.split()) > 600
    assert text.index(BURIED) > len(text) * 2 / 3
    assert BURIED not in next(words.parts(text, embedding.PART_TOKENS))  # what one vector would be made of
    for question in ("who takes care of the pet during the holiday", "dog sitter while travelling in Scandinavia"):
        results = real.search(question, mode="dense:verbatim")
        assert conversations(results)[0] == "database"
        near = {hit.conversation.external_id: hit.trace[0].score for hit in results}
        assert near.pop("database") > 1.1 * max(near.values())


def test_a_stored_vector_points_where_the_model_said(real):
    query = "select embedding from vector where layer = 'verbatim' and exchange_id = 1 order by part"
    stored = [vector for (vector,) in real._store.con.execute(query)]
    parts = list(words.parts(said(real, 1), embedding.PART_TOKENS))
    assert len(parts) > 3
    for vector, made in zip(stored, real._embedder.embed(parts), strict=True):
        assert cosine(vector, made) > 0.999


def test_both_layers_give_the_cosine_of_the_float_vectors(tmp_path, talk):
    with Memory(tmp_path / "memory.db", embedder=WordEmbedder()) as memory:
        memory.add(talk("Why does the connection pool time out at night?", "Because five connections are too few."))
        memory.distill()
        memory.embed(verbatim=True)
        asked = WordEmbedder().embed_query("connection pool at night")
        for layer, texts in (("distilled", memory._embedder.embedded[:2]), ("verbatim", [said(memory, 1)])):
            made = [WordEmbedder().embed_query(text) for text in texts]
            mean = [sum(axis) for axis in zip(*(struct.unpack("<384f", vector) for vector in made), strict=True)]
            truth = cosine_of(mean, struct.unpack("<384f", asked))
            hit = memory.search("connection pool at night", mode=f"dense:{layer}")[0]
            assert hit.trace[0].score == pytest.approx(truth, abs=0.001)


def said(memory, id):
    return "\n\n".join(f"{m.speaker or m.role}: {m.content}" for m in memory.get(id).messages)


def cosine(stored, made):
    return cosine_of(struct.unpack(f"<{len(stored)}b", stored), struct.unpack(f"<{len(made) // 4}f", made))


def cosine_of(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True)) / math.hypot(*a) / math.hypot(*b)


# -- who gets vectors, and when --


def parts_of(memory, layer="verbatim"):
    query = "select exchange_id, count(*) from vector where layer = ? group by 1 order by 1"
    return dict(memory._store.con.execute(query, (layer,)).fetchall())


def count(memory, layer):
    """What the store says it has; the index, the table and the function must agree."""
    con = memory._store.con
    rows = con.execute("select count(*) from vector where layer = ?", (layer,)).get
    assert con.execute(f"select count(*) from {dense.INDEX[layer]}").get == rows
    assert dense.count_vectors(con, layer) == rows
    return rows


@pytest.fixture
def two(memory, talk):
    memory.add(talk("Why does the pool time out?", long_answer("The pool")), conversation="long")
    memory.add(talk("Which port does the metrics server use?", "Port 9100, behind the firewall."), conversation="short")
    memory.distill()
    return memory


def test_without_asking_there_are_none_and_the_route_says_so(two):
    results = two.search("pool", mode="dense:verbatim")
    assert results.hits == ()
    assert (results.routes[0].ran, results.routes[0].candidates) == (False, 0)
    assert "memlite embed --verbatim" in results.routes[0].why
    assert two.embed().embedded == 0
    assert parts_of(two) == {}
    joined = two.search("pool", mode="bm25:verbatim+dense:verbatim")
    assert conversations(joined) == ["long"]
    assert [route.ran for route in joined.routes] == [True, False]


def test_after_asking_each_exchange_has_one_and_new_ones_get_theirs(two, embedder, talk):
    before = parts_of(two, "distilled")
    embedder.embedded.clear()
    seen = []
    report = two.embed(verbatim=True, progress=lambda *step: seen.append(step))
    assert (report.embedded, report.pending) == (2, 0)
    assert seen == [("embed-verbatim", 2, 2)]
    assert set(parts_of(two)) == {1, 2}
    assert parts_of(two)[1] >= 3
    assert parts_of(two)[2] == 1
    assert len(embedder.embedded) == count(two, "verbatim")
    assert two.embed(verbatim=True).embedded == 0
    two.add(talk("Who waters the tomatoes in August?", "The neighbours water them."), conversation="new")
    assert two.status().tasks.pending == 1
    two.distill()
    assert parts_of(two)[3] == 1
    assert conversations(two.search("neighbours water", mode="dense:verbatim"))[0] == "new"
    assert parts_of(two, "distilled") == {**before, 3: 1}
    assert count(two, "distilled") == 3


def test_asking_before_anything_is_stored_counts_too(memory, talk):
    assert memory.embed(verbatim=True).embedded == 0
    memory.add(talk("Who waters the tomatoes in August?", "The neighbours water them."))
    memory.distill()
    assert parts_of(memory) == {1: 1}
    assert memory.reindex(vectors=True).embedded == 2
    assert parts_of(memory) == {1: 1}


def test_what_no_person_asked_gets_none(two, talk):
    command = talk("<command-name>/pool timeout</command-name>", "The pool timeout is thirty.")
    two.add(command, conversation="before")
    two.embed(verbatim=True)
    two.add([{**message, "content": message["content"] + " "} for message in command], conversation="after")
    two.distill()
    assert set(parts_of(two)) == {1, 2}
    for automated in (False, True):
        found = two.search("pool timeout", mode="dense:verbatim", include_automated=automated)
        assert set(conversations(found)) <= {"long", "short"}
        assert found


def test_an_exchange_that_grows_loses_its_old_vectors_and_gets_new_ones(two, embedder):
    two.embed(verbatim=True)
    old = two._store.con.execute("select embedding from vector where layer = 'verbatim' and exchange_id = 2").fetchall()
    two.add([{"role": "assistant", "content": "The xylophone is on port 9200."}], conversation="short")
    assert set(parts_of(two)) == {1}
    assert count(two, "verbatim") == parts_of(two)[1]
    embedder.embedded.clear()
    two.distill()
    assert sum("xylophone" in text for text in embedder.embedded) >= 1
    new = two._store.con.execute("select embedding from vector where layer = 'verbatim' and exchange_id = 2").fetchall()
    assert new != old
    assert len(new) == 1
    assert conversations(two.search("xylophone port", mode="dense:verbatim"))[0] == "short"
    count(two, "verbatim")


def answers(memory):
    modes = ("dense:verbatim", "dense:distilled", "bm25:verbatim+dense:verbatim", "auto")
    found = [memory.search(text, mode=mode) for text in ("pool checklist", "metrics port") for mode in modes]
    assert all(found)
    return msgspec.json.encode(found)


def test_results_are_the_same_after_reindexing_both_layers(two, embedder):
    two.embed(verbatim=True)
    before, rows = answers(two), parts_of(two)
    with two._store.transaction() as con:
        con.execute("drop table vec_exchange")
        con.execute("drop table vec_object")
    embedder.embedded.clear()
    assert two.reindex().embedded == 0
    assert embedder.embedded == []
    assert answers(two) == before
    assert two.reindex(vectors=True).embedded == 4
    assert len(embedder.embedded) >= sum(rows.values()) + 2
    assert answers(two) == before
    assert parts_of(two) == rows
    count(two, "verbatim")


def test_reindex_makes_the_verbatim_vectors_that_are_missing(two):
    two.embed(verbatim=True)
    rows = parts_of(two)
    with two._store.transaction() as con:
        dense.remove_vectors(con, "verbatim", [1])
    assert two.reindex().embedded == 1
    assert parts_of(two) == rows


def test_vectors_of_another_model_are_refused_until_made_again(two):
    two.embed(verbatim=True)
    with Memory(two.path, embedder=WordEmbedder("other")) as other:
        results = other.search("pool", mode="dense:verbatim")
        assert results.hits == ()
        assert "test words" in results.routes[0].why
        with pytest.raises(EmbedderMismatch):
            other.embed(verbatim=True)
        assert set(parts_of(other)) == {1, 2}
        other.reindex(vectors=True)
        assert conversations(other.search("pool", mode="dense:verbatim"))[0] == "long"
        for layer in ("distilled", "verbatim"):
            assert dense.get_fingerprint(other._store.con, layer) == other._embedder.fingerprint


def test_threads_that_embed_at_once_embed_each_exchange_once(memory, embedder, talk):
    for i in range(300):
        memory.add(talk(f"Why did deployment {i} fail on host db{i}?", f"Port {i} was taken."), conversation=f"c{i}")
    with ThreadPoolExecutor(3) as threads:
        reports = list(threads.map(lambda _: memory.embed(verbatim=True), range(3)))
    assert sum(report.embedded for report in reports) == 300 == count(memory, "verbatim")
    assert len(embedder.embedded) == len(set(embedder.embedded)) == 300
    assert memory.embed(verbatim=True).embedded == 0


def test_an_embedder_that_fails_leaves_the_work_to_the_next(two):
    class Broken(base.Embedder):
        fingerprint = WordEmbedder().fingerprint

        def embed(self, texts):
            raise KeyboardInterrupt

    with Memory(two.path, embedder=Broken()) as broken, pytest.raises(KeyboardInterrupt):
        broken.embed(verbatim=True)
    assert parts_of(two) == {}
    assert two.embed().embedded == 2
