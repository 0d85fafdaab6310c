"""embed, reindex and status, and what a run of distilling says."""

import json

from memlite.cli.keep import summary
from memlite.memory import Memory
from memlite.types.report import DistillReport, UpgradeReport
from tests.cli.conftest import SAMPLES
from tests.embedders import WordEmbedder
from tests.generators import QueuedGenerator


def test_distilling_goes_on_where_it_stopped(run, new_db):
    run("import", "--no-distill", SAMPLES / "friends.jsonl", db=new_db)
    waiting = json.loads(run("status", "--json", db=new_db).stdout)["tasks"]["pending"]
    first = json.loads(run("distill", "--limit", 3, "--no-embed", "--json", db=new_db).stdout)
    assert (first["distilled"] + sum(first["skipped"].values()), first["embedded"]) == (3, 0)
    rest = json.loads(run("distill", "--engine", "extractive", "--json", db=new_db).stdout)
    assert rest["pending"] == 0
    done = first["distilled"] + rest["distilled"]
    assert rest["embedded"] == done
    assert done + sum(first["skipped"].values()) + sum(rest["skipped"].values()) == waiting
    assert run("distill", db=new_db).stdout.startswith("0 exchanges distilled; 0 embedded; ")


def test_embedding_what_was_said(run, db):
    assert run("embed", db=db).stdout.startswith("0 exchanges distilled; 0 embedded; ")
    asked = ("search", "Why is redis not in the library?", "--mode", "dense:verbatim")
    assert "memlite embed --verbatim" in run(*asked, db=db).stderr
    report = json.loads(run("embed", "--verbatim", "--json", db=db).stdout)
    found = json.loads(run("status", "--json", db=db).stdout)
    assert report["embedded"] == found["exchanges"] - found["automated"] > 100
    assert (report["pending"], found["tasks"]["pending"]) == (0, 0)
    assert "dense:verbatim gave" in run(*asked, db=db).stderr
    run("add", "the ferry to the island leaves at nine on Sundays only", db=db)
    hits = json.loads(run("search", "ferry", "--mode", "dense:verbatim", "--json", db=db).stdout)["hits"]
    assert "ferry" in hits[0]["text"]


def test_vectors_of_another_model_are_a_model_error_until_reindexed(run, tmp_path):
    path = tmp_path / "other.db"
    with Memory(path, embedder=WordEmbedder("another")) as memory:
        memory.import_path(SAMPLES / "friends.jsonl")
        memory.distill()
        memory.import_path(SAMPLES / "personal.jsonl")
    for command in ("distill", "reindex"):
        assert "test another" in run(command, db=path, code=6).stderr
    report = json.loads(run("reindex", "--vectors", "--json", db=path).stdout)
    assert report["embedded"] == json.loads(run("status", "--json", db=path).stdout)["objects"]["extractive"] > 40
    assert run("reindex", db=path).stdout.startswith("keyword indexes made again\n0 exchanges distilled; 0 embedded; ")


def test_a_summary_names_what_happened():
    report = DistillReport(1, 2, {"too short": 3}, failed=4, pending=5, tokens_before=600, tokens_after=100, seconds=7)
    assert summary(report) == (
        "1 exchange distilled; 2 embedded; left as they are: 3 too short; 4 failed; 600 tokens became 100 (6.0 times "
        "fewer); still to do: 5 (memlite distill); 7.0 s"
    )


def test_a_summary_names_what_a_model_did():
    done = UpgradeReport("small", 10, 3, 7, {"ValueError: no": 2}, 5, {}, 1.25)
    assert summary(DistillReport(seconds=12.5, upgrades=done)) == (
        "0 exchanges distilled; 0 embedded; small: 10 objects tried, 3 made better, 1.25 s each, "
        "failed: 2 ValueError: no, not yet tried: 5; 12.5 s"
    )


def test_status_accounts_for_every_exchange(run, db):
    run("add", "ok", db=db)
    run("add", "--no-distill", "the ferry to the island leaves at nine on Sundays only", db=db)
    with Memory(db, embedder=WordEmbedder(), generator=QueuedGenerator()) as memory:
        memory.distill(engine="gguf", limit=3)
        memory.add([{"role": "user", "content": "the bus to the harbour leaves at eight on Sundays only"}])
    found = json.loads(run("status", "--json", db=db).stdout)
    accounts = found["accounts"]
    rows = dict(line.split(maxsplit=1) for line in run("status", db=db).stdout.splitlines())
    assert accounts["distilled"] + sum(accounts["skipped"].values()) + accounts["pending"] == accounts["total"]
    assert accounts["pending"] == 1 < accounts["skipped"]["too short"]
    left = " + ".join(f"{count} left as is ({reason})" for reason, count in accounts["skipped"].items())
    assert rows["accounts"] == f"{accounts['distilled']} distilled + {left} + 1 pending = {accounts['total']} exchanges"
    assert rows["models"] == (
        f"3 objects tried, 0 made better, {found['upgrades']['pending']} wait (memlite distill --engine gguf)"
    )
    assert found["upgrades"]["pending"] == accounts["distilled"] - 3
    assert rows["to"] == "do         1 (memlite distill)"


def test_status_is_a_table(run, db):
    found = json.loads(run("status", "--json", db=db).stdout)
    rows = dict(line.split(maxsplit=1) for line in run("status", db=db).stdout.splitlines())
    assert rows["store"] == str(db)
    assert rows["messages"] == f"{found['messages']:,}"
    assert rows["exchanges"] == f"{found['exchanges']:,}"
    assert rows["objects"] == f"{found['objects']['extractive']} extractive"
    assert rows["projects"] == "tidewatch 69, friends 24, personal 22"
    assert rows["vectors"].startswith("test words, 384 dimensions")


def test_status_of_an_empty_store(run, new_db):
    rows = dict(line.split(maxsplit=1) for line in run("status", db=new_db).stdout.splitlines())
    assert rows["messages"] == rows["exchanges"] == "0"
    assert rows["objects"] == "none"
    assert rows["vectors"] == "none yet"
