"""A store with the bundled conversations, and the command run in this process with a test embedder."""

import shutil
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner

from memlite.cli import command
from memlite.errors import ModelUnusable
from memlite.memory import Memory
from tests.embedders import WordEmbedder
from tests.generators import NOTHING, CallingGenerator

SILENT = "silent"


def load_stand_in(model=None, threads=None):
    """Give a model that has nothing to say, for want of a real one; it has this one name."""
    if model not in (None, SILENT):
        raise ModelUnusable(f"there is no model {model}. Try: {SILENT}")
    return CallingGenerator(lambda prompt: NOTHING)


SAMPLES = Path(str(files("memlite") / "samples"))


@pytest.fixture(scope="session")
def sample_store(tmp_path_factory):
    path = tmp_path_factory.mktemp("samples") / "memory.db"
    with Memory(path, embedder=WordEmbedder()) as memory:
        for name in ("friends.jsonl", "personal.jsonl", "project.jsonl"):
            memory.import_path(SAMPLES / name)
        memory.distill()
    return path


@pytest.fixture
def db(sample_store, tmp_path):
    """A copy that the test may write to."""
    return shutil.copy(sample_store, tmp_path / "memory.db")


@pytest.fixture
def new_db(tmp_path):
    path = tmp_path / "new.db"
    Memory(path).close()
    return path


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Run `memlite --db DB ARGS`; with `code` the exit code is checked at once."""
    for name in ("MEMLITE_DB", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setattr("memlite.memory.api.opened.load_embedder", lambda *_: WordEmbedder())
    monkeypatch.setattr("memlite.models.loading.load_generator", load_stand_in)

    def invoke(*args, db=None, code=0, stdin=None, **settings):
        given = ["--db", str(db)] if db else []
        result = CliRunner().invoke(command, [*given, *map(str, args)], input=stdin, prog_name="memlite", **settings)
        unexpected = result.exception if not isinstance(result.exception, SystemExit) else None
        assert unexpected is None, result.exception
        assert result.exit_code == code, result.stderr
        return result

    return invoke
