"""Which strategy a model of which size gets."""

import pytest

from memlite.distill.strategies import CHOOSE, FIELDS, STRATEGIES, WHOLE, get_strategy
from memlite.errors import UsageError

LLAMA_CONTEXT = 4096


@pytest.mark.parametrize(
    ("parameters", "strategy"),
    [
        (0, CHOOSE),
        (135_000_000, CHOOSE),
        (FIELDS.parameters - 1, CHOOSE),
        (FIELDS.parameters, FIELDS),
        (WHOLE.parameters - 1, FIELDS),
        (WHOLE.parameters, WHOLE),
        (70_000_000_000, WHOLE),
    ],
)
@pytest.mark.parametrize("name", ["", None])
def test_without_a_name_the_size_of_the_model_decides(parameters, strategy, name):
    assert get_strategy(name, parameters) is strategy


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_name_decides_whatever_the_size(name):
    assert get_strategy(name, 0) is get_strategy(name, 10**12) is STRATEGIES[name]
    assert STRATEGIES[name].name == name


@pytest.mark.parametrize("name", ["guess", "WHOLE", " ", "whole "])
def test_any_other_name_is_refused_with_those_there_are(name):
    with pytest.raises(UsageError) as error:
        get_strategy(name, 0)
    assert all(known in str(error.value) for known in STRATEGIES)


@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
def test_what_a_strategy_asks_for_fits_a_prompt(strategy):
    asked = [field for fields in strategy.asks for field in fields]
    assert asked
    assert len(set(asked)) == len(asked)
    assert "rooms" not in asked or strategy.how == "write"
    assert strategy.exchange_tokens + strategy.answer_tokens < LLAMA_CONTEXT - 400
    assert not strategy.near or strategy.how == "choose"
