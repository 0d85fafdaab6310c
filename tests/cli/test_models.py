"""models list, add, check and pull (its download: tests/models/test_hub.py): what is printed, what scripts rely on."""

import json

import pytest

from memlite.cli.models import models
from memlite.models import catalog, machine
from memlite.models.probe import Probed
from tests.cli.golden import check, shape
from tests.models.gguf_files import write

COMMANDS = sorted(models.commands)


@pytest.fixture
def model(tmp_path):
    return write(tmp_path / "small.gguf")


@pytest.fixture
def memlite(run, monkeypatch, tmp_path):
    """Run `memlite models` with no model at hand and no store; trying one out tells a known speed."""
    monkeypatch.setenv("MEMLITE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("MEMLITE_MODEL", raising=False)
    monkeypatch.setattr(catalog, "PACKAGE", "no_such_package")
    monkeypatch.setattr(machine, "available_memory", lambda: 8_000_000_000)
    monkeypatch.setattr(machine, "cores", lambda: 4)
    monkeypatch.setattr("memlite.cli.models.probe", lambda path, **_: Probed(0.25, 180.0, 85.4))
    return lambda *args, **settings: run("models", *args, **settings)


@pytest.mark.parametrize("name", COMMANDS)
def test_help(name, memlite):
    shown = memlite(name, "--help", terminal_width=100).stdout
    assert max(map(len, shown.splitlines())) <= 100
    check(f"help/models-{name}.txt", shown)


DOCUMENTS = {
    "list": ("list", "--json"),
    "add": ("add", "again", "{model}", "--json"),
    "check": ("check", "mine", "--json"),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_json(name, memlite, model, monkeypatch):
    memlite("add", "mine", model)
    monkeypatch.setenv("MEMLITE_MODEL", "mine")
    result = memlite(*(part.format(model=model) for part in DOCUMENTS[name]))
    assert result.stdout.count("\n") == 1
    document = json.loads(result.stdout)
    assert document["schema_version"] == 1
    check(f"json/models-{name}.json", json.dumps(shape(document), indent=1) + "\n")


def test_every_command_has_json():
    assert all("--json" in [name for param in models.commands[each].params for name in param.opts] for each in COMMANDS)


def test_the_list(memlite, model, monkeypatch):
    memlite("add", "mine", model)
    shown = memlite("list")
    assert "  mine                     llama Q4_K_M, 0 M weights, context 2,048, 0 MB, chat template\n" in shown.stdout
    assert f"    {model}\n    sha256:" in shown.stdout
    assert "no default: the model SmolLM2" in shown.stderr
    monkeypatch.setenv("MEMLITE_MODEL", "mine")
    assert memlite("list").stdout.startswith("* mine ")
    assert memlite("list").stdout.endswith("* is the default: MEMLITE_MODEL\n")


def test_the_list_goes_on_where_a_file_is_gone(memlite, model):
    memlite("add", "mine", model)
    model.unlink()
    assert "  mine\n    cannot read the model file" in memlite("list").stdout


def test_adding(memlite, model, tmp_path):
    other = write(tmp_path / "other.gguf", tensors=((3,),))
    assert str(model) in memlite("add", "mine", model).stdout
    assert "--force" in memlite("add", "mine", other, code=2).stderr
    assert str(other) in memlite("add", "mine", other, "--force").stdout
    assert "cannot be the name" in memlite("add", "a/b", model, code=2).stderr
    assert "No such file" in memlite("add", "lost", tmp_path / "absent.gguf", code=6).stderr


def test_the_plan(memlite, model):
    shown = memlite("check", model, "--threads", 3).stdout
    assert f"model     small (asked for)\nfile      {model}\ndigest    sha256:" in shown
    assert "memory    needs about 268 MB of 8,000 MB\nthreads   3 on 4 cores\n" in shown
    assert "loads in  0.2 s\nspeed     reads 180 tokens a second, writes 85\n" in shown


def test_the_plan_where_nothing_could_be_tried(memlite, model, monkeypatch):
    monkeypatch.setattr("memlite.cli.models.probe", lambda path, **_: None)
    assert "not tried: there is no Python to start" in memlite("check", model).stdout
    assert json.loads(memlite("check", model, "--json").stdout)["speed"] is None


def test_a_model_that_cannot_be_used(memlite, tmp_path):
    assert "pip install 'memlite[llm]'" in memlite("check", code=6).stderr
    (tmp_path / "x.gguf").write_bytes(b"junk")
    assert "expected GGUF, found b'junk'" in memlite("check", tmp_path / "x.gguf", code=6).stderr


def test_pulling_what_is_no_file_of_a_hub(memlite):
    assert "Write OWNER/REPO/FILE" in memlite("pull", "x", "--name", "y", code=2).stderr


def test_no_store_is_made(memlite, tmp_path):
    memlite("list")
    assert not list(tmp_path.rglob("*.db"))
