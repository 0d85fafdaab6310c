"""Whatever a model does to the process that tries it out, the caller goes on and learns what it was."""

import os
import sys
from contextlib import suppress

import pytest

from memlite.errors import ModelUnusable
from memlite.models import machine, probe
from memlite.models.gguf_file import read_info
from memlite.models.probe import Probed
from tests.models.gguf_files import SMOLLM2, needs_smollm2

STAND_IN = """
import os, signal, sys, time
from pathlib import Path

class Llama:
    def __init__(self, path, **settings):
        with Path(path).with_name("starts").open("a") as starts:
            starts.write("x")
        os.write(2, b"first line of the log\\n....\\n\\x1b[31mlast line of the log\\n")
        {act}

    def tokenize(self, text):
        return [*range(100)]

    def generate(self, tokens, temp):
        assert temp == 0.0
        while True:
            print("native chatter")
            os.write(1, b"native chatter")
            yield 1
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.gguf"
    path.write_bytes(b"a model")
    return path


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """Put a llama_cpp before the real one whose models do `act` when they are loaded."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(probe, "require_llama", lambda: None)  # it asks for the one this process knows
    return lambda act="pass": (folder / "llama_cpp.py").write_text(STAND_IN.format(act=act))


def starts(model):
    path = model.with_name("starts")
    return len(path.read_text()) if path.exists() else 0


@pytest.mark.parametrize(
    ("act", "said", "following"),
    [
        ("os.kill(os.getpid(), signal.SIGILL)", "crashed (SIGILL)", "rebuild llama-cpp-python"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "crashed (SIGSEGV)", "get the file again"),
        ("os.abort()", "crashed (SIGABRT)", "get the file again"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "crashed (SIGKILL)", "free memory"),
        ("os._exit(3)", "crashed (exit 0x3)", "get the file again"),
        ("raise ValueError('Failed to load')", "cannot load it", "get the file again"),
        ("os._exit(0)", "before it had written a token", "another model file"),
    ],
)
def test_every_end_of_the_child_is_an_error_with_its_cause_the_log_and_a_next_step(
    model, stand_in, act, said, following
):
    stand_in(act)
    with pytest.raises(ModelUnusable) as error:
        probe.probe(model)
    for part in (str(model), said, "first line of the log | \ufffd[31mlast line of the log", f"next: {following}"):
        assert part in str(error.value)


def test_a_child_that_hangs_is_ended(model, stand_in, monkeypatch):
    stand_in("time.sleep(600)")
    monkeypatch.setattr(probe, "PATIENCE_S", 2.0)
    with pytest.raises(ModelUnusable, match=r"for 2 s and did not come to an end.*last line of the log"):
        probe.probe(model)


def test_success_is_measured_and_native_chatter_does_not_disturb(model, stand_in):
    stand_in()
    found = probe.probe(model)
    assert found.load_seconds >= 0
    assert min(found.read_per_second, found.written_per_second) > 0


def test_success_is_remembered_for_the_file_and_the_version(model, stand_in, tmp_path, monkeypatch):
    stand_in()
    cache = tmp_path / "cache"
    first = probe.probe(model, remember_in=cache)
    assert probe.probe(model, remember_in=cache) == first
    assert starts(model) == 1
    probe.probe(model, remember_in=cache, again=True)
    assert starts(model) == 2
    monkeypatch.setattr(probe, "_llama_version", lambda: "99")
    probe.probe(model, remember_in=cache)
    assert starts(model) == 3
    model.write_bytes(b"another model")
    probe.probe(model, remember_in=cache)
    assert starts(model) == 4


def test_failure_is_not_remembered(model, stand_in, tmp_path):
    cache = tmp_path / "cache"
    stand_in("os.abort()")
    for _ in range(2):
        with pytest.raises(ModelUnusable):
            probe.probe(model, remember_in=cache)
    assert starts(model) == 2
    stand_in()
    assert probe.probe(model, remember_in=cache)


@pytest.mark.parametrize(
    ("name", "value"), [("frozen", True), ("executable", ""), ("executable", None), ("executable", "/opt/app/studio")]
)
def test_an_application_without_an_interpreter_is_not_started_again(model, stand_in, monkeypatch, name, value):
    stand_in()
    monkeypatch.setattr(sys, name, value, raising=False)
    assert probe.probe(model) is None
    assert starts(model) == 0


def test_an_interpreter_that_does_not_start(model, stand_in, monkeypatch):
    stand_in()
    monkeypatch.setattr(sys, "executable", "/absent/python3")
    with pytest.raises(ModelUnusable, match="/absent/python3 does not start"):
        probe.probe(model)


def test_what_is_too_big_is_not_started_though_it_once_worked(model, stand_in, tmp_path, monkeypatch):
    stand_in()
    probe.probe(model, remember_in=tmp_path / "cache")
    monkeypatch.setattr(machine, "available_memory", lambda: 1000)
    with pytest.raises(ModelUnusable, match="too big"):
        probe.probe(model, remember_in=tmp_path / "cache")
    assert starts(model) == 1


def test_without_llama_the_error_says_what_to_install(model, monkeypatch):
    monkeypatch.setattr("memlite.models.native.find_spec", lambda name: None)
    with pytest.raises(ModelUnusable, match=r"pip install 'memlite\[llm\]'"):
        probe.probe(model)


@needs_smollm2
@pytest.mark.model
def test_the_bundled_model_runs(tmp_path):
    found = probe.probe(SMOLLM2, threads=1, remember_in=tmp_path)
    assert probe.probe(SMOLLM2, remember_in=tmp_path) == found
    assert isinstance(found, Probed)


def damaged(tmp_path, *, at=None, content=b"", length=None):
    path = tmp_path / "damaged.gguf"
    path.write_bytes(SMOLLM2.read_bytes()[:length])
    if at is not None:
        with path.open("r+b") as file:
            os.pwrite(file.fileno(), content, at)
    return path


def used(path):
    read_info(path)
    probe.probe(path, threads=1)


@needs_smollm2
@pytest.mark.model
@pytest.mark.parametrize(
    ("after", "content"),
    [
        (b"token_embd.weight", b"\x7f"),  # its dimensions: 127 of them
        (b"token_embd.weigh", b"x"),  # its name
        (b"llama.embedding_length", b"\x04\0\0\0\x03"),  # 3 instead of 576
        (b"llama.block_count", b"\x04\0\0\0\xff\xff"),  # 65,535 layers
        (b"tokenizer.ggml.mode", b"x"),
        (b"tokenizer.ggml.tokens", b"\x09\0\0\0\x08\0\0\0\x10\0\0\0\0\0\0\0"),  # 16 words
        (b"tokenizer.ggml.bos_token_id", b"\x04\0\0\0\xff\xff\xff\x7f"),
    ],
    ids=["dimensions", "name", "width", "layers", "vocabulary", "words", "start"],
)
def test_a_damaged_copy_is_refused_or_runs_and_never_ends_the_caller(tmp_path, after, content):
    at = SMOLLM2.read_bytes().index(after) + len(after)
    path = damaged(tmp_path, at=at, content=content)
    if after.endswith(b"bos_token_id"):
        return _refused_or_runs(path)
    with pytest.raises(ModelUnusable, match="next:"):
        used(path)


@needs_smollm2
@pytest.mark.model
def test_a_truncated_copy_is_refused(tmp_path):
    with pytest.raises(ModelUnusable, match="truncated"):
        used(damaged(tmp_path, length=-1000))


@needs_smollm2
@pytest.mark.model
def test_damaged_weights_are_refused_or_run(tmp_path):
    _refused_or_runs(damaged(tmp_path, at=50_000_000, content=b"\xff" * 1_000_000))


def _refused_or_runs(path):
    with suppress(ModelUnusable):
        used(path)
