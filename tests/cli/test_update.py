"""A memory that changes its mind, by command: what holds, what held, why, and back."""

import itertools
import json

import pytest

SAID = {
    "Hangzhou": ("2023-02-01", "I live in Hangzhou with my sister and her two cats, by the lake."),
    "Shanghai": ("2024-03-01", "I moved to Shanghai last week, into a flat near the river."),
    "Beijing": ("2025-05-01", "I now live in Beijing, alone, in a flat close to the old town."),
}


def tell(run, db, order):
    for name in order:
        at, text = SAID[name]
        run("add", text, "--at", at, "--conversation", name, db=db)


def listed(run, db, *args):
    return json.loads(run("facts", "--all", "--json", *args, db=db).stdout)["records"]


@pytest.mark.parametrize("order", list(itertools.permutations(SAID)), ids=" ".join)
def test_in_every_order_of_import_the_latest_home_holds(run, new_db, order):
    tell(run, new_db, order)
    states = {
        name: (one["state"], one["valid_from"][:10], one["valid_to"] and one["valid_to"][:10])
        for one in listed(run, new_db)
        for name in SAID
        if name in one["content"]
    }
    assert states == {
        "Hangzhou": ("superseded", "2023-02-01", "2024-02-19"),
        "Shanghai": ("superseded", "2024-02-19", "2025-05-01"),
        "Beijing": ("active", "2025-05-01", None),
    }
    before = run("search", "where did I live before?", "--limit", 1, db=new_db).stdout
    assert "Shanghai" in before
    assert "held 2024-02-19 to 2025-05-01" in before
    assert "Beijing" in run("search", "where do I live?", "--limit", 1, db=new_db).stdout
    assert "Hangzhou" in run("search", "where do I live?", "--as-of", "2023-06", "--limit", 1, db=new_db).stdout
    assert "Hangzhou" in run("context", "where do I live?", "--as-of", "2023-06", db=new_db).stdout


def test_history_tells_why_and_revert_brings_back(run, new_db):
    tell(run, new_db, ["Hangzhou", "Beijing"])
    old = next(one["id"] for one in listed(run, new_db) if "Hangzhou" in one["content"])
    shown = run("records", "history", old, db=new_db).stdout
    assert "superseded, 2023-02-01 to 2025-05-01" in shown
    assert "another home" in shown
    told = json.loads(run("records", "history", old, "--json", db=new_db).stdout)
    assert [(step["kind"], step["engine"]) for step in told["steps"]] == [("supersede", "rules")]
    run("records", "revert", old, db=new_db)
    assert {one["state"] for one in listed(run, new_db)} == {"active"}
    run("update", db=new_db)
    assert {one["state"] for one in listed(run, new_db)} == {"active"}
    assert "is active" in run("records", "revert", old, db=new_db, code=2).stderr
    assert "no record 999" in run("records", "history", 999, db=new_db, code=2).stderr


def test_a_dry_run_changes_nothing_and_counts_add_up(run, new_db):
    tell(run, new_db, SAID)
    before = listed(run, new_db)
    told = json.loads(run("update", "--dry-run", "--json", db=new_db).stdout)
    assert listed(run, new_db) == before
    assert told["records"] == told["in_store"]
    assert told["embeddings_avoided"] == told["records"] - told["embeddings_computed"] - told["embeddings_reused"]
    assert sum(told["decisions"].values()) == told["by_keywords"] == told["decided_by_words"] + told["compared"]
    shown = run("update", db=new_db).stdout
    assert f"{told['records']} records compared" in shown


def test_a_date_in_no_known_form_is_refused(run, db):
    for args in (("facts", "--as-of", "someday"), ("search", "x", "--as-of", "someday")):
        assert "someday" in run(*args, db=db, code=2).stderr
