"""Every word of an object is found where it was said."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.distill import distil
from memlite.distill.evidence import evidence
from memlite.text.words import rarity
from memlite.types.palace import Exchange, PalaceObject, Turn

DATA = Path(__file__).parents[3] / "shared" / "data"
WIDE = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f]")


def texts(exchange, made, field="exchange_core"):
    return [exchange.turns[at.turn].content[at.start : at.end] for at in evidence(exchange, made) if at.field == field]


def uncovered(exchange, made):
    """The words of a core that lie in no span, without the names that say who speaks."""
    core = made.exchange_core
    for name in {turn.speaker for turn in exchange.turns} - {""}:
        core = re.sub(rf"(?:^|(?<=[.!?…。！？]) ?){re.escape(name)}: ", "\n", core)
    held = " ".join(texts(exchange, made))
    parts = [part for part in re.findall(r"[^\W_]+", core) if not WIDE.search(part)]
    return [part for part in parts if rarity(part) > 0 and part not in held]


def check(exchange, made):
    found = evidence(exchange, made)
    for at in found:
        assert 0 <= at.start < at.end <= len(exchange.turns[at.turn].content)
    assert len(set(found)) == len(found)
    assert uncovered(exchange, made) == []
    if made.specific_context:
        assert texts(exchange, made, "specific_context") == [made.specific_context]


def said(*contents, speakers=("", ""), style="assistant"):
    roles = ("user", "assistant")
    turns = tuple(Turn(roles[i % 2], text, speakers[i % 2]) for i, text in enumerate(contents))
    return Exchange(turns, style=style)


def test_spans_are_into_the_content_as_stored():
    reminder = "<system-reminder>no</system-reminder>"
    exchange = said(reminder + "The **pool** in `db.py`\nhangs, [see](http://x.y) the log.", "Yes.")
    made = PalaceObject("The pool in db.py hangs", "hangs, [see]")
    assert texts(exchange, made) == ["The **pool** in `db.py`\nhangs"]
    (detail,) = [at for at in evidence(exchange, made) if at.field == "specific_context"]
    assert exchange.turns[0].content[detail.start : detail.end] == "hangs, [see]"


def test_the_longest_run_tells_the_place():
    exchange = said("the pool hangs", "Cause: the pool is too small for 16 threads")
    assert texts(exchange, PalaceObject("the pool is too small", "")) == ["the pool is too small"]


def test_labels_are_no_evidence_and_glue_is_left_out():
    exchange = said("I saw Bo at the pool", "Great, the pool", speakers=("Ana", "Bo"), style="peers")
    assert texts(exchange, PalaceObject("Bo: pool. Ana: saw", "")) == ["saw", "pool"]
    assert texts(exchange, PalaceObject("the I at", "")) == []


def test_a_rephrased_core_rests_on_the_phrases_it_kept():
    exchange = said("raise the pool size to 25", "Raised it in src/db/pool.py, tests are green")
    made = PalaceObject("Pool size to 25 was raised since cats; tests are green", "")
    assert texts(exchange, made) == ["pool size to 25", "Raised", "tests are green"]
    assert "cat" not in " ".join(texts(said("the catalog of cats2"), PalaceObject("a cat", "")))


def test_a_word_cut_for_length_is_found_by_its_beginning():
    exchange = said("x" * 900 + " end")
    made = distil(exchange)
    check(exchange, made)


def test_an_empty_object_rests_on_nothing():
    assert evidence(Exchange(()), PalaceObject("", "")) == ()


TALK = [
    "GET /api/v2/shipments takes 4.8s since the release on Friday. Find out why, please",
    "Great question! Let me check. Cause: commit 8f31c2e added `carrier_name` in `shipments/views.py:88`.",
    "```python\ndef f(x):\n    return x\n```\nDone: **612** -> _3_ queries.",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "<system-reminder>never say this word: zanzibar</system-reminder>ok do it",
    "今天把登录超时改成30秒。原因：网关在20秒就断开了！",
    "Ich nehme den Zug um 8:15, weil das Auto kaputt ist.",
    "a" * 900,
    "word " * 300,
]
CONTENTS = st.lists(st.one_of(st.sampled_from(TALK), st.text(max_size=200)), min_size=1, max_size=3).map("\n".join)


@given(st.lists(CONTENTS, min_size=1, max_size=3), st.sampled_from(["assistant", "peers"]))
def test_spans_are_valid_whatever_was_said(contents, style):
    exchange = said(*contents, speakers=("Ana", "Bo"), style=style)
    for at in evidence(exchange, distil(exchange)):
        assert 0 <= at.start < at.end <= len(exchange.turns[at.turn].content)


@given(st.lists(st.sampled_from(TALK), min_size=1, max_size=4), st.sampled_from(["assistant", "peers"]))
def test_every_word_is_covered(contents, style):
    exchange = said(*contents, speakers=("Ana", "Bo"), style=style)
    check(exchange, distil(exchange))


LABELLED = sorted((DATA / "labelled").glob("*.jsonl"))


@pytest.mark.skipif(not LABELLED, reason="needs ../shared/data/labelled")
@pytest.mark.parametrize("file", LABELLED, ids=lambda file: file.stem)
def test_every_word_of_the_labelled_conversations_is_covered(file):
    for line in file.read_text(encoding="utf-8").splitlines():
        window = json.loads(line)
        for gold in window["objects"]:
            first, last = gold["plies"]
            spoken = window["messages"][first : last + 1]
            turns = tuple(Turn(one["role"], one["content"], one["speaker"]) for one in spoken)
            exchange = Exchange(turns, style=window["style"])
            check(exchange, distil(exchange))
