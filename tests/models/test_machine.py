"""What a language model may use of the machine."""

import os

import pytest

from memlite.errors import ModelUnusable
from memlite.models import machine


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.gguf"
    path.touch()
    os.truncate(path, 4_000_000_000)  # takes no room
    return path


def test_a_model_too_big_for_the_memory_is_refused_with_both_numbers(model, monkeypatch):
    monkeypatch.setattr(machine, "available_memory", lambda: 5_000_000_000)
    with pytest.raises(ModelUnusable, match=r"model\.gguf.* about 5,268 MB, 5,000 MB are free; next:"):
        machine.check_fits(model)


@pytest.mark.parametrize("available", [5_300_000_000, None])
def test_a_model_that_fits_or_may_fit_passes(model, monkeypatch, available):
    monkeypatch.setattr(machine, "available_memory", lambda: available)
    machine.check_fits(model)


def test_a_model_that_is_gone(tmp_path):
    with pytest.raises(ModelUnusable, match=r"gone\.gguf \(No such file"):
        machine.check_fits(tmp_path / "gone.gguf")


def test_the_lowest_limit_counts(monkeypatch):
    for name, limit in {"_meminfo": 3, "_whole": 5, "_container": None}.items():
        monkeypatch.setattr(machine, name, lambda limit=limit: limit)
    assert machine.available_memory() == 3
    monkeypatch.setattr(machine, "_container", lambda: 2)
    assert machine.available_memory() == 2


def test_this_machine_has_some_memory():
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert whole / 1000 < machine.available_memory() <= whole


def test_threads_are_as_asked_or_as_many_as_there_are_cores(monkeypatch):
    assert machine.thread_count(3) == 3
    assert 1 <= machine.thread_count() <= min(8, os.cpu_count())
    monkeypatch.setattr(machine, "cores", lambda: 64)
    assert machine.thread_count() == 8
