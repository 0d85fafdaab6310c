"""What is derived can be thrown away: text and vectors stand in ordinary tables."""

import gzip

import msgspec
import pytest

from memlite.memory import Memory
from memlite.store import dense, schema
from tests.embedders import WordEmbedder

QUESTIONS = ["when does the backup run", "Halyard", "+pool -redis", '"the server"', "2026-04", "who is going sailing"]


@pytest.fixture
def samples(memory, pytestconfig):
    memory.import_path(pytestconfig.rootpath / "memlite" / "samples")
    memory.distill()
    return memory


def answers(memory):
    found = [
        memory.search(text, mode=mode, with_tools=True, limit=30) for text in QUESTIONS for mode in ("auto", "cross")
    ]
    assert any(found)
    return msgspec.json.encode(found)


def drop_all(con):
    for table in schema.DERIVED:
        con.execute(f"drop table {table}")
    con.execute("drop table vec_object")


def test_results_are_the_same_after_dropping_and_rebuilding(samples, embedder):
    before = answers(samples)
    with samples._store.transaction() as con:
        drop_all(con)
    embedder.embedded.clear()
    samples.reindex()
    assert embedder.embedded == []
    assert answers(samples) == before
    samples.reindex()
    assert answers(samples) == before


def test_results_are_the_same_after_embedding_again(samples, embedder):
    before = answers(samples)
    embedder.embedded.clear()
    report = samples.reindex(vectors=True)
    assert report.embedded == samples.status().objects["extractive"] > 50
    assert len(embedder.embedded) >= report.embedded
    assert answers(samples) == before


def test_a_rebuilt_index_agrees_with_the_text(samples):
    samples.reindex()
    for table in schema.DERIVED:
        samples._store.con.execute(f"insert into {table} ({table}, rank) values ('integrity-check', 1)")


def test_reindex_makes_only_what_is_missing(samples, embedder):
    with samples._store.transaction() as con:
        dense.remove_vectors(con, "distilled", range(0, 1_000, 5))
    missing = samples.search("x").coverage
    assert samples.reindex().embedded == missing.distilled - missing.embedded > 0
    assert samples.search("x").coverage.embedded == missing.distilled


def test_an_old_store_opens_and_answers(tmp_path, pytestconfig):
    """tests/legacy/v1.db.gz was written by the first version, with tests/legacy/make.py."""
    old = pytestconfig.rootpath / "tests" / "legacy" / "v1.db.gz"
    path = tmp_path / "memory.db"
    path.write_bytes(gzip.decompress(old.read_bytes()))
    with Memory(path, create=False, embedder=WordEmbedder()) as memory:
        status = memory.status()
        assert status.schema == len(schema.STEPS)
        assert memory._store.con.pragma("user_version") == len(schema.STEPS)
        assert (status.conversations, status.messages, status.exchanges) == (3, 10, 4)
        assert status.objects["extractive"] == 3
        for mode in ("auto", "cross", "verbatim", "distilled"):
            assert "pgbouncer" in memory.search("Which pool size does pgbouncer have?", mode=mode)[0].text
        assert "认证" in memory.search("认证", mode="verbatim")[0].text
        assert memory.search("migration", with_tools=True, mode="verbatim")
        memory.add(
            [
                {"role": "user", "content": "Which port is the metrics server on, after all?"},
                {"role": "assistant", "content": "On port 9100, behind the firewall of the shop."},
            ]
        )
        assert memory.distill().embedded >= 1
        before = answers_of(memory)
        memory.reindex()
        assert answers_of(memory) == before
        assert memory.get(1).evidence == ()
        report = memory.distill(upgrade=True)  # an object of before schema 2 says where its words stand once made anew
        assert (report.distilled, report.embedded) == (3, 3)
        assert memory.get(1).evidence
        assert memory._store.con.execute("select count(*) from palace_object where evidence is null").get == 0


def answers_of(memory):
    return msgspec.json.encode([memory.search(text) for text in ("pgbouncer pool", "认证", "metrics port")])
