"""The speed benchmark runs and measures what it says, on stores too small for its numbers to mean anything."""

from benchmarks import generate, ingesting, processes, searching, speed
from memlite import config


def test_every_part_gives_figures(tmp_path, monkeypatch):
    monkeypatch.setattr(ingesting, "DISTILLED", 40)
    monkeypatch.setattr(ingesting, "EMBEDDED", 5)
    monkeypatch.setattr(ingesting, "ADDED", 12)
    monkeypatch.setattr(searching, "QUERIES", 4)
    monkeypatch.setattr(searching, "WARM_UP", 1)
    monkeypatch.setattr(processes, "RUNS", 1)
    monkeypatch.setattr(processes, "LARGE_FILE", 100_000)
    found = speed.measure(list(speed.PARTS), [60], tmp_path, config.cache_dir())
    assert list(found) == list(speed.PARTS)
    for part, figures in found.items():
        assert figures, part
        assert [figure.name for figure in figures if not figure.value > 0] == []


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
