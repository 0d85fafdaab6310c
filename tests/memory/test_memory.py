"""The front door: adding, showing, counting."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from memlite.errors import NotFound
from memlite.memory import Memory


def test_adding_reports_the_ids_of_what_is_durable(memory, con, talk):
    report = memory.add(talk("Why?", "Because.", "Really?"), conversation="c", project="p", title="Doubts")
    assert (report.records_in, report.stored, report.conversations, report.exchanges) == (3, 3, 1, 2)
    assert [con.execute("select content from message where id = ?", (id,)).get for id in report.message_ids] == [
        "Why?",
        "Because.",
        "Really?",
    ]
    assert con.execute("select external_id, project, title from conversation").get == ("c", "p", "Doubts")
    again = memory.add(talk("Why?", "Because.", "Really?"), conversation="c")
    assert (again.stored, again.duplicate, again.message_ids) == (0, 3, ())


def test_what_is_added_is_found_before_any_model_ran(memory, embedder, talk):
    memory.add(talk("Why does the pool time out?"))
    assert len(memory.search("pool", mode="verbatim")) == 1
    assert embedder.embedded == []


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"role": "wizard", "content": "x"}, "unknown role: wizard"),
        ({"content": "x"}, "no role"),
        ({"role": "user"}, "no content"),
        ({"role": "system", "content": "Be kind."}, "system prompt"),
        ({"role": "user", "content": ""}, "empty content"),
    ],
)
def test_what_is_not_stored_is_counted(memory, message, reason):
    report = memory.add([message, {"role": "user", "content": "kept"}])
    assert (report.records_in, report.stored) == (2, 1)
    assert sum(report.skipped.values()) == 1
    assert list(report.skipped)[0].startswith(reason.split()[0])


def test_an_unknown_time_stays_unknown(memory, con):
    memory.add([{"role": "user", "content": "yesterday we met"}, {"role": "user", "content": "x", "timestamp": "soon"}])
    assert con.execute("select distinct said_at from message").fetchall() == [(None,)]
    memory.add([{"role": "user", "content": "old", "timestamp": "2023-05-08T13:56:00+02:00"}], conversation="old")
    assert con.execute("select said_at, utc_offset from message where content = 'old'").get == (
        "2023-05-08T11:56:00.000Z",
        120,
    )


def test_peers_keep_their_names_and_whoever_speaks_first_asks(memory):
    names = ["Nadia", "Ilias", "Nadia", "Berta"]
    for i, name in enumerate(names):  # one by one: the parts depend on the whole conversation
        memory.add([{"speaker": name, "content": f"{i} is what I wanted to say about the trip to Lisbon"}])
    views = [memory.get(id) for id in (1, 2)]
    assert [[(m.role, m.speaker) for m in view.messages] for view in views] == [
        [("user", "Nadia"), ("assistant", "Ilias")],
        [("user", "Nadia"), ("assistant", "Berta")],
    ]
    assert memory.search("Berta", mode="verbatim")[0].text.startswith("Nadia: 2 is")


def test_get_shows_the_words_as_they_were_said(memory, talk):
    odd = "  Why\tdoes\n\nthe pool 🎉 “time out”?  "
    memory.add(talk(odd, "Because."), project="app")
    memory.distill()
    view = memory.get(1)
    assert [message.content for message in view.messages] == [odd, "Because."]
    assert view.plies == (0, 1)
    assert view.said_at == "2026-05-03T10:00:00.000Z"
    assert view.conversation.project == "app"
    with pytest.raises(NotFound, match="999"):
        memory.get(999)


def test_a_part_of_a_long_exchange_shows_the_question(memory, talk):
    memory.add([*talk("How do we move the shop?"), *({"role": "assistant", "content": f"step {i}"} for i in range(44))])
    assert memory.status().exchanges == 3
    hit = memory.search('"step 43"', mode="verbatim")[0]
    assert hit.text.startswith("user: How do we move the shop?\n\nassistant: step 39")
    assert hit.plies == (40, 44)


def test_the_resume_command_names_folder_and_session(memory, tmp_path):
    file = tmp_path / "s.jsonl"
    file.write_text(
        '{"type": "user", "uuid": "u1", "sessionId": "s-1", "cwd": "/home/ana/app", '
        '"message": {"role": "user", "content": "hello there"}}\n'
    )
    memory.import_path(file)
    assert memory.get(1).resume == "cd /home/ana/app && claude --resume s-1"
    assert memory.get(1).external_ids == ("u1",)


def test_status_counts_add_up(memory, talk):
    long = ["Why does the connection pool time out every night at two?", "Because five connections are too few."]
    memory.add(talk(*long), conversation="a", project="app")
    memory.add(talk("Hi", "Hello"), conversation="b", project="app")
    memory.add(talk("<command-name>/clear</command-name>", "done"), conversation="c")
    before = memory.status()
    assert (before.tasks.pending, before.objects["extractive"]) == (3, 0)
    report = memory.distill()
    after = memory.status()
    assert report.skipped == {"command": 1, "too short": 1} == after.tasks.skipped
    assert after.objects["extractive"] + sum(after.tasks.skipped.values()) + after.tasks.failed == after.exchanges == 3
    assert (after.conversations, after.messages, after.automated) == (3, 6, 1)
    assert after.projects == {"app": 2, "": 1}
    assert after.sources == {"generic": 3}
    assert after.embedding["model"] == "test words"
    assert after.tokens.before > 0 < after.tokens.after
    assert after.tokens.ratio == round(after.tokens.before / after.tokens.after, 2)
    assert after.size_bytes > 0


def test_distilling_can_be_limited_and_goes_on(memory, talk):
    for i in range(5):
        memory.add(
            talk(f"Why did deployment {i} of the billing service fail last night?", f"Port {i} was taken."),
            conversation=f"c{i}",
        )
    seen = []
    first = memory.distill(limit=2, progress=lambda *step: seen.append(step))
    assert (first.distilled, first.embedded, first.pending) == (2, 2, 3)
    assert ("distill", 2, 2) in seen
    without = memory.distill(embed=False)
    assert (without.distilled, without.embedded, without.pending) == (3, 0, 3)
    last = memory.distill()
    assert (last.distilled, last.embedded, last.pending) == (0, 3, 0)


def test_context_is_within_its_budget_and_holds_the_answer(memory, talk):
    memory.add(
        talk("Why did we drop Redis from the shop last year?", "Redis was dropped because SQLite was fast enough.")
    )
    memory.distill()
    packed = memory.context("why did we drop Redis?", budget=300)
    assert "SQLite was fast enough" in packed.text
    assert packed.tokens <= 300
    assert [item.id for item in packed.items if item.kind == "object"] == [1]
    assert memory.context("xylophone quasar").text == ""


def test_a_store_can_be_used_from_several_threads(memory, talk):
    def work(i):
        memory.add(talk(f"Why does pool {i} time out?", "Too few connections."), conversation=f"c{i}")
        return len(memory.search("pool", mode="verbatim", limit=100))

    with ThreadPoolExecutor(8) as threads:
        counts = list(threads.map(work, range(24)))
    assert max(counts) == 24 == memory.status().conversations


def test_words_are_found_without_loading_a_model(tmp_path):
    code = """
import sys
import memlite
with memlite.open(sys.argv[1]) as memory:
    memory.add([{"role": "user", "content": "hello pool"}])
    assert len(memory.search("pool", mode="verbatim")) == len(memory.search("pool")) == 1
print("loaded", *sorted({"numpy", "onnxruntime", "tokenizers", "sqlite_vec", "apsw.ext"} & set(sys.modules)))
"""
    command = [sys.executable, "-c", code, str(tmp_path / "memory.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["loaded"]


def test_coverage_is_counted_again_when_anybody_has_written(tmp_path, embedder, talk):
    with Memory(tmp_path / "m.db", embedder=embedder) as memory, Memory(tmp_path / "m.db", embedder=embedder) as other:
        assert memory.search("pool").coverage.exchanges == 0
        memory.add(
            talk("Why does the pool time out?", "It is too small, we need twelve connections."), conversation="a"
        )
        assert memory.search("pool").coverage.exchanges == 1
        other.add(talk("Which port has the pool?", "Port 5432, as always, behind the firewall."), conversation="b")
        assert memory.search("pool").coverage.exchanges == 2
        other.distill()
        coverage = memory.search("pool").coverage
        assert (coverage.distilled, coverage.embedded, coverage.waiting) == (2, 2, 0)
