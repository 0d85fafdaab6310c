"""A model at the objects of a store: which it is given, what it may change, how all is accounted for."""

import pytest

from memlite.distill.strategies import CHOOSE, FIELDS, WHOLE
from memlite.errors import EmbedderMismatch, ModelUnusable, UsageError
from memlite.memory import Memory, distilling, upgrading, working
from memlite.store import tasks, upgrades
from memlite.types.palace import PalaceObject
from tests.embedders import WordEmbedder
from tests.generators import NOTHING, CallingGenerator, QueuedGenerator, an_object
from tests.memory.conftest import BETTER, add_billing, better


@pytest.fixture
def store(memory):
    """Six exchanges, distilled by rules."""
    add_billing(memory, range(6))
    memory.distill()
    return memory


def using(memory, generator):
    """The same store with this model."""
    return Memory(memory.path, embedder=memory._embedder, generator=generator)


def upgrade(memory, generator, **how):
    with using(memory, generator) as other:
        return other.distill(engine="gguf", **how)


def balanced(status):
    accounts = status.accounts
    parts = accounts.distilled, sum(accounts.skipped.values()), sum(accounts.failed.values()), accounts.pending
    return sum(parts) == accounts.total == status.exchanges


def core(memory, id):
    return memory.get(id).object.exchange_core


def test_a_good_model_makes_objects_better(store, con, embedder):
    before = {id: core(store, id) for id in range(1, 7)}
    embedder.embedded.clear()
    generator = CallingGenerator(better)
    report = upgrade(store, generator)
    done = report.upgrades
    assert (done.model, done.tried, done.improved, done.kept, done.pending) == ("stand-in", 6, 6, 0, 0)
    assert done.fields == {
        "exchange_core": {"improved": 6},
        "specific_context": {"improved": 6},
        "rooms": {"improved": 6},
    }
    assert report.embedded == 6
    assert sum("failed on host" in text for text in embedder.embedded) == 6
    for id in range(1, 7):
        assert core(store, id) == BETTER.format(id - 1, id - 1, id - 1) != before[id]
    rows = con.execute("select distinct engine, model, prompt_version from palace_object").fetchall()
    assert rows == [("gguf", generator.info.digest, upgrading.upgrade.version(WHOLE))]
    assert con.execute("select count(*) from vector where layer = 'distilled'").get == 6
    status = store.status()
    assert status.objects == {"extractive": 0, "gguf": 6, "external": 0}
    assert (status.upgrades.tried, status.upgrades.improved, status.upgrades.pending) == (6, 6, 0)
    assert balanced(status)
    hits = store.search("exporter", mode="bm25:distilled").hits
    assert {hit.object.engine for hit in hits} == {"gguf"}


def test_evidence_points_at_the_words(store, con):
    upgrade(store, CallingGenerator(better))
    for id in range(1, 7):
        view = store.get(id)
        content = {message.id: message.content for message in view.messages}
        details = [at for at in view.evidence if at.field == "specific_context"]
        assert [content[at.message_id][at.start : at.end] for at in details] == [view.object.specific_context]
    assert con.execute("select count(*) from palace_object where asked_survival is null").get == 0


def test_what_is_refused_stays_and_is_not_tried_again(store, con, embedder):
    before = con.execute("select * from palace_object order by 1").fetchall()
    vectors = con.execute("select * from vector order by 1").fetchall()
    embedder.embedded.clear()
    lying = CallingGenerator(lambda prompt: an_object("The exporter of Mallory took port 99999 in Reykjavik."))
    report = upgrade(store, lying)
    assert (report.upgrades.tried, report.upgrades.improved, report.upgrades.kept) == (6, 0, 6)
    assert sum(report.upgrades.fields["exchange_core"].values()) == 6
    assert "improved" not in report.upgrades.fields["exchange_core"]
    assert con.execute("select * from palace_object order by 1").fetchall() == before
    assert con.execute("select * from vector order by 1").fetchall() == vectors
    assert embedder.embedded == []
    again = upgrade(store, lying)
    assert (again.upgrades.tried, len(lying.given)) == (0, 6)
    assert store.status().upgrades.tried == 6


@pytest.mark.parametrize("change", ["model", "prompt"])
def test_another_model_or_prompt_is_tried_when_asked_for(store, change, monkeypatch):
    upgrade(store, CallingGenerator(lambda prompt: NOTHING))
    newer = CallingGenerator(better, name="newer" if change == "model" else "stand-in")
    if change == "prompt":
        monkeypatch.setattr(upgrading.upgrade, "VERSION", "later")
    assert upgrade(store, newer).upgrades.tried == 0
    assert upgrade(store, newer, upgrade=True).upgrades.improved == 6
    assert upgrade(store, newer, upgrade=True).upgrades.tried == 0
    assert store.status().upgrades.tried == 6


def test_a_later_model_takes_nothing_away_from_an_earlier_one(store, con):
    upgrade(store, CallingGenerator(better, name="large"))
    made = [core(store, id) for id in range(1, 7)]
    small = CallingGenerator(lambda prompt: an_object("Somebody in Oslo did 77 things."), name="small")
    assert upgrade(store, small, upgrade=True).upgrades.kept == 6
    assert [core(store, id) for id in range(1, 7)] == made
    assert con.execute("select count(*) from upgrade where name = 'small'").get == 6
    assert con.execute("select count(distinct model) from palace_object").get == 1


def test_what_an_earlier_model_made_must_pass_todays_gate(store):
    upgrade(store, CallingGenerator(better, name="large"), limit=1)
    (id,) = [id for id in range(1, 7) if store.get(id).object.engine == "gguf"]
    view = store.get(id).object
    with store._store.transaction() as con:
        making = upgrading.palace.Making("sha256:x", "old", 1.0, 10, 5)
        lie = PalaceObject("Mallory drowned 4711 servers.", view.specific_context, view.rooms, view.files, "gguf")
        upgrading.palace.replace_object(con, id, lie, making, "", "2026-05-03T10:00:00.000Z")
    upgrade(store, CallingGenerator(lambda prompt: NOTHING), upgrade=True)
    after = store.get(id).object
    assert "Mallory" not in after.exchange_core
    assert after.specific_context == view.specific_context
    assert not store.search("Mallory", mode="bm25:distilled").hits


def test_the_newest_longest_and_poorest_come_first(memory, talk):
    long = "The exporter held the port since the last reboot, and nobody had told the unit file of it. " * 8
    asked = "Why did deployment 1 of the billing service fail on host db1?"
    for name, answer, start in [
        ("old", "Port 1 was taken by the old exporter.", "2026-01-01T10:00:00+00:00"),
        ("unknown", "Port 1 was taken by the old exporter.", ""),
        ("long", f"Port 1 was taken by the old exporter. {long}", "2026-05-01T10:00:00+00:00"),
        ("new", "Port 1 was taken by the old exporter.", "2026-05-02T10:00:00+00:00"),
    ]:
        memory.add(talk(asked, answer, start=start), conversation=name)
    memory.distill()
    found = upgrades.find_open(memory._store.con, upgrades.Scope())
    names = [memory.get(id).conversation.external_id for id in found]
    assert names == ["long", "new", "old", "unknown"]
    generator = CallingGenerator(lambda prompt: NOTHING)
    upgrade(memory, generator, limit=1)
    assert long.strip() in generator.given[0].text
    tried = memory._store.con.execute("select exchange_id from upgrade").fetchall()
    assert tried == [(found[0],)]


def test_limit_and_project_narrow_the_work(store):
    add_billing(store, range(6, 9), project="app")
    generator = CallingGenerator(better)
    report = upgrade(store, generator, project="app", limit=2)
    assert (report.upgrades.tried, report.upgrades.pending) == (2, 1)
    assert all(f"deployment {n}" not in prompt.text for prompt in generator.given for n in range(6))
    status = store.status()
    assert (status.objects["gguf"], status.upgrades.pending, status.tasks.pending) == (2, 1, 0)
    assert balanced(status)
    assert upgrade(store, generator, limit=0).upgrades.tried == 0
    assert store.status().upgrades.pending == 7


def test_the_floor_comes_first_and_a_project_narrows_it_too(memory):
    add_billing(memory, range(2), project="app")
    add_billing(memory, range(2, 5), project="shop")
    report = upgrade(memory, CallingGenerator(better), project="app")
    assert (report.distilled, report.upgrades.improved, report.embedded, report.pending) == (2, 2, 4, 3)
    assert memory.status().accounts.pending == 3


def test_no_minutes_are_no_work_and_all_is_told(memory):
    add_billing(memory, range(3))
    report = upgrade(memory, CallingGenerator(better), minutes=0)
    assert (report.distilled, report.embedded, report.upgrades.tried, report.pending) == (0, 0, 0, 3)
    memory.distill()
    generator = CallingGenerator(better)
    report = upgrade(memory, generator, minutes=0)
    assert (report.upgrades.tried, report.upgrades.pending, generator.given) == (0, 3, [])
    assert (memory.status().upgrades.pending, memory.status().tasks.pending) == (3, 0)
    assert memory.search("billing").coverage.waiting == 0
    assert upgrade(memory, generator).upgrades.improved == 3


def test_minutes_are_looked_at_between_exchanges(store, monkeypatch):
    clock = [1_000.0]
    monkeypatch.setattr(working.time, "monotonic", lambda: clock[0])

    def slow(prompt):
        clock[0] += 50
        return better(prompt)

    report = upgrade(store, CallingGenerator(slow), minutes=2)
    assert (report.upgrades.tried, report.upgrades.pending, report.upgrades.seconds_each) == (3, 3, 50.0)


def test_failures_are_counted_tried_again_and_stop_nothing(store):
    def moody(prompt):
        if "deployment 3 " in prompt.text:
            raise ValueError("cannot take this")
        return better(prompt)

    reason = "ValueError: cannot take this"
    for _ in range(tasks.MAX_ATTEMPTS):
        report = upgrade(store, CallingGenerator(moody))
        assert report.upgrades.failed == {reason: 1}
        store.distill()
        assert store.status().upgrades.failed == {reason: 1}
    assert store.status().objects["gguf"] == 5
    report = upgrade(store, CallingGenerator(better))
    assert (report.upgrades.tried, report.upgrades.failed) == (0, {})
    status = store.status()
    assert (status.upgrades.failed, status.accounts.distilled, status.tasks.failed) == ({reason: 1}, 6, 0)
    assert balanced(status)
    assert upgrade(store, CallingGenerator(better), upgrade=True).upgrades.improved == 1
    assert store.status().upgrades.failed == {}


@pytest.mark.parametrize("error", [ModelUnusable("the file is gone"), KeyboardInterrupt()])
def test_what_stops_the_run_gives_the_exchange_back(store, con, error):
    generator = QueuedGenerator([NOTHING, error])
    with pytest.raises(type(error)):
        upgrade(store, generator)
    assert con.execute("select distinct state, attempts, owner from task").fetchall() == [("pending", 0, "")]
    status = store.status()
    assert (status.upgrades.tried, status.upgrades.pending) == (1, 5)
    assert balanced(status)
    assert upgrade(store, CallingGenerator(better)).upgrades.tried == 5


def test_the_earlier_object_serves_searches_while_the_model_works(store):
    seen = []

    def search(prompt):
        with Memory(store.path, embedder=WordEmbedder()) as other:
            found = other.search("billing service port", mode="auto", limit=10)
            dense = other.search("billing service port", mode="distilled", limit=10)
            other.add([{"role": "user", "content": "nothing is locked meanwhile"}], conversation=f"n{len(seen)}")
            seen.append((len(found), len(dense), found.coverage.embedded, balanced(other.status())))
        return better(prompt)

    upgrade(store, CallingGenerator(search))
    assert seen == [(6, 6, 6, True)] * 6


def test_an_exchange_that_grows_meanwhile_gets_nothing_of_it(store):
    def grow(prompt):
        number = int(prompt.text.split("deployment ")[1].split()[0])
        with Memory(store.path, embedder=WordEmbedder()) as other:
            other.add([{"role": "assistant", "content": "The exporter is stopped now."}], conversation=f"c{number}")
        return better(prompt)

    report = upgrade(store, CallingGenerator(grow), limit=1)
    assert (report.upgrades.tried, report.upgrades.improved) == (0, 0)
    status = store.status()
    assert (status.accounts.pending, status.objects["gguf"], status.upgrades.pending) == (1, 0, 5)
    assert balanced(status)
    assert upgrade(store, CallingGenerator(better)).upgrades.improved == 6


def test_a_model_that_crashes_the_process_over_one_exchange_fails_it_in_the_end(store, con):
    gone = working.owner().replace("/", "/999999999/", 1).rsplit("/", 2)[0] + "/x"
    scope = upgrades.Scope()
    upgrading.ask(store._store, scope)
    crashed = []
    for _ in range(tasks.MAX_ATTEMPTS):
        with store._store.transaction() as con:
            crashed.append(upgrades.claim(con, gone, scope))
        assert working.recover(store._store)
    assert len(set(crashed)) == 1
    assert upgrade(store, CallingGenerator(better)).upgrades.tried == 5
    assert store.status().upgrades.failed == {"the process that worked on it ended": 1}
    assert not working.recover(store._store)


def test_without_vectors_the_new_object_waits_for_one(store):
    upgrade(store, CallingGenerator(better), embed=False, limit=2)
    status = store.status()
    assert (status.tasks.pending, status.accounts.pending, status.accounts.distilled) == (2, 0, 6)
    assert store.search("billing").coverage.embedded == 4
    assert store.distill().embedded == 2


def test_a_vector_that_waited_is_made_with_the_better_object(memory):
    add_billing(memory, range(2))
    memory.distill(embed=False)
    with using(memory, CallingGenerator(better)) as other:
        other.distill(engine="gguf", embed=False)
        assert other.status().tasks.pending == 2
    assert memory.distill().embedded == 2


def test_vectors_of_another_model_stop_it_before_it_starts(store):
    generator = CallingGenerator(better)
    other = Memory(store.path, embedder=WordEmbedder("another"), generator=generator)
    with other, pytest.raises(EmbedderMismatch):
        other.distill(engine="gguf")
    assert generator.given == []


def test_objects_of_older_rules_are_made_again_when_asked_for(store, con, monkeypatch):
    upgrade(store, CallingGenerator(better), limit=1)
    assert store.distill(upgrade=True).distilled == 0
    monkeypatch.setattr(distilling, "VERSION", "extractive-later")
    assert store.distill().distilled == 0
    seen = []
    distil = distilling.distil

    def watch(exchange):
        seen.append(balanced(store.status()) and len(store.search("billing", mode="distilled")))
        return distil(exchange)

    monkeypatch.setattr(distilling, "distil", watch)
    report = store.distill(upgrade=True)
    assert (report.distilled, report.embedded, seen) == (5, 5, [6] * 5)
    assert store.status().objects == {"extractive": 5, "gguf": 1, "external": 0}
    assert store.distill(upgrade=True).distilled == 0


def test_rules_that_skip_what_older_ones_took_take_the_object_out(store, monkeypatch):
    monkeypatch.setattr(distilling, "VERSION", "extractive-later")
    monkeypatch.setattr(distilling, "skip_reason", lambda exchange, least: "dull")
    store.distill(upgrade=True)
    status = store.status()
    assert (status.accounts.distilled, status.accounts.skipped) == (0, {"dull": 6})
    assert balanced(status)


def test_rules_that_make_nothing_any_more_leave_what_is_there(store, monkeypatch):
    made = [core(store, id) for id in range(1, 7)]
    monkeypatch.setattr(upgrading, "distil", lambda exchange: PalaceObject("", ""))
    assert upgrade(store, CallingGenerator(lambda prompt: NOTHING)).upgrades.kept == 6
    assert [core(store, id) for id in range(1, 7)] == made


def test_an_improved_field_of_a_planted_object_keeps_its_files(memory, talk):
    memory.add(talk("Why does /app/pool.py time out on db1?", "It was set to 5 connections only, says pool.toml."))
    memory.distill()
    files = memory.get(1).object.files
    assert files
    core = "/app/pool.py timed out on db1: it was set to 5 connections only."
    upgrade(memory, CallingGenerator(lambda prompt: an_object(core)))
    assert memory.get(1).object.exchange_core == core
    assert memory.get(1).object.files == files


def test_a_fields_tally_knows_what_was_kept():
    tally = upgrading.FieldTally()
    for outcomes in ({"rooms": "improved", "exchange_core": "same"}, {"rooms": "too broad", "exchange_core": "same"}):
        tally.add(upgrades.Attempt("gguf", "", "", "", outcomes, 0.0))
    assert (tally.improved, tally.kept) == (1, 1)
    assert tally.outcomes() == {"rooms": {"improved": 1, "too broad": 1}, "exchange_core": {"same": 2}}


def test_progress_is_told_by_exchange(store):
    seen = []
    upgrade(store, CallingGenerator(better), limit=3, progress=lambda *step: seen.append(step))
    assert seen == [(kind, done, 3) for kind in ("upgrade", "upgrade-record") for done in (1, 2, 3)]


def test_an_engine_that_is_not_there(memory):
    with pytest.raises(UsageError, match="extractive, gguf"):
        memory.distill(engine="steam")


def test_a_strategy_is_chosen_by_name_else_by_the_size_of_the_model(store, con):
    large, small = (
        CallingGenerator(better),
        CallingGenerator(lambda prompt: NOTHING, name="small", parameters=135_000_000),
    )
    upgrade(store, large, limit=1)
    upgrade(store, small, limit=1)
    upgrade(store, small, limit=1, strategy="fields")
    versions = con.execute("select prompt_version from upgrade order by rowid").fetchall()
    assert {version for (version,) in versions} == {
        upgrading.upgrade.version(strategy) for strategy in (WHOLE, CHOOSE, FIELDS)
    }
    assert upgrade(store, small, strategy="copy", upgrade=True).upgrades.tried == 6  # another way to ask is a newer one


def test_a_strategy_that_is_not_there(store):
    generator = CallingGenerator(better)
    with pytest.raises(UsageError, match="'guess'.*whole, fields, copy, choose, choose-freely"):
        upgrade(store, generator, strategy="guess")
    assert generator.given == []


def test_a_model_is_loaded_by_name_where_none_was_handed_in(store, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "memlite.models.loading.load_generator",
        lambda *given: asked.append(given) or CallingGenerator(lambda prompt: NOTHING),
    )
    store.distill(engine="gguf", model="small", threads=2, limit=0)
    with using(store, CallingGenerator(better)) as other:
        other.distill(engine="gguf", limit=0)
        other.distill(engine="gguf", model="named", limit=0)
    assert asked == [("small", 2), ("named", None)]
