"""distill: by rules, by a model, through files and through stdin, and what cannot go together."""

import json
import stat

import pytest

from memlite.memory import Memory
from tests.cli.conftest import SILENT
from tests.embedders import WordEmbedder
from tests.generators import CallingGenerator
from tests.memory.conftest import BETTER, BILLING, add_billing, better


@pytest.fixture
def billing(new_db):
    with Memory(new_db, embedder=WordEmbedder()) as memory:
        add_billing(memory, range(4), project="app")
        add_billing(memory, range(4, 6), project="shop")
        memory.distill()
    return new_db


def status(run, db):
    return json.loads(run("status", "--json", db=db).stdout)


def test_a_model_makes_objects_better(run, billing, monkeypatch):
    monkeypatch.setattr("memlite.models.loading.load_generator", lambda *_: CallingGenerator(better, name="able"))
    arguments = ("distill", "--engine", "gguf", "--project", "app", "--minutes", "5")
    first = json.loads(run(*arguments, "--limit", "3", "--no-embed", "--json", db=billing).stdout)
    assert (first["upgrades"]["model"], first["upgrades"]["improved"], first["upgrades"]["pending"]) == ("able", 3, 1)
    assert (first["embedded"], first["pending"]) == (0, 3)
    said = run(*arguments, db=billing).stdout
    assert said.startswith("0 exchanges distilled; 4 embedded; 0 records read from 1 window; able: 1 object tried, 1 ")
    assert status(run, billing)["objects"] == {"extractive": 2, "gguf": 4, "external": 0}


def test_the_model_is_chosen_and_its_trouble_is_exit_code_6(run, billing):
    asked = ("distill", "--engine", "gguf", "--threads", "1", "--model")
    assert "there is no model large" in run(*asked, "large", db=billing, code=6).stderr
    done = json.loads(run(*asked, SILENT, "--json", db=billing).stdout)
    assert (done["upgrades"]["tried"], done["upgrades"]["improved"]) == (6, 0)
    assert json.loads(run(*asked, SILENT, "--json", db=billing).stdout)["upgrades"]["tried"] == 0
    assert json.loads(run(*asked, SILENT, "--upgrade", "--json", db=billing).stdout)["upgrades"]["tried"] == 0


def test_how_the_model_is_asked_may_be_said(run, billing):
    asked = ("distill", "--engine", "gguf", "--model", SILENT, "--json", "--strategy")
    fields = json.loads(run(*asked, "fields", db=billing).stdout)["upgrades"]["fields"]
    assert fields.keys() == {"exchange_core", "specific_context", "rooms"}
    fields = json.loads(run(*asked, "copy", "--upgrade", db=billing).stdout)["upgrades"]["fields"]
    assert fields == {"exchange_core": {"empty": 6}}
    said = ("distill", "--stdin", "--engine", "gguf", "--strategy", "copy")
    assert json.loads(run(*said, stdin=TALK).stdout)["outcomes"] == {"exchange_core": "empty"}


def test_out_by_export_and_in_by_import(run, billing, tmp_path):
    file = tmp_path / "waiting.jsonl"
    said = run("distill", "--export", file, "--project", "app", "--limit", "3", db=billing).stdout
    assert said == f"3 exchanges written to {file}\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    waiting = [json.loads(line) for line in file.read_text().splitlines()]
    assert all("deployment" in each["text"] for each in waiting)
    numbers = [each["text"].split("deployment ")[1].split()[0] for each in waiting]
    lines = [
        json.dumps({"exchange_id": each["exchange_id"], "exchange_core": BETTER.format(n, n, n), "model": "by hand"})
        for each, n in zip(waiting, numbers, strict=True)
    ]
    back = tmp_path / "objects.jsonl"
    back.write_text("\n".join([*lines, "{oops", '{"exchange_id": 1, "exchange_core": "Mallory was in Oslo."}', ""]))
    said = run("distill", "--import", back, db=billing).stdout.splitlines()
    assert said[0] == "5 lines: 3 made an object better, 1 did not, 1 refused"
    assert said[1].startswith("objects kept as they were: 1 exchange_core: ")
    assert said[2] == "refused: 1 malformed JSON"
    assert said[3].startswith(f"  {back}:4: malformed JSON")
    assert status(run, billing)["objects"]["external"] == 3
    done = json.loads(run("distill", "--export", file, "--json", db=billing).stdout)
    assert done == {"exported": 2, "path": str(file), "schema_version": 1}


def test_through_pipes(run, billing):
    out = run("distill", "--export", "-", "--limit", "1", db=billing)
    (line,) = out.stdout.splitlines()
    given = json.loads(line)
    n = given["text"].split("deployment ")[1].split()[0]
    back = json.dumps({"exchange_id": given["exchange_id"], "exchange_core": BETTER.format(n, n, n)})
    report = json.loads(run("distill", "--import", "-", "--no-embed", "--json", db=billing, stdin=back).stdout)
    assert (report["lines_in"], report["improved"]) == (1, 1)
    assert status(run, billing)["tasks"]["pending"] == 1


def test_a_file_that_cannot_be_written(run, billing, tmp_path):
    assert "cannot write" in run("distill", "--export", tmp_path / "no" / "file", db=billing, code=2).stderr


TALK = json.dumps(
    [{"role": role, "content": text.format(7, 7)} for role, text in zip(("user", "assistant"), BILLING, strict=True)]
)


def test_stdin_needs_no_store(run, tmp_path, monkeypatch):
    nowhere = tmp_path / "none.db"
    made = json.loads(run("distill", "--stdin", db=nowhere, stdin=TALK).stdout)
    assert made["exchange_core"].startswith("Why did deployment 7 of the billing service fail")
    assert (made["engine"], made["schema_version"]) == ("extractive", 1)
    assert set(made) >= {"specific_context", "rooms", "files", "vocab_survival"}
    monkeypatch.setattr("memlite.models.loading.load_generator", lambda *_: CallingGenerator(better))
    better_one = json.loads(run("distill", "--stdin", "--engine", "gguf", db=nowhere, stdin=TALK).stdout)
    assert (better_one["exchange_core"], better_one["engine"]) == (BETTER.format(7, 7, 7), "gguf")
    assert not nowhere.exists()


def test_stdin_may_be_lines_or_plain_text(run):
    lines = "\n".join(json.dumps(message) for message in json.loads(TALK))
    whole = run("distill", "--stdin", stdin=TALK).stdout
    assert run("distill", "--stdin", stdin=lines).stdout == whole
    note = "The staging database moved to port 6543 because 5432 was taken."
    assert "6543" in json.loads(run("distill", "--stdin", stdin=note).stdout)["exchange_core"]
    assert "message 1" in run("distill", "--stdin", stdin='[{"role": "king", "content": "x"}]', code=2).stderr
    assert "no message" in run("distill", "--stdin", stdin="", code=2).stderr


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (("--model", SILENT), "--model cannot go with --engine extractive. Leave it out, or add --engine gguf"),
        (("--threads", "2", "--stdin"), "--threads cannot go with --stdin. Leave it out, or add --engine gguf"),
        (("--strategy", "copy"), "--strategy cannot go with --engine extractive. Leave it out, or add --engine gguf"),
        (("--strategy", "copy", "--stdin"), "--strategy cannot go with --stdin. Leave it out, or add --engine gguf"),
        (("--strategy", "copy", "--export", "x"), "--strategy cannot go with --export"),
        (("--strategy", "guess", "--engine", "gguf"), "'guess' is not one of 'whole', 'fields', 'copy', 'choose'"),
        (("--stdin", "--limit", "3"), "--limit cannot go with --stdin. Leave it out"),
        (("--stdin", "--engine", "gguf", "--upgrade"), "--upgrade cannot go with --stdin --engine gguf"),
        (("--export", "x", "--engine", "gguf"), "--engine cannot go with --export"),
        (("--export", "x", "--minutes", "3"), "--minutes cannot go with --export"),
        (("--import", "-", "--project", "app"), "--project cannot go with --import"),
        (("--import", "-", "--upgrade", "--model", "m"), "--model, --upgrade cannot go with --import"),
        (("--import", "-", "--export", "x"), "--export and --import are different things to do"),
        (("--stdin", "--export", "x"), "--export and --stdin are different things to do"),
        (("--engine", "steam"), "extractive"),
        (("--minutes", "-1"), "--minutes"),
        (("--threads", "0", "--engine", "gguf"), "--threads"),
        (("--import", "no such file"), "--import"),
    ],
)
def test_what_cannot_go_together_is_a_usage_error(run, new_db, tmp_path, monkeypatch, given, named):
    monkeypatch.chdir(tmp_path)
    assert named in run("distill", *given, db=new_db, code=2, stdin="").stderr
    assert not (tmp_path / "x").exists()
