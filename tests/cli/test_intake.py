"""init, add and import: what is stored, what is said about it, what is refused."""

import json
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.cli.intake import total
from memlite.memory import Memory
from memlite.types.report import ImportReport, Issue
from tests.cli.conftest import SAMPLES
from tests.embedders import WordEmbedder

TEA = "I moved the staging database to port 6543 because 5432 was taken by the old one."


def contents(path):
    with Memory(path, create=False, embedder=WordEmbedder()) as memory:
        hits = memory.search("", limit=100, since="1970", include_automated=True)
        return {m.content: m for hit in hits for m in memory.get(hit.exchange_id).messages}


def status(path):
    with Memory(path, create=False) as memory:
        return memory.status()


# -- init --


def test_init_makes_a_store_for_its_owner_only(run, tmp_path):
    path = tmp_path / "here.db"
    assert run("init", db=path).stdout == f"made a store at {path}\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    run("add", TEA, db=path)
    assert run("init", db=path).stdout == f"there is a store at {path} already\n"
    assert status(path).messages == 1


def test_init_makes_the_data_folder_but_no_other(run, tmp_path):
    run("init")
    assert (tmp_path / "share" / "memlite" / "memlite.db").is_file()
    assert stat.S_IMODE((tmp_path / "share" / "memlite").stat().st_mode) == 0o700
    assert "does not exist" in run("init", db=tmp_path / "no" / "such.db", code=3).stderr
    assert not (tmp_path / "no").exists()


def test_init_leaves_what_is_no_store_alone(run, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database, and long enough to be looked at as one" * 20)
    run("init", db=path, code=4)
    assert path.read_text().startswith("not a database")


def test_the_variable_names_the_store_and_the_option_wins(run, tmp_path, monkeypatch, new_db):
    monkeypatch.setenv("MEMLITE_DB", str(tmp_path / "variable.db"))
    run("init")
    assert (tmp_path / "variable.db").exists()
    assert json.loads(run("status", "--json", db=new_db).stdout)["path"] == str(new_db)


@pytest.mark.parametrize("args", [("add", "x"), ("import", SAMPLES), ("search", "x"), ("show", 1), ("context", "x")])
@pytest.mark.parametrize("more", [(), ("--json",)], ids=["text", "json"])
def test_a_store_that_was_deleted_is_not_made_again(args, more, run, tmp_path):
    path = tmp_path / "gone.db"
    result = run(*args, *more, db=path, code=3)
    assert str(path) in result.stderr
    assert "init" in result.stderr
    assert result.stdout == ""
    assert not path.exists()


# -- add --


def test_words_become_one_message_that_is_distilled(run, new_db):
    shown = run("add", *TEA.split(), db=new_db).stdout
    assert "1 record: 1 stored" in shown
    assert "1 exchange distilled; 1 embedded" in shown
    message = contents(new_db)[TEA]
    assert message.role == "user"
    assert message.said_at is not None


def test_options_say_where_a_message_belongs(run, new_db):
    given = ["--conversation", "standup", "--project", "app", "--title", "Monday", "--role", "assistant"]
    run("add", TEA, *given, "--at", "2026-05-03T10:00:00+02:00", "--no-distill", db=new_db)
    assert contents(new_db)[TEA].said_at == "2026-05-03T08:00:00.000Z"
    assert contents(new_db)[TEA].role == "assistant"
    assert status(new_db).tasks.pending == 1
    with Memory(new_db) as memory:
        where = memory.search("staging", mode="verbatim", conversation="standup")[0].conversation
    assert (where.external_id, where.project, where.title) == ("standup", "app", "Monday")


def test_notes_are_exchanges_of_their_own_and_the_same_note_is_kept_once(run, new_db):
    for text in (TEA, "The bike is in the cellar.", TEA, TEA, TEA, TEA):
        run("add", text, "--no-distill", db=new_db)
    assert (status(new_db).messages, status(new_db).exchanges) == (2, 2)


def test_a_speaker_needs_no_role(run, new_db):
    run("add", TEA, "--speaker", "Nadia", db=new_db)
    assert contents(new_db)[TEA].speaker == "Nadia"


def test_text_on_stdin_is_one_message(run, new_db):
    run("add", db=new_db, stdin="a note\nof two lines\n")
    assert list(contents(new_db)) == ["a note\nof two lines\n"]


MESSAGES = [
    {"role": "user", "content": "where is the key", "timestamp": "2026-05-03T10:00:00Z"},
    {"role": "assistant", "content": "under the pot", "timestamp": "2026-05-03T10:00:05Z"},
]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(MESSAGES),
        json.dumps({"messages": MESSAGES}),
        "\n".join(map(json.dumps, MESSAGES)) + "\n",
        "\n\r\n".join(map(json.dumps, MESSAGES)),
        json.dumps(MESSAGES, indent=2),
    ],
    ids=["list", "conversation", "lines", "blank lines", "indented"],
)
def test_messages_on_stdin_are_taken_as_such(text, run, new_db):
    report = json.loads(run("add", "--json", "--conversation", "c1", db=new_db, stdin=text).stdout)
    assert report["stored"] == 2
    assert report["distill"]["skipped"] == {"too short": 1}
    assert [m.role for m in contents(new_db).values()] == ["user", "assistant"]


def test_a_broken_line_on_stdin_stores_nothing(run, new_db):
    result = run("add", db=new_db, stdin=json.dumps(MESSAGES[0]) + "\n{broken\n", code=2)
    assert "line 2" in result.stderr
    assert status(new_db).messages == 0


def test_options_of_one_message_are_refused_for_many(run, new_db):
    assert "--role" in run("add", "--role", "user", db=new_db, stdin=json.dumps(MESSAGES), code=2).stderr


def test_a_transcript_on_stdin_is_for_import(run, new_db):
    record = {"type": "user", "uuid": "u1", "sessionId": "s", "message": {"role": "user", "content": "hello"}}
    assert "memlite import -" in run("add", db=new_db, stdin=json.dumps(record), code=2).stderr


@pytest.mark.parametrize("args", [("",), ("  ", ""), ()])
def test_no_text_is_a_mistake(args, run, new_db):
    assert "no text" in run("add", *args, db=new_db, stdin=" \n", code=2).stderr


def test_a_time_that_is_none_is_a_mistake(run, new_db):
    assert "soon" in run("add", "x", "--at", "soon", db=new_db, code=2).stderr
    assert status(new_db).messages == 0


def test_bytes_that_are_no_text_are_mended(run, new_db):
    run("add", "caf\udce9 au lait", db=new_db)
    assert list(contents(new_db)) == ["caf\ufffd au lait"]


# -- import --


def test_import_accounts_for_every_record(run, new_db, tmp_path):
    broken = tmp_path / "broken.jsonl"
    good = json.dumps(MESSAGES[0])
    broken.write_text("\n".join([good, *["{oops"] * 12, good]) + "\n")
    shown = run("import", broken, "--no-distill", db=new_db).stdout
    assert "14 records: 2 stored, 0 duplicate, 12 skipped" in shown
    assert f"{broken}:2: malformed JSON" in shown
    assert shown.count("malformed JSON:") == 10
    assert "… and 2 more; --json lists all" in shown
    run("init", db=tmp_path / "other.db")
    report = json.loads(run("import", broken, "--json", db=tmp_path / "other.db").stdout)
    assert len(report["issues"]) == 12
    assert report["distill"]["skipped"] == {"too short": 1}


def test_several_paths_are_one_report(run, new_db):
    paths = [SAMPLES / "friends.jsonl", SAMPLES / "personal.jsonl"]
    lines = sum(len(path.read_text().splitlines()) for path in paths)
    first = json.loads(run("import", "--json", "--no-distill", *paths, db=new_db).stdout)
    again = json.loads(run("import", "--json", "--no-distill", *paths, db=new_db).stdout)
    assert (first["records_in"], first["stored"], first["duplicate"]) == (lines, lines, 0)
    assert (again["records_in"], again["stored"], again["duplicate"]) == (lines, 0, lines)
    assert first["distill"] is None


def test_nothing_is_imported_when_a_path_is_missing(run, new_db, tmp_path):
    assert "nope" in run("import", SAMPLES, tmp_path / "nope", db=new_db, code=2).stderr
    assert status(new_db).messages == 0


def test_import_reads_stdin(run, new_db):
    report = json.loads(run("import", "-", "--json", db=new_db, stdin=(SAMPLES / "friends.jsonl").read_bytes()).stdout)
    assert report["stored"] == len((SAMPLES / "friends.jsonl").read_text().splitlines())
    assert "cannot import stdin" in run("import", "-", db=new_db, stdin="just prose", code=2).stderr


def test_subagents_are_taken_in_when_asked(run, new_db, tmp_path):
    record = {"type": "user", "uuid": "u1", "sessionId": "s", "isSidechain": True, "timestamp": "2026-05-03T10:00:00Z"}
    record["message"] = {"role": "user", "content": "count the files in this folder"}
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "agent-1.jsonl").write_text(json.dumps(record) + "\n")
    without = json.loads(run("import", "--json", tmp_path / "logs", db=new_db).stdout)
    assert (without["stored"], without["skipped"]) == (0, {"sub-agent file": 1})
    assert json.loads(run("import", "--json", "--subagents", tmp_path / "logs", db=new_db).stdout)["stored"] == 1


def test_the_report_comes_out_when_distilling_fails(run, tmp_path):
    path = tmp_path / "other.db"
    with Memory(path, embedder=WordEmbedder("another")) as memory:
        memory.add([{"role": "user", "content": TEA}])
        memory.distill()
    result = run("import", "--json", SAMPLES / "friends.jsonl", db=path, code=6)
    assert json.loads(result.stdout)["stored"] > 0
    assert "test another" in result.stderr
    assert "records:" in run("import", SAMPLES / "personal.jsonl", db=path, code=6).stdout


REPORT = st.builds(
    ImportReport,
    *[st.integers(0, 9)] * 3,
    skipped=st.dictionaries(st.sampled_from("ab"), st.integers(1, 9)),
    conversations=st.integers(0, 9),
    exchanges=st.integers(0, 9),
    issues=st.lists(st.builds(Issue, st.just("p"), st.integers(0, 9), st.just("r")), max_size=2).map(tuple),
    dropped=st.dictionaries(st.sampled_from("ab"), st.integers(1, 9)),
    message_ids=st.lists(st.integers(1, 9), max_size=2).map(tuple),
)


@given(st.lists(REPORT, max_size=4))
def test_a_total_adds_up_every_field(reports):
    whole = total(reports)
    for name in ("records_in", "stored", "duplicate", "conversations", "exchanges"):
        assert getattr(whole, name) == sum(getattr(report, name) for report in reports)
    for name in ("issues", "message_ids"):
        assert len(getattr(whole, name)) == sum(len(getattr(report, name)) for report in reports)
    for name in ("skipped", "dropped"):
        for key in "ab":
            assert getattr(whole, name).get(key, 0) == sum(getattr(r, name).get(key, 0) for r in reports)


def test_every_field_of_a_report_is_in_the_total():
    filled = ImportReport(1, 1, 1, {"a": 1}, 1, 1, (Issue("p", 1, "r"),), {"a": 1}, (1,), (1,))
    empty = ImportReport()
    for name in ImportReport.__struct_fields__:
        if name != "schema_version":
            assert getattr(total([filled, filled]), name) != getattr(empty, name), name


def test_paths_print_without_escapes(run, new_db, tmp_path):
    odd = tmp_path / "odd\x1b[31m.jsonl"
    Path(odd).write_text(json.dumps(MESSAGES[0]) + "\n{oops\n")
    assert "\x1b" not in run("import", odd, db=new_db, color=True).stdout
