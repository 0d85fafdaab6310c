import io
import json
from collections import Counter
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.importers import Progress, detect, from_messages, read
from memlite.types.transcript import Entry, Skip, ToolUse

TIME = "2026-05-03T10:00:00Z"


def message(role="user", content="which database?", **fields):
    return {"role": role, "content": content} | fields


def lines(*records):
    return io.BytesIO("\n".join(json.dumps(item, ensure_ascii=False) for item in records).encode())


def document(value, **options):
    return io.BytesIO(json.dumps(value, **options).encode())


PAIR = [message(timestamp=TIME), message("assistant", "postgres", timestamp=TIME)]

FORMS = {
    "lines": lines(*PAIR),
    "list": document(PAIR),
    "list, indented": document(PAIR, indent=2),
    "object": document({"messages": PAIR}),
    "object, indented": document({"messages": PAIR}, indent=2),
    "list of objects": document([{"messages": PAIR}]),
    "UTF-16": io.BytesIO(json.dumps(PAIR).encode("utf-16")),
    "UTF-16 lines": io.BytesIO(lines(*PAIR).getvalue().decode().encode("utf-16")),
    "byte-order mark": io.BytesIO(b"\xef\xbb\xbf" + json.dumps(PAIR, indent=1).encode()),
    "CRLF": io.BytesIO(lines(*PAIR).getvalue().replace(b"\n", b"\r\n")),
}


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_say_the_same(form, entries):
    FORMS[form].seek(0)
    found = entries(read(FORMS[form]))
    assert [(e.conversation.external_id, e.message.role, e.message.content, e.message.said_at) for e in found] == [
        ("stdin", "user", "which database?", "2026-05-03T10:00:00.000Z"),
        ("stdin", "assistant", "postgres", "2026-05-03T10:00:00.000Z"),
    ]
    assert [e.line for e in found] == [1, 2]
    assert [e.identity for e in found] == [e.identity for e in entries(read(lines(*PAIR)))]
    assert {e.conversation.title for e in found} == {"which database?"}


def test_the_whole_coding_history_is_accounted_for(shared, tally, entries):
    path = shared / "coding_history" / "messages.jsonl"
    roles = Counter(json.loads(line)["role"] for line in path.read_text(encoding="utf-8").splitlines())
    assert roles.total() == 10_390
    assert tally(read(path)) == {
        "user": roles["user"],
        "assistant": roles["assistant"] + roles["thinking"],
        "tool": roles["tool"],
    }
    found = entries(read(path))
    assert len({e.conversation.external_id for e in found}) == 53
    assert len({e.identity for e in found}) == 10_390
    assert found[0].identity == "generic:B001:B001:0"
    assert (found[0].conversation.project, found[0].message.utc_offset) == ("bookminder", 60)


def test_roles():
    found = list(
        read(
            lines(
                message("tool", "$ ls\na.py", name="shell", speaker="agent", tool_call_id="c1"),
                message("thinking", "hmm"),
                message("system", "You are"),
                message("developer", "Be brief"),
                message("Human", "hi"),
                message("narrator", "meanwhile"),
                message(None, "who says this?"),
                {"role": "user"},
                message(content=None),
                message(content=" \n"),
            )
        )
    )
    tool, thinking, human = [item.message for item in found if isinstance(item, Entry)]
    assert (tool.role, tool.content, tool.speaker) == ("tool", "", "agent")
    assert tool.tools == (ToolUse("shell", "c1", output="$ ls\na.py"),)
    assert (thinking.role, thinking.content, thinking.thinking) == ("assistant", "", "hmm")
    assert (human.role, human.content) == ("user", "hi")
    assert [(item.reason, item.line, item.issue) for item in found if isinstance(item, Skip)] == [
        ("system prompt", 3, False),
        ("system prompt", 4, False),
        ("unknown role: narrator", 6, True),
        ("no role", 7, True),
        ("no content", 8, True),
        ("empty", 9, False),
        ("empty", 10, False),
    ]


def test_who_speaks_first_takes_the_users_part(entries):
    names = ["Ann", "Bob", "Ann", "Cleo"]
    said = [{"speaker": name, "content": f"{name} speaks"} for name in names]
    found = entries(read(lines(*said)))
    assert [e.message.speaker for e in found] == names
    assert [e.message.role for e in found] == ["user", "assistant", "user", "assistant"]
    assert {e.conversation.style for e in found} == {"peers"}
    other = entries(read(lines(*said, {"speaker": "Bob", "content": "elsewhere", "conversation": "two"})))
    assert other[-1].message.role == "user"


def test_identity_by_id_then_time_then_none(entries):
    records = [
        message(id=7, conversation="c"),
        message(timestamp=TIME),
        message(timestamp=TIME),
        message(timestamp="2026-05-03T12:00:00+02:00"),
        message(timestamp="some day"),
        message(),
    ]
    identities = [e.identity for e in entries(read(lines(*records)))]
    assert identities[0] == "generic:c:7"
    prefix = identities[1].removesuffix(":1")
    assert identities[1:4] == [f"{prefix}:1", f"{prefix}:2", f"{prefix}:3"]  # the same instant, written otherwise
    assert identities[4] not in (None, *identities[:4])
    assert identities[5] is None


def test_conversation_fields_come_from_the_object_around(entries):
    value = [
        {"messages": [message()], "conversation": "a", "project": "p", "title": "T", "cwd": "/w/x"},
        {"id": 9, "messages": [message(title="own")]},
        {"messages": [message(), message("assistant")]},
        {"messages": [message(cwd="/home/dev/app")]},
    ]
    found = [e.conversation for e in entries(read(document(value), name="export"))]
    assert [(c.external_id, c.project, c.title, c.cwd) for c in found] == [
        ("a", "p", "T", "/w/x"),
        ("9", "", "own", ""),
        ("export", "", "which database?", ""),
        ("export", "", "which database?", ""),
        ("export:2", "app", "which database?", "/home/dev/app"),
    ]
    single = {"messages": [message()], "session": "s", "title": "behind the messages", "project": "p"}
    assert entries(read(document(single, indent=1)))[0].conversation.title == "behind the messages"


def test_messages_of_conversation_objects_are_each_a_record():
    value = [{"messages": [message(), 5, message("assistant")]}, {"messages": []}, {"messages": 3}, "text", message()]
    for stream in (document(value), document(value, indent=1)):
        fates = [(item.line, getattr(item, "reason", "stored")) for item in read(stream)]
        assert fates == [
            (1, "stored"),
            (2, "not an object"),
            (3, "stored"),
            (4, "empty"),
            (5, "invalid content"),
            (6, "not an object"),
            (7, "stored"),
        ]


def test_one_conversation_a_line(tally):
    assert tally(read(lines({"messages": PAIR}, {"messages": PAIR}))) == {"user": 2, "assistant": 2}


def test_blocks_and_calls_of_assistants_apis(entries, tally):
    call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q":1}'}}
    image = {"type": "image_url", "image_url": {"url": "data:"}}
    records = [
        message(content=[{"type": "text", "text": "see"}, image]),
        message("assistant", None, tool_calls=[call]),
        message("assistant", [{"type": "tool_use", "id": "t", "name": "Read", "input": {"n": 0.5}}]),
        message("user", [{"type": "tool_result", "tool_use_id": "t", "content": "done"}]),
    ]
    for stream in (lines(*records), document(records)):
        found = [e.message for e in entries(read(stream))]
        assert [(m.role, m.content) for m in found] == [
            ("user", "see"),
            ("assistant", ""),
            ("assistant", ""),
            ("tool", ""),
        ]
        assert [m.tools for m in found[1:]] == [
            (ToolUse("search", "c1", '{"q":1}'),),
            (ToolUse("Read", "t", '{"n":0.5}'),),
            (ToolUse("", "t", output="done"),),
        ]
        assert tally(read(stream))["dropped image_url"] == 1


def test_a_broken_file_keeps_what_came_before(tally):
    cut = json.dumps(PAIR)[:-20].encode()
    found = list(read(io.BytesIO(cut)))
    assert isinstance(found[0], Entry)
    assert [(item.reason, item.line, item.issue) for item in found[1:]] == [("malformed JSON", 2, True)]
    bad_line = lines(*PAIR).getvalue() + b"\n{bad}\n" + lines(message("assistant")).getvalue()
    assert tally(read(io.BytesIO(bad_line))) == {"user": 1, "assistant": 2, "malformed JSON !": 1}


def test_lines_are_read_whole_each_time(entries):
    progress = Progress(offset=5, lines=1)
    assert len(entries(read(lines(*PAIR), progress=progress))) == 2
    assert progress == Progress(offset=5, lines=1)


def test_messages_held_by_a_program(entries):
    said = [
        message(timestamp=datetime(2026, 5, 3, 10, tzinfo=UTC)),
        message("assistant", "half a pair \ud83d and a NUL \0"),
        message(conversation="other", project="q"),
        message(content=3),
    ]
    found = list(from_messages(said, conversation="c1", project="app", title="T"))
    assert [e.conversation.external_id for e in entries(found)] == ["c1", "c1", "other"]
    assert [e.conversation.project for e in entries(found)] == ["app", "app", "q"]
    assert found[0].message.said_at == "2026-05-03T10:00:00.000Z"
    assert found[1].message.content == "half a pair \ufffd and a NUL \ufffd"
    assert (found[3].reason, found[3].line) == ("invalid content", 4)


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1).filter(str.strip)


@given(
    st.lists(
        st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant"]), "content": TEXT}),
        min_size=1,
    )
)
def test_contents_come_back_untouched(messages):
    for stream in (lines(*messages), document(messages), document({"messages": messages}, indent=1)):
        assert detect(stream) is not None
        found = list(read(stream))
        assert [(e.message.role, e.message.content) for e in found] == [(m["role"], m["content"]) for m in messages]
