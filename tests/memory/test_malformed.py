"""A model that writes nonsense: 1,000 malformed answers on a real store leave no trace but their reasons."""

import json
import random
import re

import pytest

from memlite.distill import prompting, upgrade
from memlite.distill.strategies import FIELDS, WHOLE
from memlite.extract.prompting import QUESTION
from memlite.memory import Memory
from memlite.store import tasks
from memlite.types.palace import Exchange, Turn
from tests.generators import CallingGenerator, QueuedGenerator, an_object
from tests.memory.conftest import add_billing, better
from tests.recheck import ungrounded

EXCHANGES, ANSWERS = 50, 1_000
WHAT = ("exchange_core", "specific_context", "rooms")
PROMPT = "\n".join((prompting.INSTRUCTION, prompting.question(WHAT)))
VALUES = [
    *(None, True, -1, 1e999, "", "x", "\x00", "\ud83d", "\u202eevil", [], {}, [[]], {"facts": ["Port 7 was taken"]}),
    *('{"facts": ["a"]}', "the the the the the the the", "HACKED " * 90, "A" * 100_000, PROMPT, "```json", "<think>hm"),
    *(
        "Mallory lives in Reykjavik since 1999.",
        "Port 70000 was taken.",
        "旧导出器占用了端口",
        "C:\\x\\y.py",
        "<|im_end|>",
    ),
    *([{"type": "concept", "label": "old exporter"}] * 9, [{"type": "attic", "label": "x"}], [{"label": 3}], [None]),
    *([{"type": "file", "key": "../../etc", "label": "../../etc/passwd"}], [{"type": "concept", "label": '{"facts"'}]),
]
WHOLE_ANSWERS = [
    *(
        "",
        " ",
        "null",
        "[]",
        "{",
        "}",
        "{}" * 2,
        '"',
        "\ufeff{}",
        "[" * 5_000,
        '{"a":' * 5_000,
        "NaN",
        "I cannot help.",
    ),
    *(
        "```json\n{}\n```",
        '<think>\nso\n</think>{"exchange_core": "x"}',
        "- Port 7 was taken\n- it failed",
        "\ufffd" * 99,
    ),
    *(
        '{"facts": ["Port 7 was taken by the old exporter."]}',
        "{'exchange_core': 'x'}",
        '{"exchange_core": "a" "b"}',
        PROMPT,
    ),
]


def malformed(dice, prompt):
    """One of many ways to be wrong, sometimes in words of the exchange."""
    said = re.findall(r"\w+", prompt.text)
    words = " ".join(dice.choices(said, k=dice.randrange(1, 40)))
    values = [*VALUES, words, f'{{"facts": ["{words}"]}}']
    fields = [*WHAT, "facts"]
    kind = dice.randrange(8)
    if kind > 4:  # of the right types at least
        values, fields = [value for value in values if isinstance(value, str)], ["facts", *WHAT[:2]]
    answer = json.dumps({name: dice.choice(values) for name in dice.sample(fields, k=dice.randrange(len(fields)))})
    if kind == 0:
        return dice.choice(WHOLE_ANSWERS)
    if kind == 1:  # cut off, as at the most tokens
        return answer[: dice.randrange(len(answer))]
    if kind == 2:  # some characters are others
        signs = list(answer[:2_000])
        for _ in range(3):
            signs[dice.randrange(len(signs))] = chr(dice.choice([0, 10, 34, 92, 125, 0x2028, 0xD800, 0x1F600]))
        return "".join(signs)
    if kind == 3:
        return words
    return answer


class Malformed(CallingGenerator):
    """As many words as it likes: nothing cuts its answers off."""

    def complete(self, prompt, *, grammar, max_tokens):
        if prompt.question == QUESTION:
            return "[]"
        self.given.append(prompt)
        return self.answer(prompt)


@pytest.fixture
def store(memory):
    add_billing(memory, range(EXCHANGES))
    memory.distill()
    return memory


def check_objects(memory, con):
    for id in range(1, EXCHANGES + 1):
        view = memory.get(id)
        exchange = Exchange(tuple(Turn(each.role, each.content, each.speaker) for each in view.messages))
        assert ungrounded(view.object, exchange) == []
        assert 1 <= len(view.object.rooms) <= 3
    stored = con.execute("select exchange_core || ' ' || specific_context from palace_object").fetchall()
    stored += con.execute("select key || ' ' || label from room").fetchall()
    for (text,) in stored:
        assert not re.search(r'[{}\[\]<>"`\x00-\x1f]|facts|HACKED|think|Reykjavik|exchange_core', text), text
        assert not runs(text) & runs(PROMPT)


def runs(text, length=6):
    """Every run of six words: what only a model that repeats its instructions would write."""
    words = re.findall(r"\w+", text.casefold())
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


def test_a_thousand_malformed_answers_leave_no_junk(store, con):
    dice = random.Random(19)
    asked = tried = failed = 0
    while asked < ANSWERS:
        strategy = dice.choice([WHOLE, FIELDS])
        model = Malformed(lambda prompt: malformed(dice, prompt), name=f"bad {asked}")
        with Memory(store.path, embedder=store._embedder, generator=model) as other:
            report = other.distill(engine="gguf", upgrade=True, strategy=strategy.name).upgrades
        asked += len(model.given)
        assert report.tried == report.improved + report.kept
        assert report.tried + sum(report.failed.values()) == EXCHANGES
        assert report.pending == 0
        status = store.status()
        assert status.upgrades.failed == report.failed  # visible until it is tried again
        assert (status.accounts.distilled, status.tasks.pending, status.tasks.failed) == (EXCHANGES, 0, 0)
        assert all(reason.startswith(("BadAnswer: ", "RecursionError: ")) for reason in report.failed)
        check_objects(store, con)
        tried, failed = tried + report.tried, failed + sum(report.failed.values())
    assert tried > 100
    assert failed > 100


def test_what_failed_is_tried_again_a_few_times_and_by_a_better_model(store):
    bad = QueuedGenerator(["junk"] * 10_000)
    for attempt in range(tasks.MAX_ATTEMPTS):
        with Memory(store.path, embedder=store._embedder, generator=bad) as other:
            report = other.distill(engine="gguf").upgrades
        assert report.failed == {f"BadAnswer: {upgrade.BadAnswer('the answer is no JSON object')}": EXCHANGES}
        assert len(bad.given) == (attempt + 1) * EXCHANGES
    assert store.status().upgrades.failed == report.failed
    with Memory(store.path, embedder=store._embedder, generator=CallingGenerator(better, name="good")) as other:
        assert other.distill(engine="gguf", upgrade=True).upgrades.improved == EXCHANGES
    assert store.status().upgrades.failed == {}


def test_the_instruction_said_back_is_stored_nowhere(store, con):
    lines = [prompting.INSTRUCTION, prompting.CORE, prompting.CONTEXT, prompting.ROOMS, prompting.ASK]
    for number, line in enumerate(lines):
        model = CallingGenerator(lambda prompt, line=line: an_object(line[:300], line[:120]), name=f"parrot {number}")
        with Memory(store.path, embedder=store._embedder, generator=model) as other:
            assert other.distill(engine="gguf", upgrade=True).upgrades.improved == 0
    check_objects(store, con)
