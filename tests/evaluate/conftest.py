"""The bundled conversations with questions about them, as a data set of our own form, and a store of them."""

import shutil
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from memlite.memory import Memory
from tests.embedders import WordEmbedder

SHARED = Path(__file__).parents[3] / "shared" / "data"
SAMPLES = Path(str(files("memlite") / "samples"))
QUERIES = [
    {"id": "pool", "query": "connection pool size", "type": "exact", "gold": [{"grade": 3, "message_ids": ["a1"]}]},
    {
        "query": "why did it time out",
        "type": "conceptual",
        "answer": "the pool was too small",
        "gold": [{"grade": 2, "message_ids": ["b1"]}, {"grade": 3, "message_ids": ["a1", "a2"]}],
    },
    {"query": "what is the capital of France", "unanswerable": True},
    {"query": "only related", "gold": [{"grade": 2, "message_ids": ["b1"]}]},
    {"query": "the talk about strings", "type": "talk", "conversations": ["music"]},
]
MESSAGES = [
    ("a1", "app", "user", "Why does the connection pool time out every night?"),
    ("a2", "app", "assistant", "The pool size was 5, which was too small. I set it to 20 in pool.py."),
    ("b1", "app", "user", "And does the cache time out as well?"),
    ("b2", "app", "assistant", "No, the cache in SQLite has no time limit at all."),
    ("c1", "music", "user", "Which violin strings suit a dry room in winter?"),
    ("c2", "music", "assistant", "Gut strings, tuned twice a day, because dry air shrinks them."),
]


@pytest.fixture
def judged(tmp_path):
    """A folder with a transcript and its questions."""
    folder = tmp_path / "history"
    folder.mkdir()
    lines = [
        {"id": id, "conversation": conversation, "role": role, "content": content, "timestamp": "2026-05-04T10:00:00Z"}
        for id, conversation, role, content in MESSAGES
    ]
    (folder / "messages.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, lines)))
    (folder / "queries.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, QUERIES)))
    return folder


@pytest.fixture(autouse=True)
def words(monkeypatch):
    """Stores that evaluations make get the test embedder."""
    monkeypatch.setattr("memlite.memory.api.opened.load_embedder", lambda *_: WordEmbedder())


@pytest.fixture(scope="session")
def shared():
    """The folder of real inputs, where there is one."""
    if not SHARED.is_dir():
        pytest.skip("no ../shared/data: the real inputs are not part of the project")
    return SHARED


@pytest.fixture(scope="session")
def bundled(tmp_path_factory):
    path = tmp_path_factory.mktemp("bundled") / "memory.db"
    with Memory(path, embedder=WordEmbedder()) as memory:
        for file in sorted(SAMPLES.glob("*.jsonl")):
            memory.import_path(file)
        memory.distill()
    return path


@pytest.fixture
def memory(bundled, tmp_path):
    with Memory(shutil.copy(bundled, tmp_path / "memory.db")) as memory:
        yield memory
