"""What a model may choose among: nothing but what the rules could have made."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.distill import candidates, distil
from memlite.distill.candidates import DETAILS, WITHOUT, contexts, cores, shortest_beginnings
from memlite.distill.grounding import context_fault, core_fault
from memlite.distill.reading import read
from memlite.types.palace import Exchange, Turn
from tests.recheck import folded, not_said
from tests.test_samples import CONVERSATIONS


def said(*contents, speakers=("", ""), style="assistant"):
    roles = ("user", "assistant")
    return Exchange(tuple(Turn(roles[i % 2], text, speakers[i % 2]) for i, text in enumerate(contents)), style=style)


def exchanges(key):
    """The pairs of a bundled conversation."""
    messages = CONVERSATIONS[key]
    style = "peers" if "speaker" in messages[0] else "assistant"
    for first, second in zip(messages[::2], messages[1::2], strict=False):
        pair = first["content"], second["content"]
        yield said(*pair, speakers=(first.get("speaker", ""), second.get("speaker", "")), style=style)


def check(exchange):
    """All of them grounded, or what the rules took; different, few, the rules' own first. Return how many there are."""
    reading, made = read(exchange), distil(exchange)
    found = cores(reading)
    assert len(set(found)) == len(found) <= 1 + WITHOUT + 2
    assert all(found)
    assert not found or found[0] == made.exchange_core
    text = "\n".join([*(turn.content for turn in exchange.turns), *(turn.speaker for turn in exchange.turns)])
    for core in found:
        assert core == made.exchange_core or core_fault(core, exchange) in ("", "too short"), core
        assert not_said(core, text) == []
    details = contexts(reading, made.exchange_core, exchange)
    assert len(set(details)) == len(details) <= DETAILS
    assert not details or details[0] == made.specific_context
    for detail in details:
        assert detail == made.specific_context or context_fault(detail, exchange) in ("", "too short"), detail
        assert any(folded(detail) in folded(turn.content) for turn in exchange.turns)
    return len(found), len(details)


LONG = (
    "The nightly export of the billing service fails with ENOSPC since Friday. Why? I need it by 8:15 for Nadia.",
    "The disk of ops-2 is full: 412 GB of rotated logs in /var/log/exporter. I raised the limit to 20 files "
    "and removed everything older than 14 days. The export ran through in 3.2 minutes. Next I would move the logs to "
    "the volume of ops-3, since this one fills up again in six weeks. The config is in /etc/logrotate.d/exporter.",
)


def test_there_is_something_to_choose_in_a_long_exchange():
    found, details = check(said(*LONG))
    assert found >= 3
    assert details >= 3


def test_one_leaves_out_each_of_the_best_and_one_is_made_of_each_side_alone():
    reading = read(said(*LONG))
    found = cores(reading)
    assert any("ENOSPC" not in core for core in found)
    assert any("Nadia" not in core and "export" in core for core in found)


@pytest.mark.parametrize("contents", [[], [""], ["ok"], ["thanks!", "Great question!"], ["```\ncode()\n```", ""]])
def test_filler_gives_few_or_none(contents):
    check(said(*contents))
    assert len(cores(read(said(*contents)))) <= 1


@pytest.mark.parametrize("key", CONVERSATIONS)
def test_candidates_of_the_bundled_conversations_are_grounded(key):
    assert sum(check(exchange)[0] > 1 for exchange in exchanges(key)) > 0


def test_a_secret_is_no_candidate():
    key = "sk-live-" + "a1B2" * 8
    exchange = said(f"Deploy with the key {key} tonight, please, as always.", "Deployed at 21:04 to eu-west with it.")
    made = [*cores(read(exchange)), *contexts(read(exchange), "", exchange)]
    assert made
    assert not any(key in text for text in made)


# -- their names --

TEXTS = st.lists(st.text(min_size=1).filter(str.strip), max_size=6, unique=True)


@given(TEXTS | st.lists(st.text("ab ,你好", min_size=1).filter(str.strip), max_size=6, unique=True))
def test_a_beginning_stands_for_one_text(texts):
    found = shortest_beginnings(texts)
    assert sorted(found.values()) == sorted(texts)
    for name, text in found.items():
        assert name
        assert text.startswith(name)
        assert name == text or [other for other in texts if other.startswith(name)] == [text]
    assert len({json.dumps(name) for name in found}) == len(texts)


def test_a_beginning_is_as_short_as_can_be_and_made_of_whole_words():
    found = shortest_beginnings(["the pool hangs at night", "the pool holds five", "port 80 was taken", "the pool"])
    assert list(found) == ["the pool hangs", "the pool holds", "port", "the pool"]


def test_texts_without_spaces_are_told_apart_by_a_sign():
    found = shortest_beginnings(["今天把登录超时改成30秒", "今天把网关改成20秒", "db.py 改成30秒"])
    assert list(found) == ["今天把登", "今天把网", "db.py"]


def test_one_text_is_named_by_its_first_word_and_none_by_nothing():
    assert shortest_beginnings(["the pool hangs"]) == {"the": "the pool hangs"}
    assert candidates.shortest_beginnings([]) == {}
