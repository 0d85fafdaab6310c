"""Vectors: kept small, found exactly, never mixed."""

import math
import random
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.errors import EmbedderMismatch
from memlite.store import dense
from memlite.store.lexical import Scope
from tests.embedders import WordEmbedder

NOW = "2026-05-03T10:00:00.000Z"
WORDS = "pool timeout cache redis sqlite index vector deploy server port queue lock shard page tree leaf".split()


@pytest.fixture
def texts(memory, con, talk):
    """300 exchanges with a vector each, by id."""
    dice = random.Random(35)
    made = {}
    with memory._store.transaction():
        dense.adopt_fingerprint(con, "distilled", WordEmbedder().fingerprint, NOW)
    for i in range(300):
        memory.add(talk(f"question {i}", "answer"), conversation=f"c{i}")
        made[i + 1] = " ".join(dice.choices(WORDS, k=5))
    with memory._store.transaction():
        vectors = WordEmbedder().embed(list(made.values()))
        dense.add_vectors(con, "distilled", ((id, {0: vector}) for id, vector in zip(made, vectors, strict=True)))
    return made


def cosine(one, two):
    a, b = (struct.unpack(f"<{len(vector) // 4}f", vector) for vector in (one, two))
    return sum(x * y for x, y in zip(a, b, strict=True)) / math.hypot(*a) / math.hypot(*b)


def test_the_best_are_found_with_their_cosine(con, texts):
    embedder = WordEmbedder()
    for question in ("redis cache", "vector index shard", "deploy the server"):
        vector = embedder.embed_query(question)
        truth = {id: cosine(vector, embedder.embed_query(text)) for id, text in texts.items()}
        found = dense.nearest(con, "distilled", vector, Scope())
        assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
        assert all(score == pytest.approx(truth[id], abs=0.01) for id, score in found)
        best = sorted(truth.values(), reverse=True)[:10]
        assert [score for _, score in found[:10]] == pytest.approx(best, abs=0.02)


@given(st.lists(st.floats(-1, 1, width=16), min_size=1, max_size=40).filter(any))
def test_a_byte_a_dimension_keeps_the_direction(floats):
    small = struct.unpack(f"<{len(floats)}b", dense.in_bytes(struct.pack(f"<{len(floats)}f", *floats)))
    assert max(map(abs, small)) == 127
    length = math.hypot(*small) * math.hypot(*floats)
    assert sum(x * y for x, y in zip(small, floats, strict=True)) / length > 0.999


def test_a_vector_of_any_length_has_the_same_direction():
    dice = random.Random(50)
    for scale in (1e-3, 1.0, 1e3):
        vector = struct.pack("<384f", *(dice.gauss(0, scale) for _ in range(384)))
        small = struct.pack("<384f", *struct.unpack("<384b", dense.in_bytes(vector)))
        assert cosine(vector, small) > 0.9999
    assert dense.in_bytes(bytes(4 * 384)) == bytes(384)


def test_a_vector_is_replaced_and_removed(memory, con, texts):
    vector = WordEmbedder().embed_query("xylophone")
    with memory._store.transaction():
        dense.add_vectors(con, "distilled", [(7, {0: vector})])
    assert dense.nearest(con, "distilled", vector, Scope())[0] == (7, pytest.approx(1.0, abs=0.001))
    assert dense.count_vectors(con, "distilled") == 300
    with memory._store.transaction():
        dense.remove_vectors(con, "distilled", [7, 99_999])
    assert dense.count_vectors(con, "distilled") == 299
    assert 7 not in [id for id, _ in dense.nearest(con, "distilled", vector, Scope())]


def test_the_index_is_made_again_from_the_vectors(memory, con, texts):
    vector = WordEmbedder().embed_query("redis cache")
    before = dense.nearest(con, "distilled", vector, Scope())
    with memory._store.transaction():
        con.execute("drop table vec_object")
        dense.rebuild(con)
    assert dense.nearest(con, "distilled", vector, Scope()) == before


def test_another_models_vectors_are_refused_by_name(memory, con, texts):
    other = WordEmbedder("other").fingerprint
    with pytest.raises(EmbedderMismatch, match=r"test words.*test other.*reindex --vectors"):
        dense.check_fingerprint(con, "distilled", other)
    with memory._store.transaction():
        dense.drop(con)
        dense.adopt_fingerprint(con, "distilled", other, NOW)
    assert dense.count_vectors(con, "distilled") == 0
    assert dense.get_fingerprint(con, "distilled") == other
