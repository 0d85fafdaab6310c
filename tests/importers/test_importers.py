import io
import json
import shutil
import sys

import pytest

from memlite.importers import Format, detect, identify, read, walk
from memlite.types.transcript import Skip

REAL = {
    "transcripts/claude-code/full-session-two.jsonl": ("claude-code", "jsonl"),
    "transcripts/claude-code-single/user-image.jsonl": ("claude-code", "jsonl"),
    "transcripts/other/agent-sessions/claude-small.jsonl": ("claude-code", "jsonl"),
    "transcripts/other/claude-code-log/edge_cases.jsonl": ("claude-code", "jsonl"),
    "transcripts/other/claude-code-transcripts/sample_session.json": ("claude-code", "json"),
    "transcripts/other/claude-code-transcripts/sample_session.jsonl": ("claude-code", "jsonl"),
    "locomo/locomo3.json": ("locomo", "json"),
    "longmemeval/haystack4.json": ("longmemeval", "json"),
    "coding_history/messages.jsonl": ("generic", "jsonl"),
}


@pytest.mark.parametrize(("path", "expected"), REAL.items())
def test_formats_are_told_by_content_under_any_name(path, expected, shared, tmp_path):
    renamed = tmp_path / "x7Kq.tmp"
    shutil.copy(shared / path, renamed)
    found = detect(renamed)
    assert (found.source, found.layout) == expected
    assert detect(io.BytesIO(renamed.read_bytes())) is found


FOREIGN = [
    "edge/chatgpt_bom_utf16.json",
    "edge/chatgpt_conversations.json",
    "edge/chatgpt_single_object.json",
    "edge/chatgpt_truncated.json",
    "edge/claude_ai_conversations.json",
    "edge/codex_legacy_no_envelope.jsonl",
    "edge/codex_mixed.jsonl",
    "edge/gemini_session.json",
    "transcripts/chatgpt/*",
    "transcripts/codex/*",
    "transcripts/gemini/*",
    "transcripts/other/agent-sessions/c[ou]*.jsonl",
    "transcripts/other/agent-sessions/gemini*",
    "transcripts/other/polylogue/claude-ai-export.json",
    "precisionmembench/*.json",
    "locomo/queries3.jsonl",
]


@pytest.mark.parametrize("pattern", FOREIGN)
def test_other_formats_are_reported_and_never_mistaken(pattern, shared):
    paths = sorted(shared.glob(pattern))
    assert paths
    for path in paths:
        assert detect(path) is None
        assert [(item.reason, item.issue) for item in read(path)] == [("unrecognised format", True)]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty file"),
        (b" \r\n\t", "empty file"),
        (b"\xef\xbb\xbf\n", "empty file"),
        (b"# Notes\n\nprose", "not a transcript"),
        (b"[sic] prose", "not a transcript"),
        (b"\x89PNG\r\n\x1a\n\0\0", "not a transcript"),
        (b"SQLite format 3\0", "not a transcript"),
        (b"[" * 50_000, "unrecognised format"),
        (b'{"a":' * 50_000, "unrecognised format"),
        (b'{"name": "package"}', "unrecognised format"),
        (b'{"metadata":{"session_id":"v"},"messages":[{"role":"user","content":"vibe"}]}', "unrecognised format"),
    ],
)
def test_what_is_no_transcript_says_why(data, reason):
    assert identify(io.BytesIO(data)).reason == reason
    assert [item.reason for item in read(io.BytesIO(data))] == [reason]


def test_a_first_line_longer_than_the_head_is_recognised(tmp_path, tally):
    record = {"type": "user", "message": {"role": "user", "content": "x" * 600_000}, "uuid": "u"}
    path = tmp_path / "long"
    path.write_text(json.dumps({"sessionId": "s"} | record) + "\n")
    assert tally(read(path)) == {"user": 1}
    path.write_text(json.dumps({"role": "user", "content": "x" * 600_000}) + "\n")
    assert (detect(path).source, tally(read(path))) == ("generic", {"user": 1})


def test_garbage_before_the_first_record_does_not_hide_the_format(tmp_path, edge):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"<<<<<<< HEAD\n[1]\n" + (edge / "cc_crlf.jsonl").read_bytes())
    assert detect(path).source == "claude-code"
    path.write_bytes(b'<<<<<<< HEAD\n{"role":"user","content":"hi"}\n')
    assert detect(path).source == "generic"


def test_place_decides_where_content_does_not(tmp_path):
    folder = tmp_path / ".claude" / "projects" / "-home-dev"
    folder.mkdir(parents=True)
    for path in (folder / "s.jsonl", tmp_path / "s.jsonl", folder / "s.txt"):
        path.write_text('{"type":"some-future-type"}\n')
    assert detect(folder / "s.jsonl").source == "claude-code"
    assert detect(tmp_path / "s.jsonl") is None
    assert detect(folder / "s.txt") is None


@pytest.fixture
def projects(tmp_path, edge):
    session = (edge / "cc_crlf.jsonl").read_bytes()
    side = (edge / "cc_sidechain_mixed.jsonl").read_bytes()
    for name in (
        "b/1.jsonl",
        "b/1/subagents/agent-1.jsonl",
        "a/2.jsonl",
        "a/agent-2.jsonl",
        "a/2/tool-results/t.jsonl",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(side if "agent" in name else session)
    (tmp_path / "b/1/subagents/agent-1.meta.json").write_text('{"agentType":"x"}')
    (tmp_path / "a/sessions-index.json").write_text('{"entries":[]}')
    (tmp_path / "a/memory.md").write_text("# memory")
    (tmp_path / "a/empty.jsonl").touch()
    (tmp_path / "a/package.json").write_text('{"name":"x"}')
    return tmp_path


def walked(root, **options):
    return [
        (path.relative_to(root).as_posix(), fate.source if isinstance(fate, Format) else fate.reason)
        for path, fate in walk(root, **options)
    ]


def test_a_walk_says_what_becomes_of_every_file_in_order(projects):
    found = walked(projects)
    assert found == [
        ("a/2.jsonl", "claude-code"),
        ("a/agent-2.jsonl", "sub-agent file"),
        ("a/empty.jsonl", "empty file"),
        ("a/memory.md", "not a transcript"),
        ("a/package.json", "unrecognised format"),
        ("a/sessions-index.json", "not a transcript"),
        ("a/2/tool-results/t.jsonl", "tool-result file"),
        ("b/1.jsonl", "claude-code"),
        ("b/1/subagents/agent-1.jsonl", "sub-agent file"),
        ("b/1/subagents/agent-1.meta.json", "sub-agent file"),
    ]
    assert len(found) == sum(path.is_file() for path in projects.rglob("*"))


def test_sub_agents_come_along_when_asked_for(projects, entries):
    found = dict(walked(projects, subagents=True))
    assert found["b/1/subagents/agent-1.jsonl"] == found["a/agent-2.jsonl"] == "claude-code"
    assert found["a/2/tool-results/t.jsonl"] == "tool-result file"
    said = entries(read(projects / "a/agent-2.jsonl", subagents=True))
    assert {e.conversation.external_id for e in said} == {"agent-2"}


def test_sub_agent_files_are_not_opened(projects):
    (projects / "a/agent-2.jsonl").unlink()
    (projects / "a/agent-2.jsonl").symlink_to(projects / "nowhere")
    assert dict(walked(projects))["a/agent-2.jsonl"] == "sub-agent file"


def test_a_named_file_is_judged_by_its_content(projects):
    path = projects / "b/1/subagents/agent-1.jsonl"
    assert [(found, fate.source) for found, fate in walk(path)] == [(path, "claude-code")]


def test_what_cannot_be_opened_is_an_issue(tmp_path):
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    for root in (tmp_path, tmp_path / "gone.jsonl"):
        fates = [fate for _, fate in walk(root)]
        assert [(fate.reason, fate.issue) for fate in fates] == [("unreadable", True)]


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes in folders")
def test_a_pipe_is_not_opened(tmp_path):
    import os

    os.mkfifo(tmp_path / "pipe")
    assert [fate for _, fate in walk(tmp_path)] == [Skip("not a transcript", detail="not a regular file")]
