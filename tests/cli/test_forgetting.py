"""`memlite forget` by every selector, asked for and not, and what may come back."""

import json

import pytest

NOTE = "The safe behind the bookshelf opens with the number of the old house, and nobody else knows it."


def forgot(run, db, *args):
    return json.loads(run("forget", *args, "--yes", "--json", db=db).stdout)


@pytest.mark.parametrize(
    "args",
    [
        ("--conversation", "note"),
        ("--project", "home"),
        ("--source", "generic", "--since", "2026-02-01", "--until", "2026-02-01"),
        ("--speaker", "Ines"),
        ("--query", '"behind the bookshelf" number'),
    ],
)
def test_every_selector_finds_it_and_leaves_the_rest(run, db, args):
    before = json.loads(run("status", "--json", db=db).stdout)
    run(*("add", NOTE, "--conversation", "note", "--project", "home", "--speaker", "Ines", "--at", "2026-02-01"), db=db)
    tried = json.loads(run("forget", *args, "--dry-run", "--json", db=db).stdout)
    assert run("search", "+bookshelf", "--mode", "verbatim", db=db).stdout
    done = forgot(run, db, *args)
    assert (done["messages"], done["exchanges"], done["conversations"]) == (1, 1, 1)
    assert {**tried, "dry_run": False} == done
    after = json.loads(run("status", "--json", db=db).stdout)
    assert (after["messages"], after["exchanges"]) == (before["messages"], before["exchanges"])


def test_what_was_forgotten_comes_back_only_when_it_may(run, db):
    given = ("add", NOTE, "--conversation", "note", "--at", "2026-02-01")
    run(*given, db=db)
    forgot(run, db, "--conversation", "note")
    assert "1 forgotten" in run(*given, db=db).stdout
    assert "1 stored" in run(*given, "--allow-reimport", db=db).stdout
    assert "1 duplicate" in run(*given, db=db).stdout


def test_an_imported_file_is_read_again_from_its_beginning_to_let_things_back(run, new_db, tmp_path):
    file = tmp_path / "notes.jsonl"
    file.write_text("\n".join(json.dumps({"role": "user", "content": f"{NOTE} {n}", "id": f"n{n}"}) for n in range(3)))
    run("import", file, db=new_db)
    forgot(run, new_db, "--source", str(file))
    assert "0 stored, 0 duplicate, 3 skipped" in run("import", file, db=new_db).stdout
    assert "3 stored" in run("import", file, "--allow-reimport", db=new_db).stdout


def test_a_record_is_forgotten_by_itself_and_not_made_again(run, db):
    (record, *others) = json.loads(run("facts", "--json", "--limit", 5, db=db).stdout)["records"]
    done = forgot(run, db, "--record", record["id"])
    assert (done["records"], done["messages"]) == (1, 0)
    run("reindex", db=db)
    left = [one["content"] for one in json.loads(run("facts", "--json", "--limit", 1000, db=db).stdout)["records"]]
    assert record["content"] not in left
    assert others[0]["content"] in left


def test_one_exchange_is_forgotten_by_its_number(run, db):
    (hit,) = json.loads(run("search", "store.py", "--limit", 1, "--json", db=db).stdout)["hits"]
    assert forgot(run, db, "--exchange", hit["exchange_id"])["exchange_ids"] == [hit["exchange_id"]]
    assert "no exchange" in run("forget", "--exchange", hit["exchange_id"], db=db, code=2).stderr


@pytest.mark.parametrize(
    ("args", "cause"),
    [
        ((), "nothing is named"),
        (("--query", "!?"), "has no word"),
        (("--record", "1", "--project", "x"), "by itself"),
        (("--since", "the day before never"), "the day before never"),
    ],
)
def test_bad_selections_change_nothing(run, db, args, cause):
    before = json.loads(run("status", "--json", db=db).stdout)["messages"]
    assert cause in run("forget", *args, "--yes", db=db, code=2).stderr
    assert json.loads(run("status", "--json", db=db).stdout)["messages"] == before
