"""records list and facts: the same filters as the library, as text and as JSON."""

import json

import pytest

from memlite.memory import Memory
from tests.embedders import WordEmbedder

SAID = [
    {"role": "user", "content": "I live in Lisbon with my sister.", "timestamp": "2026-05-03T10:00:00Z"},
    {"role": "assistant", "content": "Noted.", "timestamp": "2026-05-03T10:01:00Z"},
    {"role": "user", "content": "I visited Porto on 8 May 2023.", "timestamp": "2026-05-03T10:02:00Z"},
]


@pytest.fixture
def told(new_db):
    with Memory(new_db, embedder=WordEmbedder()) as memory:
        memory.add(SAID, conversation="me", project="home")
        memory.distill()
        assert len(memory.records()) == 2
    return new_db


def listed(run, db, *args):
    return [record["content"] for record in json.loads(run("facts", *args, "--json", db=db).stdout)["records"]]


@pytest.mark.parametrize(
    ("args", "count"),
    [
        (("--type", "episodic"), 1),
        (("--since", "2023"), 1),
        (("--until", "2023-04"), 0),
        (("--at", "2023-05"), 1),
        (("--where", "atlantis"), 0),
        (("--keyword", "Lisbon"), 1),
        (("--speaker", "Ana"), 0),
        (("--active",), 2),
        (("--all",), 2),
        (("--project", "home"), 2),
        (("--project", "work"), 0),
        (("--conversation", "me"), 2),
        (("--limit", "1"), 1),
        (("-n", "1", "--offset", "1", "--order", "time"), 1),
        (("--order", "oldest", "porto"), 1),
    ],
)
def test_each_filter(run, told, args, count):
    assert len(listed(run, told, *args)) == count


def test_facts_is_records_list(run, told):
    for args in ((), ("--json",), ("--type", "fact")):
        assert run("records", "list", *args, db=told).stdout == run("facts", *args, db=told).stdout


def test_a_record_as_text_says_when_who_and_where_it_is_from(run, told):
    shown = run("facts", "porto", db=told).stdout.splitlines()
    assert shown[0].startswith("episodic  ")
    assert shown[0].endswith("[2]  #2")
    assert "    when     2023-05-08" in shown
    assert shown[-1] == "    said     2026-05-03"
    assert "no such records" in run("facts", "quasar", db=told).stderr


def test_superseded_records_are_shown_on_request_and_marked(run, told):
    with Memory(told) as memory, memory._store.transaction() as con:
        con.execute("update record set state = 'superseded' where type = 'episodic'")
    assert len(listed(run, told)) == 1
    assert len(listed(run, told, "--all")) == 2
    assert "(superseded, since 2023-05-08)" in run("facts", "--all", "porto", db=told).stdout
    assert "1 superseded" in run("status", db=told).stdout


def test_a_date_in_no_known_form_is_an_error_that_lists_the_forms(run, told):
    assert "last Friday" in run("facts", "--since", "blursday", db=told, code=2).stderr


def test_show_and_status_tell_of_records(run, told):
    shown = run("show", 2, db=told).stdout
    assert "records\n    episodic  " in shown
    (record,) = json.loads(run("show", 2, "--json", db=told).stdout)["records"]
    assert (record["time_start"], record["exchange_id"]) == ("2023-05-08", 2)
    told_of = run("status", db=told).stdout
    assert "2 read for records = 2 exchanges" in told_of
