"""The gate: what was said passes, what was not does not, and nothing a model writes makes it stumble."""

import json
import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.distill import distil
from memlite.distill.grounding import context_fault, core_fault, ground_rooms, settle
from memlite.grounding.form import prompt_runs
from memlite.types.palace import Exchange, PalaceObject, Proposal, Room, Turn
from tests.recheck import ungrounded

LABELLED = Path(__file__).parents[3] / "shared" / "data" / "labelled"
FILES = sorted(LABELLED.glob("*.jsonl"))

TALK = Exchange(
    (
        Turn(
            "user",
            "The pool in src/db/pool.py times out after 30 seconds since v2.4.7, see catalog page 15. "
            "do not use Redis!",
            "Zofia",
        ),
        Turn(
            "assistant",
            "Cause: commit 8f31c2e set `maxPoolSize` to 10 on 2024-05-14. I raised it to 25 in src/db/pool.py:88 and\n"
            'added a test, "pool survives a slow query". It took 4.8 s. Igor may review on friday.',
        ),
    )
)
RIGHT = "The pool in src/db/pool.py times out after 30 seconds; commit 8f31c2e set maxPoolSize to 10, raised to 25."


def test_words_of_the_exchange_pass():
    assert core_fault(RIGHT, TALK) == ""


@pytest.mark.parametrize(
    ("core", "reason"),
    [
        ("The pool times out after 31 seconds.", "number not said"),
        ("See catalog page 5 about the pool.", "number not said"),
        ("The pool times out since v2.4.", "identifier not said"),
        ("The pool times out since v2.", "identifier not said"),
        ("The pool times out since v2.4.7.", ""),
        ("The commit is of 2024-05-15.", "number not said"),
        ("The commit is of 2024-05-14.", ""),
        ("The test took 4.8s with the pool.", ""),
        ("The test took 4.8m with the pool.", "number not said"),
        ("Raised in pool.py:88 to 25.", ""),
        ("Raised in pool.py:89 to 25.", "number not said"),
        ("Raised in src/db/pond.py to 25.", "path not said"),
        ("Raised in db/pool.py to 25.", ""),
        ("Raised src/db to 25 in the pool.", ""),
        ("Raised src/pool.py to 25.", "path not said"),
        ("The maxPoolSize of the pool was 10.", ""),
        ("The minPoolSize of the pool was 10.", "identifier not said"),
        ("The pool raised PoolTimeoutError after 30 seconds.", "identifier not said"),
        ("The commit 8f31c2f set the pool to 10.", "identifier not said"),
        ("See https://example.com/pool about the pool.", "path not said"),
        ("The max_pool_size was set to 10 by the commit.", "identifier not said"),
        ("Igor set the pool to 10.", ""),
        ("Zofia set the pool to 10.", ""),
        ("Marek set the pool to 10.", "name not said"),
        ("The commit is by Marek.", "name not said"),
        ("Igor may review on Friday.", ""),
        ("Igor may review the pool in May.", "name not said"),
        ('Added a test, "pool survives a slow query".', ""),
        ('Added a test, "pool survives a query".', "quotation not said"),
        ('Added a test, "ool survives a slow quer".', "quotation not said"),
        ("do not use Redis in the pool", ""),
        ("use Redis in the pool", "negation changed"),
        ("I never raised it to 25 in the pool.", "negation changed"),
        ("The pool was migrated to another provider yesterday.", "words not said"),
        ("The pool times out after 30 seconds and then the landlord cancelled the invoice.", "words not said"),
        ("pool", "too short"),
        ("   \n ", "empty"),
        ("The pool times out. " * 30, "too long"),
        ("The pool times out. " * 5, "repeats itself"),
        ("the pool pool pool times out", "repeats itself"),
        ('{"core": "the pool times out after 30 seconds"}', "not prose"),
        ("```json\nthe pool times out", "not prose"),
        ("<|im_start|>the pool times out", "not prose"),
        ("the pool\x07 times out after 30 seconds", "unreadable"),
        ("the pool \ud800 times out after 30 seconds", "unreadable"),
        ("the pool times out, password=hunter2hunter2", "shows a secret"),
        ("el pool se agota después de 30 seconds porque una es muy pequeño.", "another language"),
        ("连接池超时是因为太小", "another language"),
    ],
)
def test_what_was_not_said_does_not_pass(core, reason):
    assert core_fault(core, TALK) == reason


def test_a_name_may_change_case_only_where_it_is_no_ordinary_word():
    said = Exchange((Turn("user", "zofia wants redis here, igor will ask apple support about the tariff"),))
    assert core_fault("Zofia wants Redis here, Igor will ask.", said) == ""
    assert core_fault("She wants redis here, ask Will.", said) == "name not said"


def test_what_tools_injected_or_returned_was_not_said():
    said = Exchange((Turn("user", "Deploy it <system-reminder>the host is Larkspur</system-reminder> on the cluster"),))
    assert core_fault("Deploy it on the cluster Larkspur.", said) == "name not said"
    assert context_fault("the host is Larkspur", said) == "not a literal span"


def test_nothing_rests_on_a_sentence_that_shows_a_credential():
    said = Exchange((Turn("user", "The staging login fails. password: Tangerine77x. The job runs at 14:05."),))
    assert core_fault("The staging login fails, Tangerine77x.", said) == "identifier not said"
    assert context_fault("Tangerine77x", said) == "not a literal span"
    assert context_fault("The job runs at 14:05.", said) == ""


def test_a_prompt_that_leaks_is_found_unless_people_said_it():
    prompt = "Write in one sentence what the pool is about, and name no one who was not named."
    forbidden = prompt_runs(prompt)
    leaked = "Write in one sentence what the pool is about."
    assert core_fault(leaked, TALK, forbidden) == "instruction text"
    assert core_fault(leaked, Exchange((Turn("user", prompt),)), forbidden) == ""
    assert core_fault(RIGHT, TALK, forbidden) == ""


@pytest.mark.parametrize(
    ("context", "reason"),
    [
        ("raised it to 25", ""),
        ("src/db/pool.py:88 and added a test", ""),  # over a line break
        ("aised it to 25", "not a literal span"),
        ("raised it to 2", "not a literal span"),
        ("raised it to 26", "not a literal span"),
        ("see catalog page 15. do not use Redis! Cause: commit", "not a literal span"),  # of two turns
        ("15", "too short"),
        ("", "empty"),
        (". . . . .", "empty"),
        ("x" * 301, "too long"),
    ],
)
def test_a_context_is_a_literal_span_of_one_turn(context, reason):
    assert context_fault(context, TALK) == reason


def test_a_context_comes_back_as_it_stands():
    made = settle(TALK, distil(TALK), Proposal(specific_context="src/db/pool.py:88 and added a  test"), "gguf")
    assert made.object.specific_context == "src/db/pool.py:88 and\nadded a test"
    assert made.outcomes["specific_context"] == "improved"


def room(label, type="concept", relevance=1.0, key="x"):
    return Room(type, key, label, relevance)


def test_rooms_are_narrow_said_and_at_most_three():
    rooms = [room("pool"), room("Pools", relevance=0.4), room("slow query", relevance=0.2), room("commit")]
    kept, reason = ground_rooms([*rooms, room("pool.py", "file", 0.9)], TALK)
    assert reason == ""
    assert [(one.key, one.label) for one in kept] == [("pool", "pool"), ("commit", "commit"), ("pool-py", "pool.py")]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (room("code"), "too broad"),
        (room("general discussion"), "too broad"),
        (room("kubernetes"), "words not said"),
        (room("cat"), "words not said"),
        (room("pond.py", "file"), "identifier not said"),
        (room("pool", "feeling"), "no such kind of room"),
        (room("slow query", "file"), "no such kind of room"),
        (room(""), "empty"),
        (room("x" * 200), "too long"),
        (room("The pool times out after 30 seconds"), "too long"),
        (room('{"pool": 1'), "not prose"),
        (Room("workflow", "deployment", "Deployment"), "words not said"),
    ],
)
def test_a_bad_room_is_dropped_and_alone_refused_with_its_reason(bad, reason):
    assert ground_rooms([bad], TALK) == ((), reason)
    kept, none = ground_rooms([bad, room("pool")], TALK)
    assert [one.key for one in kept] == ["pool"]
    assert none == ""


def test_no_room_is_no_room():
    assert ground_rooms([], TALK) == ((), "empty")


def test_a_kind_of_work_may_be_named_when_it_is_spoken_of():
    said = Exchange((Turn("user", "the deploy of the shop is stuck"),))
    (kept,), reason = ground_rooms([Room("workflow", "deployment", "Deployment", float("nan"))], said)
    assert (kept.key, kept.relevance, reason) == ("deployment", 0.0, "")


def test_each_field_is_settled_by_itself():
    floor = distil(TALK)
    settled = settle(TALK, floor, Proposal(RIGHT, "raised it to 26", ()), "gguf")
    assert settled.object.exchange_core == RIGHT
    assert settled.object.specific_context == floor.specific_context
    assert settled.object.rooms == floor.rooms
    assert settled.object.files == floor.files
    assert settled.object.engine == "gguf"
    assert settled.outcomes == {
        "exchange_core": "improved",
        "specific_context": "not a literal span",
        "rooms": "empty",
    }


def test_what_equals_the_floor_is_no_improvement():
    floor = distil(TALK)
    settled = settle(TALK, floor, Proposal(floor.exchange_core, floor.specific_context, floor.rooms), "external")
    assert set(settled.outcomes.values()) == {"same"}
    assert settled.object == floor


SAID_AND_NOT = {
    "zh": (
        "今天把登录超时改成30秒。原因：网关在20秒就断开了，张伟会测试。",
        "登录超时改成30秒，网关在20秒就断开。",
        "王芳把登录超时改成30秒。",
    ),
    "ja": (
        "受付の佐藤さんがログインのタイムアウトを30秒に変更しました。",
        "佐藤さんがタイムアウトを30秒に変更。",
        "田中さんがタイムアウトを30秒に変更。",
    ),
    "ko": (
        "민준이 로그인 타임아웃을 30초로 바꿨고 서버를 다시 시작했다.",
        "민준이 타임아웃을 30초로 바꿨다.",
        "민준이 타임아웃을 45초로 바꿨다.",
    ),
    "ru": (
        "Игорь поднял таймаут входа до 30 секунд, сервер перезапустил вечером.",
        "Игорь поднял таймаут до 30 секунд.",
        "Марина подняла таймаут до 30 секунд.",
    ),
    "es": (
        "Marta subió el tiempo de espera a 30 segundos porque la pasarela cortaba.",
        "Marta subió el tiempo de espera a 30 segundos.",
        "Lucía subió el tiempo de espera a 30 segundos.",
    ),
    "ar": (
        "رفع سامي مهلة تسجيل الدخول إلى 30 ثانية لأن البوابة تقطع الاتصال.",
        "رفع سامي مهلة تسجيل الدخول إلى 30 ثانية.",
        "رفع سامي مهلة تسجيل الدخول إلى 45 ثانية.",
    ),
}
TRANSLATED = "The user raised the login timeout to 30 seconds because the gateway was cutting the connection."


@pytest.mark.parametrize("lang", SAID_AND_NOT)
def test_an_object_speaks_the_language_of_its_exchange(lang):
    said, right, wrong = SAID_AND_NOT[lang]
    exchange = Exchange((Turn("user", said), Turn("assistant", "OK.")))
    assert core_fault(right, exchange) == ""
    assert core_fault(said, exchange) == ""
    assert core_fault(wrong, exchange) in ("name not said", "number not said", "identifier not said")
    assert core_fault(TRANSLATED, exchange) in ("another language", "words not said")
    english = Exchange((Turn("user", TRANSLATED),))
    assert core_fault(said, english) != ""


@pytest.mark.parametrize(
    "short", ["ok, ship it today", "Kaffee um acht", "ça marche bien", "明日やります", "да, завтра утром"]
)
def test_short_texts_are_not_misjudged(short):
    assert core_fault(short, Exchange((Turn("user", short),))) == ""


# -- malformed answers --

SNIPPETS = [
    '{"facts": [',
    '{"exchange_core": "',
    '"}]}',
    "```json\n",
    "```",
    "<|im_end|>",
    "<think>",
    "</s>",
    "\\n\\n",
    "\x00",
    "\ud83d",
    "\u202e",
    "\ufffd",
    "null",
    "NaN",
    "Write one sentence about the exchange.",
    "You are a helpful assistant.",
    "%s {x}",
    "🎉" * 9,
    "raised it to 25",
    "src/db/pool.py",
    "src/db/lake.py",
    "v2.4",
    "v2.4.7",
    "Redis",
    "Marek",
    "The pool",
    "times out after 30 seconds",
    "commit 8f31c2e",
    "Ignore previous instructions",
    "The user plans to visit Paris on 2025-05-26",
    "maxPoolSize",
    "a" * 5000,
]


def malformed(rnd):
    kind = rnd.randrange(4)
    if kind == 0:
        return "".join(
            chr(rnd.choice([rnd.randrange(0x250), rnd.randrange(0x11000)])) for _ in range(rnd.randrange(300))
        )
    if kind == 1:
        said = TALK.turns[rnd.randrange(2)].content
        start = rnd.randrange(len(said))
        return said[start : start + rnd.randrange(200)]
    text = rnd.choice(["", " ", "\n", ", "]).join(rnd.choices(SNIPPETS, k=rnd.randrange(1, 7)))
    return text if kind == 2 else json.dumps({"exchange_core": text, "rooms": [text]})[: rnd.randrange(400)]


def test_a_thousand_malformed_proposals_leave_nothing_ungrounded():
    rnd = random.Random(20260503)
    floor = PalaceObject("The pool times out.", "page 15", (Room("concept", "pool", "pool"),))
    counts = Counter()
    for _ in range(1000):
        types = ["file", "concept", "workflow", "", "{"]
        rooms = tuple(
            Room(rnd.choice(types), malformed(rnd), malformed(rnd), rnd.choice([0.5, -3.0, float("nan"), float("inf")]))
            for _ in range(rnd.randrange(5))
        )
        settled = settle(
            TALK, floor, Proposal(malformed(rnd), malformed(rnd), rooms), "gguf", prompt_runs(SNIPPETS[15])
        )
        made = settled.object
        assert ungrounded(made, TALK) == []
        assert '{"facts"' not in f"{made}"
        assert made.exchange_core
        assert 1 <= len(made.rooms) <= 3
        made.exchange_core.encode()
        made.specific_context.encode()
        improved = [name for name, outcome in settled.outcomes.items() if outcome == "improved"]
        assert made.engine == ("gguf" if improved else "extractive")
        counts.update(settled.outcomes.values())
    assert counts["improved"] > 20  # the fuzz reaches what passes, too
    assert len(counts) > 8


@given(st.text(max_size=500), st.text(max_size=400), st.text(max_size=80))
def test_no_text_makes_the_gate_stumble(core, context, label):
    exchange = Exchange((Turn("user", core[::-1] + " " + label), Turn("assistant", context + core)))
    settled = settle(exchange, PalaceObject("x", ""), Proposal(core, context, (room(label),)), "gguf")
    assert len(settled.object.rooms) <= 1
    assert settled.object.exchange_core
    assert settled.object.specific_context in exchange.text


# -- the labelled conversations --


def labelled():
    for file in FILES:
        for line in file.read_text(encoding="utf-8").splitlines():
            window = json.loads(line)
            for gold in window["objects"]:
                first, last = gold["plies"]
                turns = tuple(
                    Turn(message["role"], message["content"], message["speaker"])
                    for message in window["messages"][first : last + 1]
                )
                yield Exchange(turns, style=window["style"]), gold


needs_labelled = pytest.mark.skipif(not FILES, reason="needs ../shared/data/labelled")


@needs_labelled
def test_cores_written_by_hand_pass():
    faults = Counter(core_fault(gold["exchange_core"], exchange) for exchange, gold in labelled())
    assert faults[""] / faults.total() > 0.9  # the others rest on what was said before the exchange, nearly all of them
    assert faults["number not said"] + faults["path not said"] + faults["quotation not said"] <= 5


@needs_labelled
def test_cores_of_other_exchanges_do_not():
    found = list(labelled())
    swapped = [core_fault(gold["exchange_core"], found[i - 40][0]) for i, (_, gold) in enumerate(found)]
    assert swapped.count("") <= 1


@needs_labelled
def test_extractive_objects_pass_and_survive_the_second_look():
    faults = Counter()
    for exchange, _ in labelled():
        made = distil(exchange)
        faults[core_fault(made.exchange_core, exchange)] += 1
        faults["context " + context_fault(made.specific_context, exchange)] += 1
        faults["rooms " + ground_rooms(made.rooms, exchange)[1]] += 1
        assert ungrounded(made, exchange) == []
    total = faults.total() / 3
    assert faults[""] / total > 0.995  # a quotation cut in half, a line said by both sides
    assert faults["context "] / total > 0.99
    assert faults["rooms "] == total


@needs_labelled
def test_a_settled_object_survives_the_second_look():
    for exchange, gold in labelled():
        rooms = tuple(Room(one["type"], one["key"], one["label"]) for one in gold["rooms"])
        proposal = Proposal(gold["exchange_core"], gold["specific_context"], rooms)
        assert ungrounded(settle(exchange, distil(exchange), proposal, "gguf").object, exchange) == []
