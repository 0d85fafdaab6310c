"""What is remembered of a file holds for that very file, and never harms."""

import pytest

from memlite.models.stamp import digest, recall, remember, stamp
from memlite.models.wheel import check_digest


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"content")
    return path


def test_a_finding_comes_back_for_the_same_file_kind_and_circumstance(file, tmp_path):
    remember(stamp(file, tmp_path / "cache", "speed", "v1"), 5)
    assert recall(stamp(file, tmp_path / "cache", "speed", "v1"), int) == 5
    assert recall(stamp(file, tmp_path / "cache", "speed", "v2"), int) is None
    assert recall(stamp(file, tmp_path / "cache", "size", "v1"), int) is None
    file.write_bytes(b"contents")
    assert recall(stamp(file, tmp_path / "cache", "speed", "v1"), int) is None


@pytest.mark.parametrize("damaged", [b"", b"{", b"\xff", b'"text"'])
def test_a_damaged_finding_is_none(file, tmp_path, damaged):
    place = stamp(file, tmp_path / "cache", "speed")
    remember(place, 5)
    place.write_bytes(damaged)
    assert recall(place, int) is None


def test_without_a_folder_nothing_is_remembered(file):
    assert stamp(file, None, "speed") is None
    remember(None, 5)
    assert recall(None, int) is None


def test_a_folder_that_cannot_be_written_changes_nothing(file):
    place = stamp(file, file, "speed")
    remember(place, 5)
    assert recall(place, int) is None


def test_the_digest_is_the_one_that_wheels_are_checked_with(file):
    check_digest(file, digest(file))
