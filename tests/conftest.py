"""Stores to test against, on an embedder that needs no model."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from memlite.memory import Memory
from tests.embedders import WordEmbedder

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def _cache(tmp_path_factory):
    """One for all tests, so that a model is tried out and made ready once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch, _cache):
    """Let no setting of the person who runs the tests reach them, and no test reach that person's files."""
    for name in ("MEMLITE_DB", "MEMLITE_BUSY_TIMEOUT", "MEMLITE_THREADS", "MEMLITE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MEMLITE_CACHE", str(_cache))


@pytest.fixture
def embedder():
    return WordEmbedder()


@pytest.fixture
def memory(tmp_path, embedder):
    with Memory(tmp_path / "memory.db", embedder=embedder) as memory:
        yield memory


@pytest.fixture(scope="session")
def talk():
    """Make messages of texts: user and assistant in turn, a minute apart from `start` on, or without any time."""

    def make(*texts, start="2026-05-03T10:00:00+00:00"):
        messages = [{"role": ("user", "assistant")[i % 2], "content": text} for i, text in enumerate(texts)]
        if start:
            first = datetime.fromisoformat(start)
            for i, message in enumerate(messages):
                message["timestamp"] = (first + timedelta(minutes=i)).isoformat()
        return messages

    return make


@pytest.fixture
def con(memory):
    """The connection of `memory`, for looking at what is stored."""
    return memory._store.con
