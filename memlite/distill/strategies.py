"""How a model is asked, by what it can do. A strategy is a value: the code that asks is the same for all.

Measured on 135 and 270 million weights: a sentence they are free to write is mostly false or a loop, and one that may
only use words of the exchange is false too ("3.1 GB is not a 32gb machine"), since true words make untrue sentences.
So the smallest only choose among what the rules have made, and only where the rules are in two minds: a choice among
candidates that keep more of the exchange's words cost LoCoMo 0.035 of its MRR. See benchmarks/README.md.
"""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from memlite.errors import UsageError

Field = Literal["exchange_core", "specific_context", "rooms"]
How = Literal["write", "copy", "choose"]
"""Freely; with the words of the exchange and a few of grammar; among what the rules have made."""


class Strategy(Struct, frozen=True):
    """What is asked for, field by field or together, and how it is answered."""

    name: str
    parameters: int
    """Weights of the smallest model it is for."""
    asks: tuple[tuple[Field, ...], ...]
    """Fields asked for together; the exchange is read once for all of them."""
    how: How
    exchange_tokens: int
    """What the model reads of an exchange at most."""
    answer_tokens: int
    """What it writes for one ask at most."""
    least_survival: float
    """The part of an exchange's 15 rarest words that its object must keep."""
    reminds: bool = False
    """Whether a model that kept too few is asked once more, with the rarest of them."""
    records: bool = False
    """Whether the model is also asked for dimensional records (memlite.extract.model)."""
    near: float = 0.0
    """Of the rules' score for their own detail, what another must have to be a choice. It must then also keep as
    many of the rarest words."""


WHOLE = Strategy(
    name="whole",
    parameters=1_500_000_000,
    asks=(("exchange_core", "specific_context", "rooms"),),
    how="write",
    exchange_tokens=2500,
    answer_tokens=320,
    least_survival=0.25,
    reminds=True,
    records=True,
)
FIELDS = Strategy(
    name="fields",
    parameters=400_000_000,
    asks=(("exchange_core",), ("specific_context",), ("rooms",)),
    how="write",
    exchange_tokens=1200,
    answer_tokens=160,
    least_survival=0.25,
    reminds=True,
    records=True,
)
COPY = Strategy(
    name="copy",
    parameters=400_000_000,
    asks=(("exchange_core",),),
    how="copy",
    exchange_tokens=600,
    answer_tokens=320,
    least_survival=0.25,
)
CHOOSE = Strategy(
    name="choose",
    parameters=0,
    asks=(("specific_context",),),
    how="choose",
    exchange_tokens=200,
    answer_tokens=160,
    least_survival=0.0,
    near=0.9,
)
CHOOSE_FREELY = replace(CHOOSE, name="choose-freely", asks=(("exchange_core",), ("specific_context",)), near=0.0)
RECORDS = replace(CHOOSE, name="records", records=True)
"""For seeing what records a small model makes; without this name none is asked for any."""
STRATEGIES = {strategy.name: strategy for strategy in (WHOLE, FIELDS, COPY, CHOOSE, CHOOSE_FREELY, RECORDS)}


def get_strategy(name: str | None, parameters: int) -> Strategy:
    """Return the strategy of this name; without one, that for a model of so many weights.

    :raises UsageError: there is no such strategy
    """
    if not name:
        return next(one for one in (WHOLE, FIELDS, CHOOSE) if parameters >= one.parameters)
    if name not in STRATEGIES:
        raise UsageError(f"there is no strategy {name!r}. Choose: {', '.join(STRATEGIES)}")
    return STRATEGIES[name]
