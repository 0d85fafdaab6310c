"""Objects made elsewhere: out as lines, in as lines, each line accounted for and none trusted."""

import io
import json

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlite.errors import EmbedderMismatch
from memlite.memory import Memory
from memlite.memory.external import Incoming, Outgoing
from memlite.types.palace import Room
from memlite.types.report import Issue
from tests.embedders import WordEmbedder
from tests.generators import CallingGenerator
from tests.memory.conftest import BETTER, add_billing, better


@pytest.fixture
def store(memory):
    add_billing(memory, range(4))
    memory.distill()
    return memory


def export(memory, **how):
    stream = io.BytesIO()
    count = memory.export_waiting(stream, **how)
    lines = stream.getvalue().splitlines()
    assert count == len(lines)
    return lines


def take(memory, *lines):
    """Import lines: bytes, or values to be written as JSON."""
    written = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    report = memory.import_objects(io.BytesIO(b"\n".join(written)), name="objects.jsonl")
    parts = report.improved, sum(report.kept.values()), sum(report.refused.values())
    assert sum(parts) == report.lines_in
    assert len(report.issues) == parts[2]
    return report


def line(id, **fields):
    number = id - 1
    return {"exchange_id": id, "exchange_core": BETTER.format(number, number, number), **fields}


def test_what_waits_is_written_most_useful_first_and_always_alike(store):
    lines = export(store)
    assert lines == export(store)
    found = [msgspec.json.decode(each, type=Outgoing) for each in lines]
    assert [each.exchange_id for each in found] == [4, 3, 2, 1]
    for each in found:
        view = store.get(each.exchange_id)
        assert each.object.exchange_core == view.object.exchange_core
        assert all(message.content in each.text for message in view.messages)
        assert each.conversation == view.conversation
    assert found[0].wanted["rooms"] == {
        "what": "narrow topics, their labels in words of the exchange",
        "min": 1,
        "max": 3,
        "types": ["file", "concept", "workflow"],
        "max_label_chars": found[0].wanted["rooms"]["max_label_chars"],
    }


def test_out_and_in_again(store, con):
    def answer(raw):
        given = json.loads(raw)
        made = json.loads(better(type("Prompt", (), {"text": given["text"]})))
        made["rooms"] = [{**room, "key": ""} for room in made["rooms"]]
        return {"exchange_id": given["exchange_id"], "digest": given["digest"], "model": "by hand", **made}

    report = take(store, *map(answer, export(store)))
    assert (report.lines_in, report.improved, report.kept, report.refused) == (4, 4, {}, {})
    assert report.fields["exchange_core"] == {"improved": 4}
    for id in range(1, 5):
        made = store.get(id).object
        assert (made.exchange_core, made.engine) == (BETTER.format(id - 1, id - 1, id - 1), "external")
        assert {(room.type, room.key) for room in made.rooms} == {("concept", "old-exporter")}
    assert con.execute("select distinct engine, model from palace_object").fetchall() == [("external", "by hand")]
    assert con.execute("select distinct engine, model, name from upgrade").fetchall() == [
        ("external", "by hand", "by hand")
    ]
    status = store.status()
    assert status.objects == {"extractive": 0, "gguf": 0, "external": 4}
    assert (status.tasks.pending, status.upgrades.improved) == (0, 4)
    assert store.search("billing").coverage.embedded == 4
    assert export(store) == []
    assert len(export(store, upgrade=True)) == 4
    again = take(store, line(1, specific_context="Port 0 was taken", rooms=[]))
    assert again.kept == {"rooms: empty": 1}


def test_an_object_of_an_unchanged_line_is_written_nowhere(store, con):
    before = con.execute("select * from palace_object").fetchall()
    made = store.get(1).object
    rooms = [msgspec.to_builtins(room) for room in made.rooms]
    same = {"exchange_core": made.exchange_core, "specific_context": made.specific_context, "rooms": rooms}
    report = take(store, {"exchange_id": 1, **same})
    assert (report.kept, report.fields["rooms"]) == ({"same": 1}, {"same": 1})
    assert con.execute("select * from palace_object").fetchall() == before


def test_limit_and_project_narrow_what_goes_out(store):
    add_billing(store, range(4, 6), project="app")
    store.distill()
    assert [json.loads(each)["exchange_id"] for each in export(store, project="app")] == [6, 5]
    assert len(export(store, limit=3)) == 3
    assert export(store, limit=0) == []


def test_what_is_not_distilled_yet_does_not_go_out(memory):
    add_billing(memory, range(2))
    assert export(memory) == []


BAD = [
    (b"{oops", "malformed JSON"),
    (b"\xff\xfe\xfd", "malformed JSON"),
    (b"[1, 2]", "not an object"),
    (b"null", "not an object"),
    (b"{}", "invalid content"),
    ({"exchange_id": "1"}, "invalid content"),
    ({"exchange_id": 0}, "invalid content"),
    ({"exchange_id": 10**30}, "invalid content"),
    ({"exchange_id": 1, "exchange_core": 5}, "invalid content"),
    ({"exchange_id": 1, "rooms": [{"type": "attic", "key": "a", "label": "a"}]}, "invalid content"),
    ({"exchange_id": 1, "rooms": [{"type": "concept"}]}, "invalid content"),
    ({"exchange_id": 99}, "no such object"),
    ({"exchange_id": 1, "digest": "of another text"}, "changed since it was exported"),
]


@pytest.mark.parametrize(("bad", "reason"), BAD)
def test_a_bad_line_is_refused_by_number_and_stops_no_other(store, bad, reason):
    report = take(store, line(1), bad, line(2))
    assert (report.improved, report.refused) == (2, {reason: 1})
    (issue,) = report.issues
    assert (issue.path, issue.line) == ("objects.jsonl", 2)
    assert issue.reason.startswith(reason)


def test_a_line_that_is_still_being_written(store):
    assert take(store, line(1), b'{"exchange_id": 2, "exch').refused == {"incomplete last line": 1}


def test_blank_lines_a_mark_and_other_line_ends_are_no_matter(store):
    data = b"\xef\xbb\xbf" + json.dumps(line(1)).encode() + b"\r\n\r\n" + json.dumps(line(9)).encode() + b"\r\n"
    report = store.import_objects(io.BytesIO(data))
    assert (report.lines_in, report.improved) == (2, 1)
    assert report.issues == (Issue("stdin", 3, "no such object: exchange 9 is not in the store or not distilled"),)


def test_what_was_never_said_is_not_taken(store):
    report = take(store, {"exchange_id": 1, "exchange_core": "Mallory rebooted 99 hosts in Reykjavik."})
    (reason,) = report.kept
    assert reason.startswith("exchange_core: ")
    assert store.get(1).object.engine == "extractive"
    assert store.status().upgrades.tried == 1


def test_an_exchange_that_has_changed_is_refused(store):
    first = export(store)[0]
    id = json.loads(first)["exchange_id"]
    store.add([{"role": "assistant", "content": "And it is free again."}], conversation=f"c{id - 1}")
    store.distill()
    digest = json.loads(first)["digest"]
    assert take(store, line(id, digest=digest)).refused == {"changed since it was exported": 1}
    assert take(store, line(id)).improved == 1


def test_a_model_at_work_finds_that_it_was_overtaken(store):
    def overtake(prompt):
        with Memory(store.path, embedder=WordEmbedder()) as other:
            number = int(prompt.text.split("deployment ")[1].split()[0])
            assert take(other, line(number + 1, model="by hand")).improved == 1
        return better(prompt)

    with Memory(store.path, embedder=WordEmbedder(), generator=CallingGenerator(overtake)) as other:
        report = other.distill(engine="gguf", limit=1)
    assert report.upgrades.tried == 0
    assert store.status().objects == {"extractive": 3, "gguf": 0, "external": 1}


def test_a_store_that_changes_meanwhile_is_read_again(store, con):
    class Adding(WordEmbedder):
        """Something is said between the reading and the writing, once."""

        def embed(self, texts):
            if not self.embedded:
                with Memory(store.path, embedder=WordEmbedder()) as other:
                    other.add([{"role": "assistant", "content": "It is free again."}], conversation="c0")
                    other.distill(embed=False)
            return super().embed(texts)

    with Memory(store.path, embedder=Adding()) as other:
        assert take(other, line(1)).improved == 1
    assert store.get(1).object.engine == "external"
    last = con.execute("select max(id) from message").get
    assert last in [message.id for message in store.get(1).messages]


def test_vectors_of_another_model_are_refused_first(store):
    with Memory(store.path, embedder=WordEmbedder("another")) as other, pytest.raises(EmbedderMismatch):
        take(other, line(1))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
ROOM = st.fixed_dictionaries(
    {"type": st.sampled_from(["file", "concept", "workflow"]) | JSON, "key": st.text(), "label": st.text()},
    optional={"relevance": st.floats() | JSON},
)
NEARLY = st.fixed_dictionaries(
    {"exchange_id": st.integers(-1, 6)},
    optional={
        "exchange_core": st.text() | JSON,
        "specific_context": st.text() | JSON,
        "rooms": st.lists(ROOM, max_size=5) | JSON,
        "model": st.text() | JSON,
        "digest": st.text() | JSON,
    },
)
LINES = st.lists((JSON | NEARLY).map(lambda value: json.dumps(value).encode()) | st.binary(max_size=40), max_size=6)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=LINES)
def test_whatever_comes_in_is_accounted_for_and_leaves_no_junk(store, lines):
    data = b"\n".join(lines)
    report = store.import_objects(io.BytesIO(data))
    assert report.lines_in == report.improved + sum(report.kept.values()) + sum(report.refused.values())
    assert len(report.issues) == sum(report.refused.values())
    for id in range(1, 5):
        view = store.get(id)
        said = " ".join(message.content for message in view.messages)
        assert view.object.specific_context in said
        assert 1 <= len(view.object.rooms) <= 3
        assert all(isinstance(room, Room) and 0 <= room.relevance <= 1 for room in view.object.rooms)
    assert store.status().accounts.distilled == 4
    assert store._store.con.execute("pragma foreign_key_check").fetchall() == []


def test_a_line_knows_the_fields_it_may_have():
    assert set(Incoming.__struct_fields__) == {
        *("exchange_id", "exchange_core", "specific_context", "rooms", "model", "digest")
    }
