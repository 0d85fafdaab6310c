"""Retrieval floors on the bundled conversations, with the real embedding model: what `memlite demo` promises."""

from pathlib import Path

import msgspec
import pytest

import memlite

SAMPLES = Path(memlite.__file__).parent / "samples"
QUESTIONS = msgspec.json.decode((SAMPLES / "questions.json").read_bytes())
FIRST = 5

pytestmark = pytest.mark.quality


@pytest.fixture(scope="module")
def memory(tmp_path_factory):
    with memlite.open(tmp_path_factory.mktemp("quality") / "memory.db") as memory:
        for file in sorted(SAMPLES.glob("*.jsonl")):
            memory.import_path(file)
        memory.distill()
        yield memory


def answers(hit, gold):
    same = hit.conversation.external_id == gold["conversation"]
    return same and hit.plies[0] <= gold["plies"][1] and hit.plies[1] >= gold["plies"][0]


def found(memory, kind, mode):
    """The share of questions of a kind that are answered among the first hits."""
    asked = [question for question in QUESTIONS if question["kind"] == kind]
    hits = [memory.search(question["question"], mode=mode, limit=FIRST) for question in asked]
    right = [
        any(answers(hit, gold) for hit in some for gold in question["gold"])
        for question, some in zip(asked, hits, strict=True)
    ]
    return sum(right) / len(right)


@pytest.mark.parametrize(("kind", "floor"), [("exact", 1.0), ("time", 0.85), ("meaning", 0.45)])
def test_auto_finds_what_is_asked_for(memory, kind, floor):
    assert found(memory, kind, "auto") >= floor


@pytest.mark.parametrize("kind", ["exact", "time", "meaning"])
def test_auto_is_no_worse_than_keywords_alone(memory, kind):
    assert found(memory, kind, "auto") >= found(memory, kind, "verbatim")


def test_meaning_finds_what_keywords_cannot(memory):
    assert found(memory, "meaning", "auto") > found(memory, "meaning", "verbatim")
