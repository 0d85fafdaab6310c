import io
import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.importers import FORMATS, Progress, detect, read
from memlite.types.transcript import DroppedBlock, Entry, Skip

JSONL = next(form for form in FORMATS if form.source == "claude-code" and form.layout == "jsonl")
SESSION = "11111111-1111-4111-8111-111111111111"


def record(kind="user", content="hello there", **fields):
    return {
        "type": kind,
        "uuid": "u-1",
        "sessionId": SESSION,
        "timestamp": "2025-11-01T10:00:00.000Z",
        "message": {"role": kind, "content": content},
    } | fields


def stream(*records, end="\n"):
    lines = (item if isinstance(item, str) else json.dumps(item) for item in records)
    return io.BytesIO(("\n".join(lines) + end).encode())


def one(entries, item, **options):
    found = entries(read(stream(item), JSONL, **options))
    assert len(found) == 1
    return found[0]


EDGE = {
    "cc_bad_timestamps": {"user": 5},
    "cc_blank_lines": {"user": 1, "assistant": 1},
    "cc_bom": {"user": 1, "assistant": 1},
    "cc_commands_and_secrets": {"user": 4, "meta": 1},
    "cc_compaction": {"bookkeeping: summary": 1, "bookkeeping: system": 1, "user": 1, "assistant": 1},
    "cc_crlf": {"user": 1, "assistant": 1},
    "cc_duplicate_uuid_and_reordered": {"user": 3, "assistant": 1},
    "cc_empty_content": {"empty": 6, "assistant": 1},
    "cc_empty_file": {"empty file": 1},
    "cc_garbage_middle": {"user": 1, "assistant": 1, "malformed JSON !": 3},
    "cc_image_and_orphan_tool_result": {"user": 1, "tool": 1, "assistant": 1, "dropped image": 1},
    "cc_invalid_utf8": {"user": 2, "assistant": 1},
    "cc_lone_surrogate_escape": {"user": 2, "assistant": 1},
    "cc_no_trailing_newline": {"user": 1, "assistant": 1},
    "cc_sidechain_mixed": {"user": 1, "assistant": 2, "tool": 1, "sidechain": 2},
    "cc_truncated_last_line": {"user": 1, "assistant": 1, "incomplete last line !": 1},
    "cc_unicode": {"user": 1, "assistant": 1},
    "cc_unknown_types": {
        "bookkeeping: file-history-snapshot": 1,
        "bookkeeping: queue-operation": 1,
        "bookkeeping: progress": 1,
        "unknown type: some-future-type !": 1,
        "not an object !": 4,
        "user": 1,
        "assistant": 1,
    },
    "cc_very_long_line": {"user": 1, "assistant": 2, "tool": 1},
    "cc_whitespace_only": {"empty file": 1},
}


@pytest.mark.parametrize(("name", "expected"), EDGE.items())
def test_every_line_of_an_edge_file_has_its_fate(name, expected, edge, tally):
    path = edge / f"{name}.jsonl"
    assert tally(read(path)) == expected
    lines = [line for line in path.read_bytes().split(b"\n") if line.strip()]
    fates = [item for item in read(path) if not isinstance(item, DroppedBlock)]
    assert len(fates) == (len(lines) or 1)


def test_all_edge_files_are_in_the_table(edge):
    assert {path.stem for path in edge.glob("*.jsonl")} == set(EDGE)


def test_entries_of_real_sessions_match_an_independent_count(shared):
    files = [path for path in (shared / "transcripts").rglob("*.jsonl") if "codex" not in str(path)]
    files = [path for path in files if detect(path) is JSONL]
    assert len(files) > 25
    for path in files:
        counted = Counter()
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                value = json.loads(line)
            except ValueError:
                value = None
            counted[value.get("type") if isinstance(value, dict) else None] += 1
        fates = [item for item in read(path, subagents=True) if not isinstance(item, DroppedBlock)]
        assert len(fates) == counted.total()
        bookkeeping = sum(isinstance(item, Skip) and item.reason.startswith("bookkeeping") for item in fates)
        said = sum(isinstance(item, Entry) for item in fates)
        left = [item for item in fates if isinstance(item, Skip) and not item.reason.startswith("bookkeeping")]
        queued = path.read_text(encoding="utf-8").count('"commandMode":"prompt"')
        assert said + len(left) == counted["user"] + counted["assistant"] + counted[None] + queued
        assert bookkeeping + said + len(left) == counted.total()


def test_web_session_is_read_whole(shared, tally, entries):
    path = shared / "transcripts/other/claude-code-transcripts/sample_session.json"
    expected = Counter()
    for line in json.loads(path.read_text())["loglines"]:
        content = line["message"]["content"]
        results = isinstance(content, list) and all(block["type"] == "tool_result" for block in content)
        expected["tool" if results else line["type"]] += 1
    assert tally(read(path)) == expected
    found = entries(read(path))
    assert found[0].conversation.external_id == "sample_session"
    assert len({entry.identity for entry in found}) == len(found)
    assert [entry.identity for entry in entries(read(path))] == [entry.identity for entry in found]


def test_blocks_are_kept_apart(entries):
    blocks = [
        {"type": "thinking", "thinking": "look at http.py", "signature": "x"},
        {"type": "text", "text": "first"},
        {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/a/ü.py", "limit": 3}},
        {"type": "text", "text": "second"},
    ]
    message = one(entries, record("assistant", blocks)).message
    assert message.content == "first\n\nsecond"
    assert message.thinking == "look at http.py"
    assert [(use.name, use.call_id, use.input) for use in message.tools] == [
        ("Read", "t1", '{"file_path":"/a/ü.py","limit":3}')
    ]
    assert (message.said_at, message.utc_offset, message.external_id) == ("2025-11-01T10:00:00.000Z", 0, "u-1")


def test_a_tool_result_alone_is_a_tools_message(entries):
    result = {
        "type": "tool_result",
        "tool_use_id": "t1",
        "is_error": True,
        "content": [{"type": "text", "text": "boom"}],
    }
    message = one(entries, record(content=[result])).message
    assert (message.role, message.content) == ("tool", "")
    assert [(use.call_id, use.output, use.is_error) for use in message.tools] == [("t1", "boom", True)]
    beside = one(entries, record(content=[result, {"type": "text", "text": "go on"}])).message
    assert (beside.role, beside.content, len(beside.tools)) == ("user", "go on", 1)


def test_what_is_not_kept_is_reported(tally):
    image = {"type": "image", "source": {"type": "base64", "data": "iVBOR"}}
    pictured = {"type": "tool_result", "tool_use_id": "t", "content": [image]}
    document = {"type": "document", "source": {}}
    found = tally(
        read(stream(record(content=[image]), record(content=[pictured]), record(content=[document, image])), JSONL)
    )
    assert found == {
        "dropped image": 3,
        "dropped document": 1,
        "image only": 1,
        "document and image only": 1,
        "tool": 1,
    }


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ""),
        ({"content": "<command-name>/clear</command-name>"}, "command"),
        ({"content": "\n  <command-message>x</command-message>"}, "command"),
        ({"content": "<local-command-stdout>ok</local-command-stdout>"}, "command"),
        (
            {"content": "Caveat: The messages below were generated by the user while running local commands. DO"},
            "command",
        ),
        ({"content": "This session is being continued from a previous conversation that"}, "compaction summary"),
        ({"content": "Summary of it all", "isCompactSummary": True}, "compaction summary"),
        ({"content": "[Request interrupted by user]"}, "interruption"),
        ({"content": "<system-reminder>x</system-reminder>real question"}, ""),
        ({"content": "what does <command-name> mean?"}, ""),
        ({"kind": "assistant", "content": "API Error: 500", "isApiErrorMessage": True}, "api error"),
        ({"kind": "assistant", "content": "<command-name> is a tag"}, ""),
    ],
)
def test_automated_messages_are_stored_and_marked(fields, expected, entries):
    message = one(entries, record(**fields)).message
    assert message.automated == expected
    assert message.content == fields.get("content", "hello there")


def test_what_was_typed_while_the_agent_worked_is_stored(entries, tally):
    attachment = {"type": "queued_command", "prompt": "also fix the tests", "commandMode": "prompt"}
    queued = {"type": "attachment", "uuid": "q", "sessionId": SESSION, "attachment": attachment}
    found = one(entries, queued)
    assert (found.message.role, found.message.content) == ("user", "also fix the tests")
    queued["attachment"] = attachment | {"commandMode": "task-notification"}
    assert tally(read(stream(queued), JSONL)) == {"bookkeeping: attachment": 1}


@pytest.mark.parametrize(
    ("item", "reason", "detail"),
    [
        ({"type": "user", "message": "error"}, "invalid content", "$.message"),
        (record(content=[{"type": "text", "text": "a"}, 5]), "invalid content", "$.message.content"),
        ({"type": "user", "sessionId": "s"}, "no content", "message.content"),
        ({"type": "user", "message": {"contenst": "x"}}, "no content", "message.content"),
        ({"silly": "this"}, "unknown type: none", ""),
        ({"type": "news", "message": "free text"}, "unknown type: news", ""),
        ([1, 2], "not an object", ""),
        ("{broken", "malformed JSON", ""),
        ("[" * 100_000, "malformed JSON", ""),
    ],
)
def test_what_cannot_be_read_is_an_issue_with_its_line(item, reason, detail):
    skips = [found for found in read(stream(record(), "", item, record()), JSONL) if isinstance(found, Skip)]
    assert [(skip.reason, skip.line, skip.issue) for skip in skips] == [(reason, 3, True)]
    assert detail in skips[0].detail


def test_bookkeeping_is_skipped_however_it_looks(tally):
    odd = {"type": "system", "message": "free text", "attachment": 3}
    assert tally(read(stream(odd), JSONL)) == {"bookkeeping: system": 1}


def test_odd_metadata_does_not_cost_the_message(entries):
    odd = one(entries, record(uuid=7, cwd=["x"], sessionId=None, timestamp={}, isSidechain="no", isMeta=0, agentId=1))
    assert odd.message.content == "hello there"
    assert odd.message.said_at is None
    assert odd.identity.startswith("claude-code:")


def test_times_that_say_nothing_stay_unknown(edge, entries):
    times = [(e.message.said_at, e.message.utc_offset) for e in entries(read(edge / "cc_bad_timestamps.jsonl"))]
    assert times == [
        (None, None),
        ("2025-11-01T12:26:40.000Z", None),
        (None, None),
        ("2025-11-01T01:00:00.000Z", 540),
        ("9999-12-31T23:59:59.000Z", 0),
    ]


def test_broken_characters_become_replacement_characters(edge, entries):
    texts = [e.message.content for e in entries(read(edge / "cc_lone_surrogate_escape.jsonl"))]
    assert texts[-1] == "broken emoji \ufffd end, NUL \ufffd end"
    texts = [e.message.content for e in entries(read(edge / "cc_invalid_utf8.jsonl"))]
    assert texts[-1] == "caf\ufffd latin1 byte"


def test_identity_is_the_uuid_wherever_it_stands(entries):
    first = one(entries, record(), name="a")
    copy = one(entries, record(sessionId="other"), name="b")
    assert first.identity == copy.identity == "claude-code:u-1"
    assert first.conversation.external_id != copy.conversation.external_id


def test_without_uuids_equal_messages_are_numbered(entries):
    bare = record(uuid=None)
    identities = [e.identity for e in entries(read(stream(bare, bare, record(content="x", uuid=None)), JSONL))]
    assert len(set(identities)) == 3
    assert identities == [e.identity for e in entries(read(stream(bare, bare, record(content="x", uuid=None)), JSONL))]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f", "0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f"),
        ("notes", SESSION),
        ("agent-7", "agent-7"),
    ],
)
def test_conversation_is_named_by_uuid_stem_or_session(name, expected, entries):
    assert one(entries, record(), name=name).conversation.external_id == expected
    assert one(entries, record(sessionId=None), name=name).conversation.external_id == (
        expected if expected != SESSION else name
    )


@pytest.mark.parametrize(
    ("cwd", "project"),
    [("/home/dev/proj", "proj"), ("/home/dev/proj/", "proj"), (r"C:\Users\dev\my app", "my app"), ("/", ""), ("", "")],
)
def test_project_is_the_last_part_of_cwd(cwd, project, entries):
    conversation = one(entries, record(cwd=cwd)).conversation
    assert (conversation.cwd, conversation.project) == (cwd, project)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ([], "hello there"),
        ([{"type": "summary", "summary": "Retry config", "leafUuid": "x"}], "Retry config"),
        ([{"type": "ai-title", "aiTitle": "By a model", "sessionId": "s"}], "By a model"),
        ([{"type": "custom-title", "customTitle": "By hand", "sessionId": "s"}], "By hand"),
        ([record(content="<command-name>/clear</command-name>")], "hello there"),
        ([record(content="from meta", isMeta=True), record("assistant", "hi")], "hello there"),
        ([record(content="<system-reminder>a\nb</system-reminder> which DB?")], "which DB?"),
        ([record(content="x" * 300)], "x" * 100),
    ],
)
def test_title_is_given_or_the_first_thing_a_person_says(before, expected, entries):
    titles = {e.conversation.title for e in entries(read(stream(*before, record()), JSONL))}
    assert titles == {expected}


def test_sidechains_are_conversations_of_their_own_when_asked_for(edge, entries):
    found = entries(read(edge / "cc_sidechain_mixed.jsonl", subagents=True))
    assert Counter(e.conversation.external_id for e in found) == {SESSION: 4, f"{SESSION}/sidechain": 2}
    assert [e.message.automated for e in found if e.conversation.external_id != SESSION] == ["sub-agent prompt", ""]


def test_appended_lines_alone_are_read_on(tmp_path, entries):
    path = tmp_path / "session.jsonl"
    path.write_bytes(stream(record(uuid="a", content="first question"), record("assistant", "b", uuid="b")).getvalue())
    progress = Progress()
    first = entries(read(path, JSONL, progress=progress))
    assert (progress.offset, progress.lines) == (path.stat().st_size, 2)
    assert entries(read(path, JSONL, progress=progress)) == []
    with path.open("ab") as file:
        file.write(stream(record(uuid="c", sessionId="resumed")).getvalue())
    second = entries(read(path, JSONL, progress=progress))
    assert [(e.identity, e.line) for e in second] == [("claude-code:c", 3)]
    assert second[0].conversation == first[0].conversation
    assert (progress.offset, progress.lines) == (path.stat().st_size, 3)


def test_a_half_written_line_is_read_once_it_is_complete(tmp_path, entries):
    path = tmp_path / "session.jsonl"
    whole = stream(record(uuid="a"), record(uuid="b", content="the second, cut at every byte: ü")).getvalue()
    start = whole.index(b"\n") + 1
    for cut in range(start + 1, len(whole)):
        path.write_bytes(whole[:cut])
        progress = Progress()
        seen = list(read(path, JSONL, progress=progress))
        assert (progress.offset, progress.lines) == (start, 1)
        path.write_bytes(whole)
        rest = entries(read(path, JSONL, progress=progress))
        assert [e.identity for e in rest] == ["claude-code:b"]
        assert progress.offset == len(whole)
        complete = cut == len(whole) - 1  # only the line end is missing: a record already
        assert [type(item) for item in seen] == [Entry, Entry if complete else Skip]
        if not complete:
            assert seen[1].reason == "incomplete last line"


def test_progress_stays_before_records_not_taken():
    progress = Progress()
    items = read(stream(record(uuid="a"), record(uuid="b")), JSONL, progress=progress)
    next(items)
    assert progress.offset == 0
    next(items)
    assert progress.lines == 1


FIELDS = st.sampled_from(
    ["type", "message", "content", "text", "uuid", "attachment", "prompt", "cwd", "timestamp", "x"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4),
    max_leaves=12,
)
RECORDS = st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "assistant", "system", "attachment"])},
    optional={"message": JSON, "uuid": JSON, "attachment": JSON},
).map(lambda value: json.dumps(value).encode())


@given(st.lists(st.binary(max_size=40) | RECORDS | JSON.map(lambda value: json.dumps(value).encode()), max_size=8))
def test_any_bytes_are_accounted_for(lines):
    data = b"\n".join(lines)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return  # UTF-16 is counted in its own lines
    fates = [item for item in read(io.BytesIO(data), JSONL) if not isinstance(item, DroppedBlock)]
    text = data.removeprefix(b"\xef\xbb\xbf")
    assert len(fates) == sum(bool(line.strip()) for line in text.split(b"\n"))
    for item in fates:
        if isinstance(item, Entry):
            item.message.content.encode()
            assert "\0" not in item.message.content
