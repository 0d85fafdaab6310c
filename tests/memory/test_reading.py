"""A model reads beside the rules: it adds and betters, takes nothing away, and reads each exchange once."""

import json
import random
import re

import pytest

from memlite.memory import Memory
from memlite.store import tasks
from tests.generators import CallingGenerator
from tests.recheck import not_said

CITIES = ("Lisbon", "Porto", "Leith", "Osu")
BADLY = "BadAnswer: the answer is no JSON list"


@pytest.fixture
def store(memory):
    """Four exchanges, each stating where somebody lives, by rules alone."""
    for number, city in enumerate(CITIES):
        said = f"My sister lives in {city}. The flat on floor {number} is damp."
        messages = [{"role": "user", "content": said}, {"role": "assistant", "content": "Noted."}]
        memory.add(messages, conversation=f"c{number}")
    memory.distill()
    return memory


def a_record(prompt, content="The flat on floor {} is damp and the user said so.", **change):
    """A record of the exchange in a prompt."""
    ply, number = re.search(r"^(\d+) .*floor (\d)", prompt.text, re.MULTILINE).groups()
    return {"ply": int(ply), "type": "fact", "content": content.format(number), "keywords": [], **change}


def read(store, answer, *, name="stand-in", **how):
    """Have a model that answers so read for records."""
    model = CallingGenerator(lambda prompt: "{}", name=name)
    asked = []
    model.records = lambda prompt: asked.append(prompt) or answer(prompt)
    with Memory(store.path, embedder=store._embedder, generator=model) as other:
        return other.distill(engine="gguf", **how), len(asked)


def damp(prompt):
    return json.dumps([a_record(prompt, "The flat on floor {} is damp.")])


def all_of(store):
    return {(record.content, record.engine) for record in store.records(limit=None)}


def test_what_a_model_reads_joins_what_the_rules_found(store, con):
    before = {record.id: record for record in store.records(limit=None)}
    stored = con.execute("select count(*) from record").get
    new = "The sister of the user has a damp floor."
    report, asked = read(store, lambda prompt: json.dumps([a_record(prompt, new)]))
    after = {record.id: record for record in store.records(limit=None)}
    assert asked == report.windows == report.records == 4
    # All four say the same, so that one of them stands for all.
    assert report.records_embedded == con.execute("select count(*) from record").get == stored + 4
    assert len(after) == len(before) + 1
    assert before.items() <= after.items()
    made = con.execute("select distinct model, version from record where engine = 'gguf'").fetchall()
    assert [version for _, version in made] == ["gguf-1"]
    assert made[0][0].startswith("sha256:")
    assert store.status().reading.models_read == 4
    assert store.records("sister damp")


def test_what_is_known_already_is_dropped_and_counted(store):
    known = all_of(store)

    def echo(prompt):
        content = re.search(r"My (sister lives in \w+)", prompt.text)[1]
        return json.dumps([a_record(prompt, f"The user's {content}."), a_record(prompt, "The user's sister lives.")])

    report, _ = read(store, echo)
    assert (report.records, all_of(store)) == (0, known)
    assert report.records_refused == {"said already": 8}


def test_an_exchange_is_read_once_by_a_model_and_again_when_it_is_asked_to(store):
    assert read(store, damp, limit=3)[1] == 3
    assert read(store, damp)[1] == 1
    assert read(store, damp)[1] == read(store, damp, name="another")[1] == 0
    assert read(store, damp, upgrade=True)[1] == 0
    assert read(store, damp, name="another", upgrade=True)[1] == 4
    store.add([{"role": "user", "content": "Floor 9 is dry."}], conversation="c0")
    assert read(store, lambda prompt: "[]")[1] >= 1


def test_nothing_to_state_is_no_failure_and_is_remembered(store):
    report, asked = read(store, lambda prompt: "[]")
    assert (asked, report.records, report.windows_failed) == (4, 0, {})
    assert read(store, lambda prompt: "[]")[1] == 0


def test_a_failed_window_is_in_sight_and_tried_again_a_few_times(store):
    before = all_of(store)

    def poisoned(prompt):
        return '[{"ply": 0' if "Porto" in prompt.text else "[]"

    for attempt in range(tasks.MAX_ATTEMPTS):
        report, asked = read(store, poisoned)
        assert (asked, report.windows_failed) == (1 if attempt else 4, {BADLY: 1})
        assert store.status().reading.models_failed == {BADLY: 1}
        assert (store.status().reading.failed, store.status().tasks.failed) == ({}, 0)
    assert read(store, damp)[1] == 0
    assert read(store, lambda prompt: "[]", name="better", upgrade=True)[1] == 4
    assert store.status().reading.models_failed == {}
    assert all_of(store) == before


def test_the_smallest_models_are_not_asked_unless_a_strategy_says_so(store):
    model = CallingGenerator(lambda prompt: "{}", parameters=135_000_000)
    asked = []
    model.records = lambda prompt: asked.append(prompt) or "[]"
    with Memory(store.path, embedder=store._embedder, generator=model) as other:
        other.distill(engine="gguf")
        assert asked == []
        other.distill(engine="gguf", strategy="records")
        assert len(asked) == 4


def test_bad_answers_on_a_real_store_leave_no_junk(store):
    dice = random.Random(7)
    rules = all_of(store)

    def bad(prompt):
        said = re.findall(r"\w+", prompt.text)
        words = " ".join(dice.choices(said, k=dice.randrange(2, 12)))
        contents = ["Mallory lives in Reykjavik since 1999.", words, "The flat on floor 7 is damp."]
        record = a_record(prompt, "{}", ply=dice.choice([0, 0, 0, 1, 7]), type=dice.choice(["fact", "rumour"]))
        record["content"] = dice.choice([*contents, prompt.question[:150]])
        answer = json.dumps([{**record, "time": "2021-02-31", "location": "Rome"}] * 3)
        return answer[: dice.choice([-5, 10_000, 10_000])]

    for attempt in range(30):
        read(store, bad, name=f"bad {attempt}", upgrade=True)
        for record in store.records(limit=None):
            messages = {message.id: message.content for message in store.get(record.exchange_id).messages}
            assert not_said(record.content, messages[record.message_id] + "\nThe user the assistant") == []
            assert (record.location, record.time_start) in (("", None), *((city, None) for city in CITIES))
    assert {one for one in all_of(store) if one[1] == "extractive"} <= rules
