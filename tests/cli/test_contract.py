"""What scripts rely on: help texts, the structure of every JSON document, and that stdout holds nothing else."""

import json
from pathlib import Path

import click
import pytest

from memlite.cli import COMMANDS, command
from tests.cli.conftest import SAMPLES
from tests.cli.golden import check, shape
from tests.cli.test_group import load

NAMES = ["", *(entry.name for entry in COMMANDS)]


@pytest.mark.parametrize("name", NAMES)
def test_help(name, run):
    shown = run(*filter(None, [name]), "--help", terminal_width=100).stdout
    assert max(map(len, shown.splitlines())) <= 100
    check(f"help/{name or 'memlite'}.txt", shown)


BROKEN = '{"role": "user", "content": [{"type": "text", "text": "look"}, {"type": "image", "source": {}}]}\n{oops\n'
LINES = '{"exchange_id": 72, "exchange_core": "Nobody said this in Reykjavik."}\n{oops\n'
TALK = '[{"role": "user", "content": "Where does the pool of /app/pool.py keep its twelve connections?"}]'
STDIN = {"distill-import": LINES, "distill-stdin": TALK}
DOCUMENTS = {
    "import": ("import", "-", "--json"),
    "add": ("add", "one more thing that should be kept in mind for the next release", "--json"),
    "search": ("search", "store.py", "--since", "2026-03", "--until", "2026-06", "--json"),
    "search-plain": ("search", '"the database" +utc -redis', "--project", "tidewatch", "--json"),
    "show": ("show", "72", "--json"),
    "facts": ("facts", "--json", "--limit", "20"),
    "context": ("context", "what about the database", "--json"),
    "status": ("status", "--json"),
    "distill": ("distill", "--json"),
    "distill-gguf": ("distill", "--engine", "gguf", "--limit", "3", "--json"),
    "distill-import": ("distill", "--import", "-", "--json"),
    "distill-stdin": ("distill", "--stdin"),
    "embed": ("embed", "--json"),
    "reindex": ("reindex", "--json"),
    "update": ("update", "--dry-run", "--json"),
    "forget": ("forget", "--exchange", "72", "--dry-run", "--json"),
    "doctor": ("doctor", "--json"),
    "backup": ("backup", "{tmp}/backup.db", "--json"),
    "restore": ("restore", "{sample}", "--json"),
    "bench": ("bench", "--size", "20", "--part", "add", "--json"),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_json(name, run, db, sample_store, tmp_path):
    stdin = STDIN.get(name, BROKEN)
    args = [arg.replace("{tmp}", str(tmp_path)).replace("{sample}", str(sample_store)) for arg in DOCUMENTS[name]]
    result = run(*args, db=db, stdin=stdin)
    assert result.stdout.endswith("}\n")
    assert result.stdout.count("\n") == 1
    document = json.loads(result.stdout)
    assert document["schema_version"] == 1
    check(f"json/{name}.json", json.dumps(shape(document), indent=1) + "\n")


def test_every_command_that_prints_data_has_json():
    without = {entry.name for entry in COMMANDS if "--json" not in options(load(entry.name))}
    # `facts` is `records list`; models: test_models.py; eval: test_evaluate.py; an export is JSON itself.
    assert without == {"init", "demo", "models", "records", "eval", "export", "rekey"}
    assert {name.split("-")[0] for name in DOCUMENTS} == {entry.name for entry in COMMANDS} - without


def options(of):
    return [name for param in of.params if isinstance(param, click.Option) for name in param.opts]


@pytest.mark.parametrize("name", NAMES)
def test_every_option_is_used_in_a_test(name):
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    used = [option for option in options(load(name) if name else command)]
    assert [option for option in used if f'"{option}"' not in tests] == []


def test_json_is_the_same_with_a_progress_bar_at_hand(run, new_db):
    assert json.loads(run("import", SAMPLES / "friends.jsonl", "--json", db=new_db).stdout)["stored"]
