"""Several processes at one store, and processes that are killed: what was acknowledged is there, and only once.

Children are real processes and the kills are real (SIGKILL), at random moments.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memlite.memory import Memory
from memlite.store import schema
from memlite.store.connection import Store
from tests.embedders import WordEmbedder
from tests.memory.conftest import BETTER, add_billing

ROOT = Path(__file__).parents[2]
HEAD = """
import sys
from memlite.memory import Memory
from tests.embedders import WordEmbedder
path, name = sys.argv[1:3]
memory = Memory(path, embedder=WordEmbedder())
"""
ADD_FOREVER = """
for i in range(100_000):
    role = ("user", "assistant")[i % 2]
    report = memory.add([{"role": role, "content": f"{name}{i:04} was said about the pool"}], conversation=name)
    print(report.message_ids[0], f"{name}{i:04}", flush=True)
"""
ADD_SOME = """
for i in range(25):
    report = memory.add([{"role": "user", "content": f"{name}{i:04}"}, {"role": "assistant", "content": "noted"}],
                        conversation="shared" if i % 2 else name)
    print(*report.message_ids, flush=True)
"""
SEARCH_SOME = """
for i in range(40):
    for hit in memory.search("noted", limit=3, mode="verbatim"):
        assert "noted" in hit.text
print("done", flush=True)
"""
DISTILL = """
def tell(what, done, total):
    print(what, done, total, flush=True)
memory.distill(progress=tell)
print("done", flush=True)
"""
UPGRADE = """
import time
from tests.generators import CallingGenerator
from tests.memory.conftest import better

def slowly(prompt):
    time.sleep(0.02)
    return better(prompt)

memory = Memory(path, embedder=WordEmbedder(), generator=CallingGenerator(slowly))
done = memory.distill(engine="gguf", progress=lambda what, done, total: print(what, flush=True)).upgrades
print(done.tried, done.improved, flush=True)
"""
EMBED = """
print(memory.embed(verbatim=True).embedded, flush=True)
"""
IMPORT = """
memory.import_path(sys.argv[3])
print("done", flush=True)
"""


@pytest.fixture
def start():
    """Start a child on a piece of code; what still runs when the test ends is killed."""
    started = []

    def start(code, *args):
        command = [sys.executable, "-c", HEAD + code, *map(str, args)]
        child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        started.append(child)
        return child

    yield start
    for child in started:
        child.kill()
        child.wait()
        child.stdout.close()
        child.stderr.close()


def finish(children):
    """Wait for all and return what they printed; none may fail."""
    printed = []
    for child in children:
        out, err = child.communicate(timeout=120)
        assert child.returncode == 0, err
        printed.append(out.split())
    return printed


def kill(child):
    """Kill a child and return what it had printed and nobody had read."""
    os.kill(child.pid, signal.SIGKILL)
    child.wait()  # until then it is a zombie, and still looks alive to other workers
    return child.stdout.read()


def assert_sound(memory):
    con = Store(memory.path).con
    assert con.pragma("quick_check") == "ok"
    assert con.execute("pragma foreign_key_check").fetchall() == []
    for table in schema.DERIVED:
        con.execute(f"insert into {table} ({table}, rank) values ('integrity-check', 1)")
    orphans = """
        select count(*) from vec_object_rowids where rowid not in (select id from vector where layer = 'distilled')
        union all select count(*) - count(distinct identity) from message
        union all select count(*) from message as one where not exists
            (select 1 from exchange where conversation_id = one.conversation_id and seq between seq_start and seq_end)
    """
    if con.execute("select exists (select 1 from sqlite_schema where name = 'vec_object')").get:
        assert [count for (count,) in con.execute(orphans)] == [0, 0, 0]


def open_memory(path):
    return Memory(path, embedder=WordEmbedder())


def test_many_processes_may_make_the_store_at_once(tmp_path):
    path = tmp_path / "memory.db"
    code = "import sys; from pathlib import Path; from memlite.store.connection import Store; Store(Path(sys.argv[1]))"
    command = [sys.executable, "-c", code, str(path)]
    children = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(30)]
    failures = [err for child in children if (err := child.communicate(timeout=120)[1])]
    assert failures == []
    con = Store(path).con
    assert con.pragma("user_version") == len(schema.STEPS)
    assert con.pragma("quick_check") == "ok"


def test_writers_and_readers_at_once(tmp_path, start):
    path = tmp_path / "memory.db"
    open_memory(path).close()
    writers = [start(ADD_SOME, path, name) for name in "abcd"]
    readers = [start(SEARCH_SOME, path, name) for name in "xy"]
    acknowledged = [id for printed in finish(writers) for id in printed]
    finish(readers)
    assert len(acknowledged) == len(set(acknowledged)) == 4 * 25 * 2
    with open_memory(path) as memory:
        assert memory.status().messages == len(acknowledged)
        for name in "abcd":
            for i in range(25):
                assert f"{name}{i:04}" in memory.search(f'"{name}{i:04}"', mode="verbatim")[0].text
        assert_sound(memory)


def test_what_was_acknowledged_survives_kills(tmp_path, start):
    path = tmp_path / "memory.db"
    dice = random.Random(6)
    open_memory(path).close()
    acknowledged = {}
    for round in range(3):
        children = [start(ADD_FOREVER, path, f"{name}{round}") for name in "ab"]
        for child in children:
            for _ in range(dice.randrange(5, 40)):
                id, token = child.stdout.readline().split()
                acknowledged[int(id)] = token
        for child in children:
            lines = kill(child).splitlines(keepends=True)
            acknowledged |= {int(line.split()[0]): line.split()[1] for line in lines if line.endswith("\n")}
    assert len(acknowledged) > 40
    with open_memory(path) as memory:
        con = memory._store.con
        stored = dict(con.execute("select id, content from message"))
        for id, token in acknowledged.items():
            assert stored[id].split()[0] == token
            assert token in memory.search(f'"{token}"', mode="verbatim", limit=1)[0].text
        assert len(stored) - len(acknowledged) in range(2 * 3 + 1)  # at most one a child was stored and not yet told
        memory.distill()
        assert_sound(memory)


@pytest.fixture
def many(tmp_path):
    """A store with 700 exchanges that wait to be distilled."""
    path = tmp_path / "memory.db"
    with open_memory(path) as memory:
        for i in range(700):
            asked = f"Why did deployment {i} of the billing service fail on host db{i}?"
            memory.add(
                [{"role": "user", "content": asked}, {"role": "assistant", "content": f"Port {i} was taken."}],
                conversation=f"c{i}",
            )
    return path


def test_distilling_goes_on_after_kills_and_does_nothing_twice(many, start):
    dice = random.Random(29)
    for _ in range(4):
        child = start(DISTILL, many, "x")
        for _ in range(dice.randrange(1, 3)):
            child.stdout.readline()
        kill(child)
    with open_memory(many) as memory:
        before = memory.status()
        report = memory.distill()
        assert report.pending == 0
        assert report.distilled == 700 - before.objects["extractive"]
        after = memory.status()
        assert after.objects["extractive"] == 700
        assert after.tasks.pending == 0
        assert memory.search("billing").coverage.embedded == 700
        assert memory.distill().distilled == 0
        assert_sound(memory)


def test_two_distillers_share_the_work(many, start):
    printed = finish([start(DISTILL, many, name) for name in "ab"])
    assert all(words[-1] == "done" for words in printed)
    with open_memory(many) as memory:
        assert memory.status().objects["extractive"] == 700
        assert memory.search("billing").coverage.embedded == 700
        assert memory.status().tasks.pending == 0
        assert_sound(memory)


@pytest.fixture
def two_hundred(tmp_path):
    """A store with 200 distilled exchanges; each try of a model at one is counted, whoever makes it."""
    path = tmp_path / "memory.db"
    with open_memory(path) as memory:
        add_billing(memory, range(200))
        memory.distill()
        con = memory._store.con
        con.execute("create table tries (exchange_id integer) strict")
        con.execute(
            "create trigger tried after insert on upgrade begin insert into tries values (new.exchange_id); end"
        )
        con.execute(
            "create trigger retried after update on upgrade begin insert into tries values (new.exchange_id); end"
        )
    return path


def assert_upgraded_once(path):
    with open_memory(path) as memory:
        tries = [id for (id,) in memory._store.con.execute("select exchange_id from tries")]
        assert sorted(tries) == list(range(1, 201))
        status = memory.status()
        assert status.objects == {"extractive": 0, "gguf": 200, "external": 0}
        assert (status.upgrades.tried, status.upgrades.pending, status.upgrades.failed) == (200, 0, {})
        assert (status.accounts.distilled, status.tasks.pending) == (200, 0)
        assert memory.search("billing").coverage.embedded == 200
        for id in range(1, 201):
            assert memory.get(id).object.exchange_core == BETTER.format(id - 1, id - 1, id - 1)
        assert_sound(memory)


def test_two_models_share_the_objects(two_hundred, start):
    printed = finish([start(UPGRADE, two_hundred, name) for name in "ab"])
    tried = [int(words[-2]) for words in printed]
    assert sum(tried) == 200
    assert min(tried) > 20
    assert_upgraded_once(two_hundred)


def test_one_of_two_models_is_killed_and_the_other_does_the_rest(two_hundred, start):
    killed, other = (start(UPGRADE, two_hundred, name) for name in "ab")
    watching = Store(two_hundred).con
    while watching.execute("select count(*) from upgrade").get < 100:
        time.sleep(0.01)
        assert killed.poll() is None, killed.stderr.read()
    kill(killed)
    finish([other])  # alone, with no third run
    assert_upgraded_once(two_hundred)


def test_models_that_are_killed_over_and_over_lose_one_exchange_each_time(two_hundred, start):
    for _ in range(3):
        child = start(UPGRADE, two_hundred, "a")
        for _ in range(20):
            child.stdout.readline()
        kill(child)
        con = Store(two_hundred).con
        assert con.execute("select count(*) from task where kind = 'upgrade' and state = 'running'").get <= 1
        before = con.execute("select count(*) from upgrade").get
        assert before >= 20
    finish([start(UPGRADE, two_hundred, "b")])
    assert_upgraded_once(two_hundred)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_model_that_is_asked_to_stop_gives_its_exchange_back(two_hundred, start, sign):
    code = "import signal; signal.signal(signal.SIGTERM, signal.default_int_handler)" + UPGRADE
    child = start(code, two_hundred, "a")
    for _ in range(5):
        child.stdout.readline()
    child.send_signal(sign)
    _, err = child.communicate(timeout=30)
    assert "KeyboardInterrupt" in err
    con = Store(two_hundred).con
    assert con.execute("select distinct state, attempts from task where kind = 'upgrade'").fetchall() == [
        ("pending", 0)
    ]
    assert con.execute("select count(*) from upgrade").get >= 5


def test_two_processes_embed_what_was_said_once(many, start):
    with open_memory(many) as memory:
        memory.distill()
    printed = finish([start(EMBED, many, name) for name in "ab"])
    with open_memory(many) as memory:
        parts = memory._store.con.execute("select exchange_id, part from vector where layer = 'verbatim'").fetchall()
        assert sum(int(words[0]) for words in printed) == len(parts) == len(set(parts)) == 700
        assert memory.embed(verbatim=True).embedded == memory.status().tasks.pending == 0
        assert_sound(memory)


def test_a_distiller_that_fails_gives_its_tasks_back(tmp_path, talk):
    class Broken(WordEmbedder):
        def embed(self, texts):
            raise KeyboardInterrupt

    path = tmp_path / "memory.db"
    with Memory(path, embedder=Broken()) as memory:
        memory.add(talk("Why does the pool time out under load every night?", "Because five connections are too few."))
        with pytest.raises(KeyboardInterrupt):
            memory.distill()
    with open_memory(path) as memory:
        report = memory.distill()
        assert (report.distilled, report.embedded, report.pending) == (0, 1, 0)


def test_an_import_that_is_killed_and_run_again_equals_one_clean_run(tmp_path, start):
    lines = [
        f'{{"type": "{role}", "uuid": "u{i}", "sessionId": "s", "timestamp": "2026-05-03T{i // 3600 % 24:02}:'
        f'{i // 60 % 60:02}:{i % 60:02}Z", "message": {{"role": "{role}", "content": "line {i} about pools"}}}}'
        for i in range(4_500)
        for role in [("user", "assistant")[i % 2]]
    ]
    file = tmp_path / "session.jsonl"
    file.write_text("\n".join(lines) + "\n")
    path = tmp_path / "memory.db"
    open_memory(path).close()
    watching = Store(path).con
    for _ in range(2):
        seen = watching.execute("select count(*) from message").get
        child = start(IMPORT, path, "x", file)
        while child.poll() is None and watching.execute("select count(*) from message").get == seen:
            time.sleep(0.002)
        kill(child)
    killed_at = watching.execute("select count(*) from message").get
    assert 0 < killed_at < 4_500
    with open_memory(path) as memory, open_memory(tmp_path / "clean.db") as clean:
        report = memory.import_path(file)
        assert (report.records_in, report.duplicate) == (4_500, killed_at)
        assert report.records_in == report.stored + report.duplicate + sum(report.skipped.values())
        clean.import_path(file)
        for table in ("message", "exchange"):
            columns = "seq, ply, role, content" if table == "message" else "ply_start, ply_end, seq_start, seq_end"
            query = f"select {columns} from {table} order by 1"
            assert memory._store.con.execute(query).fetchall() == clean._store.con.execute(query).fetchall()
        assert memory.import_path(file).stored == 0
        assert_sound(memory)
