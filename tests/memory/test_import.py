"""Imports: what is new is read, everything is accounted for, nothing is stored twice."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlite.errors import BadTranscript
from memlite.memory import Memory
from tests.embedders import WordEmbedder

ROLES = ("user", "assistant")


def line(i, text=None):
    role = ROLES[i % 2]
    content = text or f"{role} line {i} about the connection pool and its timeouts"
    record = {"type": role, "uuid": f"u{i}", "sessionId": "s1", "cwd": "/home/ana/app"}
    record |= {"timestamp": f"2026-05-03T10:{i:02}:00Z", "message": {"role": role, "content": content}}
    return json.dumps(record) + "\n"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "session.jsonl"


def sums(report):
    assert report.records_in == report.stored + report.duplicate + sum(report.skipped.values())
    return report.records_in, report.stored, report.duplicate


def dump(memory):
    con = memory._store.con
    return [
        con.execute("select seq, ply, role, content, said_at from message order by conversation_id, seq").fetchall(),
        con.execute("select ply_start, ply_end, seq_start, seq_end, automated from exchange order by id").fetchall(),
    ]


def test_the_same_file_again_adds_nothing(memory, file):
    file.write_text("".join(map(line, range(6))))
    assert sums(memory.import_path(file)) == (6, 6, 0)
    before = dump(memory)
    assert sums(memory.import_path(file)) == (6, 0, 6)
    assert dump(memory) == before
    assert memory.status().tasks.pending == 3


def test_a_copy_of_the_file_adds_nothing(memory, file, tmp_path):
    file.write_text("".join(map(line, range(6))))
    memory.import_path(file)
    copy = tmp_path / "resumed.jsonl"
    copy.write_text("".join(map(line, range(8))))
    assert sums(memory.import_path(copy)) == (8, 2, 6)
    assert memory.status().messages == 8


def test_a_line_more_is_one_message_more(memory, file):
    file.write_text("".join(map(line, range(5))))
    memory.import_path(file)
    with file.open("a") as stream:
        stream.write(line(5))
    assert sums(memory.import_path(file)) == (6, 1, 5)
    assert memory.status().messages == 6
    assert memory.status().exchanges == 3


def test_a_growing_file_ends_as_one_clean_run(memory, file, tmp_path):
    for end in (1, 2, 5, 6, 9):
        file.write_text("".join(map(line, range(end))))
        memory.import_path(file)
    with Memory(tmp_path / "clean.db", embedder=WordEmbedder()) as clean:
        clean.import_path(file)
        assert dump(memory) == dump(clean)


def test_what_grows_is_distilled_and_embedded_again_and_nothing_else(memory, file, embedder):
    file.write_text("".join(map(line, range(7))))
    memory.import_path(file)
    memory.distill()
    old = memory.search("line 6", mode="distilled", limit=20)
    assert old.coverage.embedded == 4
    embedder.embedded.clear()
    with file.open("a") as stream:
        stream.write(line(7, "The answer: raise max_connections to 20, said the database."))
    memory.import_path(file)
    assert memory.status().tasks.pending == 1
    last = memory.search("max_connections", mode="verbatim")[0]
    assert last.object is None
    assert last.exchange_id not in [hit.exchange_id for hit in memory.search("line 6", mode="distilled", limit=20)]
    embedder.embedded.clear()
    report = memory.distill()
    assert (report.distilled, report.embedded) == (1, 1)
    assert embedder.embedded
    assert all("line 6" in text for text in embedder.embedded)
    assert "max_connections" in memory.get(last.exchange_id).object.exchange_core


def test_a_half_written_last_line_waits_for_its_rest(memory, file):
    whole = line(3)
    file.write_text("".join(map(line, range(3))) + whole[:60])
    report = memory.import_path(file)
    assert sums(report) == (4, 3, 0)
    assert report.skipped == {"incomplete last line": 1}
    file.write_text("".join(map(line, range(3))) + whole)
    report = memory.import_path(file)
    assert sums(report) == (4, 1, 3)
    assert report.skipped == {}


def test_a_last_line_without_its_end_is_stored_once(memory, file):
    file.write_text("".join(map(line, range(4))).rstrip("\n"))
    assert sums(memory.import_path(file)) == (4, 4, 0)
    with file.open("a") as stream:
        stream.write("\n" + line(4))
    assert sums(memory.import_path(file)) == (5, 1, 4)


def test_a_rewrite_of_the_same_size_is_noticed(memory, file):
    file.write_text("".join(map(line, range(4))))
    memory.import_path(file)
    rewritten = "".join([*map(line, range(2)), line(2).replace('"u2"', '"v2"'), line(3)])
    assert len(rewritten) == file.stat().st_size
    file.write_text(rewritten)
    report = memory.import_path(file)
    assert sums(report) == (4, 1, 3)


def test_other_words_under_the_same_id_do_not_replace_the_first(memory, file):
    file.write_text("".join(map(line, range(2))))
    memory.import_path(file)
    before = dump(memory)
    file.write_text(line(0, "rewritten history") + line(1))
    report = memory.import_path(file)
    assert report.skipped == {"same id, other text": 1}
    assert [issue.line for issue in report.issues] == [1]
    assert "earlier one is kept" in report.issues[0].reason
    assert dump(memory) == before


def test_a_bad_line_of_twenty_costs_one_line(memory, file):
    lines = [line(i) for i in range(20)]
    lines[7] = '{"type": "user", "message": \n'
    file.write_text("".join(lines))
    report = memory.import_path(file)
    assert sums(report) == (20, 19, 0)
    assert report.skipped == {"malformed JSON": 1}
    assert [(issue.path, issue.line) for issue in report.issues] == [(str(file), 8)]
    again = memory.import_path(file)
    assert sums(again) == (20, 0, 19)


def test_the_ledger_holds_what_the_report_says(memory, con, file):
    file.write_text(line(0) + "{bad\n" + line(1))
    report = memory.import_path(file)
    entry = con.execute("select records_in, stored, duplicate, skipped, finished_at from ledger").get
    assert entry[:4] == (
        report.records_in,
        report.stored,
        report.duplicate,
        json.dumps(report.skipped, separators=(",", ":")),
    )
    assert entry[4] is not None
    assert con.execute("select line from issue").fetchall() == [(2,)]


def test_a_folder_is_accounted_for_file_by_file(memory, tmp_path):
    folder = tmp_path / "projects"
    (folder / "app" / "subagents").mkdir(parents=True)
    for i in range(5):
        (folder / "app" / f"s{i}.jsonl").write_text(line(0).replace('"u0"', f'"u0-{i}"').replace('"s1"', f'"s{i}"'))
        (folder / "app" / "subagents" / f"agent-{i}.jsonl").write_text(line(1))
    (folder / "notes.bin").write_bytes(b"\x00\x01\x02")
    seen = []
    report = memory.import_path(folder, progress=lambda path, done, total: seen.append((done, total)))
    assert sums(report) == (11, 5, 0)
    assert report.skipped == {"sub-agent file": 5, "not a transcript": 1}
    assert report.conversations == 5
    assert seen[0][1] == 11
    whole = memory.import_path(folder, subagents=True)
    assert whole.skipped == {"not a transcript": 1}
    sums(whole)


def test_nothing_at_the_path(memory, tmp_path):
    with pytest.raises(BadTranscript, match="nowhere"):
        memory.import_path(tmp_path / "nowhere")


def test_the_source_file_is_only_read(memory, file):
    file.write_text("".join(map(line, range(3))))
    file.chmod(0o400)
    before = (file.read_bytes(), file.stat().st_mtime_ns)
    memory.import_path(file)
    memory.distill()
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before


def test_the_end_of_a_large_file_and_of_a_long_message_is_found(memory, tmp_path):
    filler = "the pool was checked again and nothing new was found " * 18
    large = tmp_path / "large.jsonl"
    with large.open("w") as stream:
        for i in range(4_000):
            stream.write(json.dumps({"role": ROLES[i % 2], "content": f"{i} {filler}", "id": f"m{i}"}) + "\n")
        stream.write(json.dumps({"role": "user", "content": "the last word is zanzibarquux", "id": "last"}) + "\n")
    assert large.stat().st_size > 3_500_000
    assert sums(memory.import_path(large)) == (4_001, 4_001, 0)
    assert "zanzibarquux" in memory.search("zanzibarquux", mode="verbatim")[0].snippet
    memory.add([{"role": "user", "content": "x y z " * 34_000 + "and here wobblefrotz ends it"}], conversation="long")
    assert "wobblefrotz" in memory.search("wobblefrotz", mode="verbatim")[0].snippet
    memory.distill(limit=200)
    assert "wobblefrotz" in memory.search("wobblefrotz")[0].snippet


RECORD = st.one_of(
    st.fixed_dictionaries(
        {
            "role": st.sampled_from(["user", "assistant", "tool", "system", "wizard", ""]),
            "content": st.text(max_size=20),
        },
        optional={
            "timestamp": st.sampled_from(["2026-05-03T10:00:00Z", "soon", 0]),
            "id": st.sampled_from(["a", "b", ""]),
            "conversation": st.sampled_from(["c1", "c2"]),
            "speaker": st.sampled_from(["Nadia", "Ilias"]),
        },
    ),
    st.dictionaries(st.sampled_from(["role", "content", "messages", "speaker"]), st.integers() | st.lists(st.none())),
    st.integers(),
)
LINE = RECORD.map(json.dumps) | st.sampled_from(
    ["{bad", "", "  ", "[1, 2", '{"role": "user", "content": "half', "\x00"]
)


@settings(max_examples=60, deadline=None)
@given(lines=st.lists(LINE, max_size=15), cut=st.integers(0, 15))
def test_every_record_of_any_file_is_accounted_for(tmp_path_factory, lines, cut):
    folder = tmp_path_factory.mktemp("account")
    file = folder / "any.jsonl"
    first = json.dumps({"role": "user", "content": "hello"})
    with Memory(folder / "memory.db", embedder=WordEmbedder()) as memory:
        for part in (lines[:cut], lines, lines):
            file.write_text("\n".join([first, *part]) + "\n")
            report = memory.import_path(file)
            sums(report)
            assert report.records_in >= sum(bool(text.strip()) for text in [first, *part] if text != "\x00")
        assert report.stored == 0
        con = memory._store.con
        assert (
            con.execute(
                "select count(*) from ledger where records_in <> stored + duplicate + "
                "(select coalesce(sum(value), 0) from json_each(skipped))"
            ).get
            == 0
        )
        assert con.execute("select sum(stored) from ledger").get == memory.status().messages
