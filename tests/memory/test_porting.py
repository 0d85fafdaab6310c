"""Export and import: nothing is lost, nothing is made up, and equal stores give equal bytes."""

import io
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlite.errors import BadTranscript
from memlite.memory import Memory
from tests.cli.conftest import SAMPLES
from tests.embedders import WordEmbedder
from tests.memory.conftest import add_billing

TOOLS = [
    {"role": "user", "content": "Which port does the exporter listen on, and why was it moved in May?"},
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "It listens on port 6543, moved for the firewall."},
            {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/etc/exporter.toml"}},
        ],
    },
    {"role": "tool", "tool_call_id": "t1", "content": "port = 6543 # zyzzyva"},
]


@pytest.fixture
def rich(memory):
    """A store with records, rooms, tool calls, two formats and an unfinished queue."""
    memory.import_path(SAMPLES / "friends.jsonl")
    memory.add(TOOLS, conversation="tools", project="ops")
    memory.distill()
    add_billing(memory, range(3), project="app")
    return memory


@pytest.fixture
def empty(tmp_path, embedder):
    with Memory(tmp_path / "other.db", embedder=embedder) as other:
        yield other


def exported(memory, **scope):
    stream = io.BytesIO()
    memory.export_store(stream, **scope)
    return stream.getvalue()


def imported(memory, data):
    return memory.import_stream(io.BytesIO(data))


def rows(data, table):
    return [line["values"] for line in map(json.loads, data.splitlines()) if line.get("table") == table]


def test_export_import_export_is_byte_identical(rich, empty):
    first = exported(rich)
    report = imported(empty, first)
    assert report.stored == report.records_in == rich.status().messages
    assert (report.duplicate, report.skipped, report.dropped, report.issues) == (0, {}, {}, ())
    assert exported(empty) == first


def test_an_import_is_searched_like_the_store_it_comes_from(rich, empty):
    imported(empty, exported(rich))
    rich.distill()
    empty.distill()
    for question in ("exporter port", "Who is coming on Sunday?", "the billing service failed"):
        found = [
            [(hit.text, round(hit.score, 6)) for hit in memory.search(question, asked_at=None)]
            for memory in (rich, empty)
        ]
        assert found[0] == found[1]
        assert found[0], question


def test_importing_into_the_same_store_changes_nothing(rich):
    before = exported(rich)
    report = imported(rich, before)
    assert (report.stored, report.duplicate, report.dropped) == (0, report.records_in, {})
    assert exported(rich) == before
    assert rich.distill().distilled == 6 // 2


def test_verbatim_is_exact(rich, empty, con):
    imported(empty, exported(rich))
    verbatim = """
    select conversation.external_id, seq, ply, role, speaker, content, thinking, automated, said_at, utc_offset,
           message.external_id, identity, message.added_at, call_id, name, input, output, is_error
    from message join conversation on conversation.id = conversation_id left join tool_use on message_id = message.id
    order by conversation_id, seq, tool_use.id
    """
    before = con.execute(verbatim).fetchall()
    assert empty._store.con.execute(verbatim).fetchall() == before
    assert any(row[-4] == "Read" for row in before)


def test_the_transcript_an_export_came_from_is_known_too(rich, empty):
    imported(empty, exported(rich))
    report = empty.import_path(SAMPLES / "friends.jsonl")
    assert (report.stored, report.skipped) == (0, {})


def test_a_conversation_that_has_grown_here_stays_and_gains_what_it_lacks(memory, empty, talk):
    memory.add([{**message, "id": f"m{i}"} for i, message in enumerate(talk(*LINES[:4]))], conversation="c")
    memory.distill()
    imported(empty, exported(memory))
    empty.distill()
    memory.add([{"role": "user", "content": LINES[4], "id": "m4"}], conversation="c")
    empty.add([{"role": "user", "content": "Only said over here, about the tide gauge.", "id": "x"}], conversation="c")
    memory.distill()
    report = imported(empty, exported(memory))
    assert (report.stored, report.duplicate) == (1, 4)
    empty.distill()
    said = empty._store.con.execute("select content from message order by seq").fetchall()
    assert [text for (text,) in said] == [*LINES[:4], "Only said over here, about the tide gauge.", LINES[4]]
    assert empty.search("heron", mode="verbatim")
    assert [found.severity for found in Memory.examine(empty.path, embedder=WordEmbedder()).findings].count("ok") >= 7


LINES = (
    "Which violin strings suit a dry garden room in the summer months?",
    "Gut strings suit it best, tuned twice a day there.",
    "Why does the connection pool of the harbour service time out?",
    "The pool size was five, and twelve workers share it.",
    "A heron stood on the roof of the boat house this morning.",
)


def test_parts_are_exported_alone(rich, empty):
    one = exported(rich, conversation="tools")
    assert [row["external_id"] for row in rows(one, "conversation")] == ["tools"]
    assert rows(one, "ledger") == []
    assert "tail_offset" not in rows(one, "source")[0]
    report = imported(empty, one)
    assert (report.stored, report.conversations) == (3, 1)
    assert exported(empty, conversation="tools") == one
    assert len(rows(exported(rich, project="app"), "conversation")) == 3
    assert rows(exported(rich, project="nothing such"), "conversation") == []


def test_an_export_holds_nothing_of_the_moment(rich, empty):
    data = exported(rich)
    for task in rows(data, "task"):
        assert task["state"] != "running"
        assert not {"owner", "lease_until"} & set(task)
    assert data == exported(rich)


def test_a_cut_off_export_gives_whole_messages_and_an_issue(rich, empty):
    data = exported(rich)
    report = imported(empty, data[: len(data) // 2])
    assert report.records_in == report.stored + sum(report.skipped.values())
    assert report.skipped["incomplete export"] == 1
    assert any("last line is missing" in issue.reason for issue in report.issues)
    again = imported(empty, data)
    assert again.stored + again.duplicate == rich.status().messages
    assert "incomplete export" not in again.skipped
    empty.distill()
    assert all(found.severity != "error" for found in Memory.examine(empty.path, embedder=WordEmbedder()).findings)


def test_what_was_forgotten_does_not_come_back(rich):
    data = exported(rich)
    before = rich.status().messages
    rich.forget(conversation="tools")
    report = imported(rich, data)
    assert report.skipped == {"forgotten": 3}
    assert rich.status().messages == before - 3
    assert not rich.search("zyzzyva", mode="verbatim")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{oops", "malformed JSON"),
        (b'{"hello": 1}', "not a row"),
    ],
)
def test_a_line_that_is_no_row_is_an_issue(rich, empty, line, reason):
    first, *rest = exported(rich).splitlines()
    report = imported(empty, b"\n".join([first, line, *rest]) + b"\n")
    assert report.skipped == {reason: 1}
    assert exported(empty) == exported(rich)


def test_a_newer_export_is_refused(empty):
    with pytest.raises(BadTranscript, match="Upgrade"):
        imported(empty, b'{"memlite_export": 99, "schema": 3}\n')


HOSTILE = st.sampled_from(["x", 7, -1, 1 << 70, None, [], {}, 1.5, "sqlite_schema", "'; drop table message; --", "\0"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_tampered_export_breaks_nothing(rich, tmp_path_factory, data):
    lines = exported(rich).splitlines()
    number = data.draw(st.integers(1, len(lines) - 2))
    row = json.loads(lines[number])
    row["values"][data.draw(st.sampled_from([*row["values"], "rowid", "id"]))] = data.draw(HOSTILE)
    lines[number] = json.dumps(row).encode()
    path = tmp_path_factory.mktemp("tampered") / "memory.db"
    with Memory(path, embedder=WordEmbedder()) as other:
        report = imported(other, b"\n".join(lines))
        assert report.records_in == report.stored + report.duplicate + sum(report.skipped.values())
        other.distill()
    found = Memory.examine(path, embedder=WordEmbedder()).findings
    assert [one.check for one in found if one.severity == "error"] == []
