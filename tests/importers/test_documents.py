import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.importers import FORMATS, read
from memlite.importers.documents import elements, header, is_list
from memlite.types.transcript import DroppedBlock, Entry, Skip

DOCUMENTS = [form for form in FORMATS if form.layout == "json"]
SAID = {"role": "user", "content": "hi \U0001f600", "speaker": "Ann", "dia_id": "D1:1", "text": "hi", "id": 1.5}
WHOLE = [
    {"loglines": [{"type": "user", "message": SAID}]},
    [{"conversation": {"speaker_a": "Ann", "session_1": [SAID]}, "sample_id": "s"}],
    [{"haystack_sessions": [[SAID]], "haystack_session_ids": ["s"], "haystack_dates": ["2023/05/20 (Sat) 02:21"]}],
    [SAID, {"messages": [SAID]}],
    {"messages": [SAID], "title": "t"},
]


def test_elements_are_numbered_and_a_break_is_the_last():
    stream = io.BytesIO(b'{"x":1,"messages":["a",{"b":2},"\\ud83d"],"title":"t"')
    found = list(elements(stream, "messages.item"))
    assert found[:3] == [(1, "a"), (2, {"b": 2}), (3, "\ufffd")]
    assert [(item.reason, item.line, item.issue) for item in found[3:]] == [("malformed JSON", 4, True)]
    assert header(stream) == {"x": 1, "title": "t"}
    assert not is_list(stream)
    assert is_list(io.BytesIO(b"\xef\xbb\xbf \n["))


@pytest.mark.parametrize("form", DOCUMENTS, ids=lambda form: form.source)
@given(st.sampled_from(WHOLE), st.integers(0, 300), st.integers(0, 8), st.binary(max_size=8))
def test_a_damaged_document_gives_fates_and_never_raises(form, whole, at, length, inserted):
    data = json.dumps(whole, ensure_ascii=False).encode()
    damaged = data[:at] + inserted + data[at + length :]
    for item in read(io.BytesIO(damaged), form):
        assert isinstance(item, Entry | Skip | DroppedBlock)
