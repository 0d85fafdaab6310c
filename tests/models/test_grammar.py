"""Grammars: llama.cpp reads each of them, whatever stands in it, and they allow what they say and nothing else."""

import ctypes
import json
import math
import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlite.distill.strategies import STRATEGIES
from memlite.distill.upgrade import COPIED_WORDS, WRITTEN_CONTEXT, WRITTEN_CORE, WRITTEN_LABEL
from memlite.models import grammar
from tests.models.gguf_files import SMOLLM2, needs_smollm2

llama_cpp = pytest.importorskip("llama_cpp", reason="llama-cpp-python is not installed (extra llm)")

AWKWARD = [
    'he said "no"',
    "C:\\new\\table",
    "two\nlines\r\nand a\ttab",
    "\\",
    '"',
    '\\"',
    "\\n",
    "\x00\x01\x1f\x7f",
    "日本語の文と ½ ✓",
    "👩‍👩‍👧",
    "\u2028\u0085\ufeff\u202e",
    "[^a] | (b)* {1,2} # no comment",
    "root ::= x",
    "%s {x} ${y}",
    " ",
]
TEXTS = st.lists(st.sampled_from(AWKWARD) | st.text(min_size=1), min_size=1, max_size=6)
# SmolLM2 has no tokens for planes of Unicode in which nothing is assigned: tests/models/test_llama.py
KNOWN = st.text(st.characters(max_codepoint=0x3FFFF, exclude_categories=["Cs"]), min_size=1)


def is_read(rules):
    sampler = llama_cpp.llama_sampler_init_grammar(None, rules.encode(), b"root")
    if sampler:
        llama_cpp.llama_sampler_free(sampler)
    return bool(sampler)


@pytest.fixture(scope="module")
def accepts():
    """Say whether a grammar allows a text and then the end, token by token, as when a model writes."""
    vocabulary = llama_cpp.Llama(str(SMOLLM2), vocab_only=True, verbose=False)
    pointer = llama_cpp.llama_model_get_vocab(vocabulary.model)

    def accepts(rules, text):
        tokens = vocabulary.tokenize(text.encode(), add_bos=False)
        sampler = llama_cpp.llama_sampler_init_grammar(pointer, rules.encode(), b"root")
        assert sampler
        try:
            for token in [*tokens, vocabulary.token_eos()]:
                one = (llama_cpp.llama_token_data * 1)(llama_cpp.llama_token_data(token, 1.0, 0.0))
                some = llama_cpp.llama_token_data_array(one, 1, -1, False)
                llama_cpp.llama_sampler_apply(sampler, ctypes.byref(some))
                if math.isinf(one[0].logit):
                    return False
                llama_cpp.llama_sampler_accept(sampler, token)
            return True
        finally:
            llama_cpp.llama_sampler_free(sampler)

    return accepts


def rules_of(strategy, texts):
    """The grammars a strategy may need."""
    rule = {
        "exchange_core": grammar.written(*WRITTEN_CORE),
        "specific_context": grammar.written(*WRITTEN_CONTEXT),
        "rooms": grammar.rooms(grammar.written(*WRITTEN_LABEL)),
    }
    if strategy.how == "choose":
        rule = dict.fromkeys(rule, grammar.one_of(texts))
    if strategy.how == "copy":
        rule = dict.fromkeys(rule, grammar.copied(texts, COPIED_WORDS))
    return [grammar.answer({field: rule[field] for field in fields}) for fields in strategy.asks]


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_grammar_of_every_strategy_is_read(name):
    for rules in rules_of(STRATEGIES[name], AWKWARD):
        assert is_read(rules)


def test_the_check_can_fail():
    assert not is_read('root ::= "a')
    assert not is_read("root ::= char{1,2}\n")


@given(TEXTS)
def test_whatever_the_candidates_and_words_hold_the_grammar_is_read(texts):
    assert is_read(grammar.answer({"exchange_core": grammar.one_of(texts)}))
    assert is_read(grammar.answer({"exchange_core": grammar.copied(texts, 5)}))
    assert is_read(grammar.answer({"rooms": grammar.rooms(grammar.one_of(texts))}))


@given(TEXTS)
def test_no_text_gets_out_of_its_line(texts):
    rules = grammar.answer({"exchange_core": grammar.one_of(texts)})
    lines = re.split("[\r\n]", rules)
    assert [line.split(" ::=")[0] for line in lines] == ["root", "char", ""]
    assert "\x00" not in rules


@pytest.mark.parametrize("name", STRATEGIES)
def test_bounds_are_small(name):
    """llama.cpp unrolls a repetition: a bound of thousands makes a grammar that is refused or takes minutes."""
    for rules in rules_of(STRATEGIES[name], AWKWARD):
        bounds = re.findall(r"\{(\d+),(\d*)\}", rules.replace("{1,2} #", ""))
        assert all(int(least) <= int(most) <= 300 for least, most in bounds)
        assert not re.search(r'(?<=[\w)"\]])[*+](?= |$)', re.sub(r'"(?:[^"\\]|\\.)*"', '""', rules))


# -- what they allow --


def written(**fields):
    return json.dumps(fields, ensure_ascii=False)


@needs_smollm2
@pytest.mark.model
def test_exactly_the_candidates_are_allowed(accepts):
    rules = grammar.answer({"exchange_core": grammar.one_of(AWKWARD)})
    for text in AWKWARD:
        assert accepts(rules, written(exchange_core=text)), text
        assert msgspec.json.decode(written(exchange_core=text)) == {"exchange_core": text}
    for text in ("something else", "", "he said", AWKWARD[0] + "!", "%s"):
        assert not accepts(rules, written(exchange_core=text)), text
    whole = written(exchange_core=AWKWARD[0])
    for broken in (whole[:-1], whole + " ", " " + whole, '"x"', "{}", written(core=AWKWARD[0])):
        assert not accepts(rules, broken), broken


@needs_smollm2
@pytest.mark.model
@settings(max_examples=60, deadline=None)
@given(texts=st.lists(st.sampled_from(AWKWARD) | KNOWN, min_size=1, max_size=6))
def test_any_candidate_is_allowed_as_json_writes_it(accepts, texts):
    rules = grammar.answer({"specific_context": grammar.one_of(texts)})
    for text in texts:
        assert accepts(rules, written(specific_context=text)), text


@needs_smollm2
@pytest.mark.model
def test_a_free_text_has_a_least_and_a_most(accepts):
    rules = grammar.answer({"exchange_core": grammar.written(3, 8)})
    for text in ("abc", "日本語", '"a"\n\\', "ab cd ef", "👍👍👍"):
        assert accepts(rules, written(exchange_core=text)), text
    for text in ("ab", "", "nine char", "a\x00bc", "a\x7fbc"):
        assert not accepts(rules, written(exchange_core=text)), text
    assert not accepts(rules, '{"exchange_core": "a\nbc"}')  # a bare newline is no JSON


@needs_smollm2
@pytest.mark.model
def test_copied_words_stand_in_any_order_and_number_up_to_a_bound(accepts):
    rules = grammar.answer({"exchange_core": grammar.copied(["pool", "hangs", 'db"1', "プール"], 4)})
    for text in ("pool hangs", "hangs, pool; pool", 'pool db"1 プール hangs'):
        assert accepts(rules, written(exchange_core=text)), text
    for text in ("pool", "", "pool hung", "poolhangs", "pool  hangs", "pool " * 4 + "pool", "pool hangs."):
        assert not accepts(rules, written(exchange_core=text)), text


@needs_smollm2
@pytest.mark.model
def test_one_to_three_rooms_of_the_three_types(accepts):
    rules = grammar.answer({"rooms": grammar.rooms(grammar.written(*WRITTEN_LABEL))})
    room = {"type": "concept", "label": "old exporter"}
    for rooms in ([room], [room] * 3, [{"type": "file", "label": "db.py"}, {"type": "workflow", "label": "fix"}]):
        assert accepts(rules, written(rooms=rooms)), rooms
    for rooms in ([], [room] * 4, [{"type": "attic", "label": "x y"}], [{"type": "file", "label": "x"}], [{}], {}):
        assert not accepts(rules, written(rooms=rooms)), rooms


@needs_smollm2
@pytest.mark.model
def test_fields_stand_all_and_in_order(accepts):
    rules = grammar.answer({name: grammar.written(2, 9) for name in ("exchange_core", "specific_context")})
    assert accepts(rules, written(exchange_core="ab", specific_context="cd"))
    assert not accepts(rules, written(specific_context="cd", exchange_core="ab"))
    assert not accepts(rules, written(exchange_core="ab"))
