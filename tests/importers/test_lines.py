import io
import json

import msgspec
import pytest

from memlite.importers.lines import Progress, decode, read_lines

ANYTHING = msgspec.json.Decoder()


def read(data, progress=None):
    return [(line.number, line.body, line.complete) for line in read_lines(io.BytesIO(data), progress or Progress())]


def test_blank_lines_count_as_lines_but_not_as_records():
    assert read(b"\n a \r\n\n \t\nb") == [(2, b"a", True), (5, b"b", False)]


def test_a_byte_order_mark_is_no_content():
    assert read(b"\xef\xbb\xbfa\n") == [(1, b"a", True)]
    assert read(b"\xef\xbb\xbf") == []


def test_progress_counts_bytes_and_lines_of_complete_lines():
    progress = Progress()
    read(b"\xef\xbb\xbfa\r\n\nunfinished", progress)
    assert progress == Progress(offset=7, lines=2)
    assert read(b"\xef\xbb\xbfa\r\n\nunfinished no more\n", progress) == [(3, b"unfinished no more", True)]


def test_utf_16_lines_are_read_whole():
    progress = Progress()
    stream = io.BytesIO("a\r\n\nü".encode("utf-16"))
    assert [(line.number, line.body) for line in read_lines(stream, progress)] == [(1, b"a"), (3, "ü".encode())]
    assert progress == Progress()
    assert not stream.closed


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b'"caf\xe9"', "caf\ufffd"),
        (b'"\\ud83d end"', "\ufffd end"),
        (b'"a\\u0000b"', "a\ufffdb"),
        (b'"a\x00\tb"', "a\ufffd\tb"),
        (b'{"a":[1,NaN]}', None),
        (b"[" * 100_000, None),
        (b"9" * 5_000, None),
        (b"\xff\xff", None),
    ],
)
def test_what_can_be_mended_is_decoded_and_the_rest_is_refused(body, value):
    if value is None:
        with pytest.raises(msgspec.DecodeError):
            decode(ANYTHING, body)
    else:
        assert decode(ANYTHING, body) == value
        assert json.loads(json.dumps(value)) == value
