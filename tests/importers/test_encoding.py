import io
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.importers.encoding import CHUNK, RepairedStream, encoding_of, repair
from memlite.text.clean import clean


def drained(data, size=0):
    reader = RepairedStream(io.BytesIO(data), encoding_of(data))
    chunks = iter(lambda: reader.read(size or CHUNK), b"")
    return b"".join(chunks).decode()


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"\ud83d\ude00", "😀"),
        (r"\uD83D\uDE00", "😀"),
        (r"\ud83d!", "\ufffd!"),
        (r"\ude00", "\ufffd"),
        (r"\ud83d\ud83d\ude00", "\ufffd😀"),
        (r"\ud83d\u0041", "\ufffdA"),
        (r"\u0000", "\ufffd"),
        (r"\\u0000", r"\u0000"),
        (r"\\\u0000", "\\\ufffd"),
        (r"\\ud83d", r"\ud83d"),
    ],
)
def test_only_escapes_that_mean_nothing_are_replaced(written, read):
    assert json.loads(repair(f'"{written}"')) == read


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_any_encoding_comes_out_as_utf_8(encoding):
    mark = b"\xff\xfe" if encoding == "utf-16-le" else b""
    assert drained(mark + "naïve 部署 😀".encode(encoding)) == "naïve 部署 😀"


def test_broken_utf_8_becomes_replacement_characters():
    assert drained(b"caf\xe9 \xf0\x9f") == "caf\ufffd \ufffd"


def test_escapes_are_whole_across_chunks():
    text = r"\ud83d\ude00 \\\\ \ud83d \\ud83d \u0000 é"
    for before in range(CHUNK - 45, CHUNK + 2):
        padded = "x" * before + text
        assert drained(padded.encode()) == repair(padded)


def test_asking_for_nothing_reads_nothing():
    reader = RepairedStream(io.BytesIO(b"abc"), "utf-8")
    assert reader.read(0) == b""
    assert reader.read(10) == b"abc"


@given(st.integers(), st.lists(st.sampled_from(["\\", "u", "d83d", "\\ud83d", "\\ude00", "0000", "x"]), max_size=30))
def test_chunks_make_no_difference(seed, parts):
    text = "".join(parts)
    stream = _Dribble(text.encode(), random.Random(seed))
    reader = RepairedStream(stream, "utf-8")
    assert b"".join(iter(lambda: reader.read(1), b"")).decode() == repair(text)


class _Dribble(io.BytesIO):
    """A file that returns a few bytes at a time."""

    def __init__(self, data, rng):
        super().__init__(data)
        self._rng = rng

    def read(self, size=-1):
        return super().read(self._rng.randint(1, 4))


def test_values_of_a_program_are_cleaned_throughout():
    assert clean({"a\0": ["\ud83d", ("\udc00x", 3, None)]}) == {"a\ufffd": ["\ufffd", ["\ufffdx", 3, None]]}
    assert clean("plain 😀") == "plain 😀"
