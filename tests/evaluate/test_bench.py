"""The bench runs and measures what it says, on stores too small for its numbers to mean anything."""

import json

import msgspec
import pytest

from benchmarks import stores as large
from memlite import config
from memlite.evaluate.bench import generate
from memlite.evaluate.bench.figures import Figure, milliseconds, ratio, table
from memlite.evaluate.bench.run import PARTS, measure, report
from memlite.evaluate.bench.stores import Effort, Stores
from memlite.memory import Memory
from memlite.models import load_embedder

SMALL = Effort(queries=4, warm_up=1, processes=1, added=12, ingested=60, distilled=40, embedded=5, large_file=100_000)


@pytest.fixture
def words():
    """None of the stand-in: a bench is of the real model."""


def test_every_part_gives_figures(tmp_path):
    found = dict(measure(list(PARTS), [60], Stores(tmp_path, config.cache_dir(), SMALL)))
    assert list(found) == list(PARTS)
    for part, figures in found.items():
        assert figures, part
        assert [figure.name for figure in figures if not figure.value > 0] == []
    told = report(found, [60], 0.0)
    assert told.machine.cpus > 0
    assert json.loads(msgspec.json.encode(told))["sizes"] == [60]


def test_a_store_is_made_once_and_whole(tmp_path):
    filled = []

    def fill(db, source, embedder):
        filled.append(db)
        db.write_bytes(b"a store")

    stores = Stores(tmp_path, config.cache_dir(), SMALL, fill, "-v1")
    (tmp_path / "store-30-v1.part-wal").write_bytes(b"left by a run that was killed")
    assert stores.build(30) == stores.build(30)
    assert [path.name for path in filled] == ["store-30-v1.part"]
    assert {path.name for path in tmp_path.iterdir()} == {"store-30-v1.db", "conversations-30.jsonl"}


def test_a_large_store_has_an_object_and_a_vector_for_every_exchange(tmp_path, monkeypatch):
    monkeypatch.setattr(large, "REAL", 20)
    source = generate.write_jsonl(tmp_path / "some.jsonl", 60)
    large.fill(tmp_path / "large.db", source, load_embedder(config.cache_dir()))
    with Memory(tmp_path / "large.db") as memory:
        coverage = memory.search("anything").coverage
    assert coverage.exchanges == coverage.distilled == coverage.embedded == 60


def test_equal_seeds_give_equal_conversations():
    one, other, third = (list(generate.Generator(seed).conversations(45)) for seed in (1, 1, 2))
    assert one == other != third
    assert sum(len(conversation) for conversation in one) == 2 * 45


def test_questions_are_words_of_the_conversations(tmp_path):
    source = generate.write_jsonl(tmp_path / "some.jsonl", 30)
    said = " ".join(message.content.replace(". ", " ") for message in generate.read_jsonl(source))
    asked = generate.queries(source, 25)
    assert len(asked) == 25
    assert all(1 <= len(question.split()) <= 8 and question in said for question in asked)


def test_figures_are_medians_without_the_warm_up():
    calls = []
    figure = milliseconds("x", [lambda: calls.append(1)] * 5, warm_up=2)
    assert len(calls) == 5
    assert figure.p95 >= figure.value >= 0
    assert ratio("y", Figure("a", 6.0, "ms"), Figure("b", 3.0, "ms")).value == 2
    assert table([]) == ""
