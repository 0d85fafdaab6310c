"""Which model is meant, and names for model files."""

import os

import pytest

from memlite.errors import ModelUnusable, UsageError
from memlite.models import catalog
from memlite.models.catalog import BUNDLED, add, describe, entries, listing, resolve
from tests.models.gguf_files import SMOLLM2, needs_smollm2, write


@pytest.fixture(autouse=True)
def _folders(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("MEMLITE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("MEMLITE_MODEL", raising=False)


@pytest.fixture
def model(tmp_path):
    return write(tmp_path / "small.gguf")


@pytest.fixture
def other(tmp_path):
    return write(tmp_path / "other.gguf", tensors=((7,),))


@pytest.fixture
def no_wheel(monkeypatch):
    monkeypatch.setattr(catalog, "PACKAGE", "no_such_package")


def test_what_is_asked_for_comes_first_then_the_variable(model, other, monkeypatch):
    add("mine", model)
    monkeypatch.setenv("MEMLITE_MODEL", str(other))
    assert resolve("mine") == catalog.Chosen("mine", str(model), "asked for")
    assert resolve(str(model)) == catalog.Chosen("small", str(model), "asked for")
    assert resolve() == catalog.Chosen("other", str(other), "MEMLITE_MODEL")
    monkeypatch.setenv("MEMLITE_MODEL", "mine")
    assert resolve() == catalog.Chosen("mine", str(model), "MEMLITE_MODEL")


@needs_smollm2
def test_the_bundled_model_comes_last_and_has_a_name(monkeypatch):
    assert (resolve().path, resolve().name) == (str(SMOLLM2), BUNDLED)
    assert resolve(BUNDLED).why == "asked for"
    monkeypatch.setenv("MEMLITE_MODEL", "")
    assert resolve().name == BUNDLED
    assert describe().architecture == "llama"


@pytest.mark.usefixtures("no_wheel")
def test_without_any_model_the_error_says_what_to_install():
    for given in (None, BUNDLED):
        with pytest.raises(ModelUnusable, match=r"not installed; next: pip install 'memlite\[llm\]'"):
            resolve(given)


def test_what_is_no_name_and_no_file(model, monkeypatch):
    add("mine", model)
    with pytest.raises(ModelUnusable, match=r"'nope' \(asked for\) is neither .* names: mine; next: memlite models"):
        resolve("nope")
    monkeypatch.setenv("MEMLITE_MODEL", "/nope.gguf")
    with pytest.raises(ModelUnusable, match=r"'/nope\.gguf' \(MEMLITE_MODEL\)"):
        resolve()


def test_paths_are_kept_whole(model, monkeypatch):
    monkeypatch.chdir(model.parent)
    monkeypatch.setenv("HOME", str(model.parent))
    assert resolve("small.gguf").path == resolve("~/small.gguf").path == str(model)
    add("mine", model.relative_to(model.parent))
    assert entries() == {"mine": str(model)}


def test_a_name_says_what_the_file_says(model):
    assert add("mine", model).context == 2048
    assert describe("mine").name == "mine"


@pytest.mark.parametrize("name", ["", "a/b", "../x", ".hidden", "-x", "a b", "x.gguf", "X.GGUF", "ä", "a" * 65, "a\n"])
def test_bad_names(model, name):
    with pytest.raises(UsageError, match="cannot be the name of a model"):
        add(name, model)
    assert entries() == {}


def test_a_name_that_is_taken_needs_force(model, other):
    add("mine", model)
    add("mine", model)
    with pytest.raises(UsageError, match=r"mine is the name of .*small\.gguf.*--force"):
        add("mine", other)
    assert entries() == {"mine": str(model)}
    add("mine", other, force=True)
    assert entries() == {"mine": str(other)}


@pytest.mark.parametrize("name", [BUNDLED, BUNDLED.upper()])
def test_the_bundled_models_name_is_taken_for_good(model, name):
    with pytest.raises(UsageError, match="comes with memlite"):
        add(name, model, force=True)


def test_a_file_that_is_no_model_gets_no_name(tmp_path):
    (tmp_path / "x.gguf").write_bytes(b"junk")
    with pytest.raises(ModelUnusable, match="expected GGUF, found b'junk'"):
        add("mine", tmp_path / "x.gguf")
    assert entries() == {}


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"models": {"a": 1}}', b"\xff"])
def test_a_damaged_catalogue_is_named(tmp_path, content):
    path = tmp_path / "share" / "memlite" / "models.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    with pytest.raises(ModelUnusable, match=r"models\.json .*next: repair it or remove it"):
        resolve("mine")
    assert path.read_bytes() == content


def test_a_catalogue_that_cannot_be_written(model, tmp_path):
    (tmp_path / "share").write_text("a file where the folder should be")
    with pytest.raises(ModelUnusable, match=r"models\.json \("):
        add("mine", model)


def test_nothing_is_left_beside_the_catalogue(model, tmp_path):
    add("mine", model)
    assert os.listdir(tmp_path / "share" / "memlite") == ["models.json"]


@pytest.mark.usefixtures("no_wheel")
def test_the_list_tells_what_is_wrong_with_a_model_and_why_there_is_no_default(model, other):
    add("good", model)
    add("lost", other)
    other.unlink()
    found = listing()
    assert found.default is None
    assert "pip install" in found.no_default
    assert [(row.name, row.default, bool(row.info)) for row in found.models] == [
        ("good", False, True),
        ("lost", False, False),
    ]
    assert "No such file" in found.models[1].problem


def test_the_list_marks_the_default_and_holds_it_though_it_has_no_name(model, other, monkeypatch):
    add("mine", model)
    monkeypatch.setenv("MEMLITE_MODEL", "mine")
    assert [row.name for row in listing().models if row.default] == ["mine"]
    monkeypatch.setenv("MEMLITE_MODEL", str(other))
    assert [(row.name, row.path) for row in listing().models if row.default] == [("other", str(other))]


def test_a_file_without_a_name_is_not_taken_for_the_model_of_that_name(model, other, monkeypatch):
    add("other", model)
    monkeypatch.setenv("MEMLITE_MODEL", str(other))
    assert [(row.name, row.path) for row in listing().models if row.default] == [("other", str(other))]
