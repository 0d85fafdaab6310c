"""The gguf engine: a language model makes an object better, or leaves it as the rules made it.

The model is asked under a grammar, its answer is held against the exchange (see grounding.py), and every field that
fails keeps its extractive value with the reason. So the worst that a model can do is nothing.
"""

from itertools import chain

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from memlite.distill import candidates, grammar, prompting
from memlite.distill.grounding import prompt_runs, settle
from memlite.distill.reading import read
from memlite.distill.strategies import Field, Strategy, strategy_for
from memlite.distill.survival import asked_survival, rarest, survival
from memlite.models.base import Generator, Prompt
from memlite.text.words import FUNCTION_WORDS, words
from memlite.types.palace import Exchange, PalaceObject, Proposal, Room, RoomType, Settled

VERSION = "gguf-1"
"""Of the prompt and the strategies; stored with each object."""
WRITTEN_CORE, WRITTEN_CONTEXT, WRITTEN_LABEL = (10, 300), (5, 120), (2, 40)
"""Characters that a model may write for each."""
COPIED_WORDS = 35
REMINDED = 6
"""Words named when a core kept too few."""
SURVIVES_LESS = "too few words survive"
_PROMPT = prompt_runs("\n".join((prompting.INSTRUCTION, prompting.CORE, prompting.CONTEXT, prompting.ROOMS)))


class BadAnswer(ValueError):
    """The model's answer is no JSON object of the fields it was asked for."""


class _Room(Struct):
    type: RoomType
    label: str


class _Answer(Struct):
    exchange_core: str = ""
    specific_context: str = ""
    rooms: list[_Room] = []


_ANSWER = msgspec.json.Decoder(_Answer)


def upgrade(exchange: Exchange, floor: PalaceObject, generator: Generator, strategy: Strategy | None = None) -> Settled:
    """Have a model improve `floor`, the object that the rules made of the exchange.

    `strategy` says how it is asked; without one, the number of its weights does. Fields that it is not asked for are
    not among the outcomes.

    :raises BadAnswer: the answer cannot be read; asking again later may help
    :raises ModelUnusable: the model does not run
    """
    asking = _Asking(exchange, floor, generator, strategy or strategy_for(generator.info.parameters))
    settled = asking.settled()
    if asking.strategy.reminds and asking.poorer(settled):
        settled = asking.settled(keep=tuple(rarest(exchange.text)[:REMINDED]))
    for field in asking.poorer(settled):
        settled = _taken_back(settled, floor, field)
    return settled


class _Asking:
    """One exchange put to a model."""

    def __init__(self, exchange: Exchange, floor: PalaceObject, generator: Generator, strategy: Strategy) -> None:
        self.strategy = strategy
        self._exchange = exchange
        self._floor = floor
        self._generator = generator
        self._text = prompting.fenced(prompting.shortened(exchange, generator.count, strategy.exchange_tokens))
        self._choices = _choices(exchange, floor) if strategy.how == "choose" else {}

    def settled(self, keep: tuple[str, ...] = ()) -> Settled:
        """Ask, and hold the answer against the exchange."""
        proposal = Proposal()
        for fields in self.strategy.asks:
            found = self._ask(fields, keep)
            proposal = Proposal(
                found.exchange_core or proposal.exchange_core,
                found.specific_context or proposal.specific_context,
                tuple(Room(room.type, "", room.label) for room in found.rooms) or proposal.rooms,
            )
        made = settle(self._exchange, self._floor, proposal, "gguf", _PROMPT)
        asked = chain.from_iterable(self.strategy.asks)
        return replace(made, outcomes={field: made.outcomes[field] for field in asked})

    def poorer(self, settled: Settled) -> list[Field]:
        """Return the fields of the model's that keep too few of the exchange's words."""
        texts: tuple[Field, ...] = ("exchange_core", "specific_context")
        improved = [field for field in texts if settled.outcomes.get(field) == "improved"]
        return [field for field in improved if self._is_poorer(_with(self._floor, settled.object, field))]

    def _is_poorer(self, made: PalaceObject) -> bool:
        said, text = self._exchange.text, made.distilled_text
        if self.strategy.least_survival is not None:
            return survival(said, text) < self.strategy.least_survival
        before = self._floor.distilled_text
        return survival(said, text) < survival(said, before) or (
            asked_survival(self._exchange, text) < asked_survival(self._exchange, before)
        )

    def _ask(self, fields: tuple[Field, ...], keep: tuple[str, ...]) -> _Answer:
        rules: dict[str, str] = {field: rule for field in fields if (rule := self._rule(field))}
        if not rules:
            return _Answer()
        prompt = Prompt(prompting.INSTRUCTION, self._text, prompting.question(rules, keep))
        written = self._generator.complete(
            prompt, grammar=grammar.answer(rules), max_tokens=self.strategy.answer_tokens
        )
        try:
            answer = _ANSWER.decode(written.encode(errors="replace"))
        except msgspec.DecodeError as error:
            raise BadAnswer("the answer is no JSON object") from error
        return replace(
            answer,
            exchange_core=self._chosen("exchange_core", answer.exchange_core),
            specific_context=self._chosen("specific_context", answer.specific_context),
        )

    def _chosen(self, field: Field, written: str) -> str:
        """The candidate that begins so; what was written, where the model writes."""
        return self._choices[field].get(written, "") if field in self._choices else written

    def _rule(self, field: Field) -> str:
        """The grammar's rule for a field, or "" where there is nothing to ask."""
        if field == "rooms":
            return grammar.rooms(grammar.written(*WRITTEN_LABEL))
        if self.strategy.how == "choose":
            return grammar.one_of(list(self._choices[field])) if len(self._choices[field]) > 1 else ""
        if self.strategy.how == "copy":
            return grammar.copied(_vocabulary(self._exchange), COPIED_WORDS)
        return grammar.written(*(WRITTEN_CORE if field == "exchange_core" else WRITTEN_CONTEXT))


def _choices(exchange: Exchange, floor: PalaceObject) -> dict[Field, dict[str, str]]:
    """What there is to choose among, field by field: the beginning that names a candidate, and the candidate."""
    reading = read(exchange)
    return {
        "exchange_core": candidates.shortest_beginnings(candidates.cores(reading)),
        "specific_context": candidates.shortest_beginnings(candidates.contexts(reading, floor.exchange_core, exchange)),
    }


def _with(floor: PalaceObject, made: PalaceObject, field: Field) -> PalaceObject:
    """The extractive object with one field of another."""
    return replace(floor, **{field: getattr(made, field)})


def _taken_back(settled: Settled, floor: PalaceObject, field: Field) -> Settled:
    """The same with a field as the rules made it."""
    outcomes = settled.outcomes | {field: SURVIVES_LESS}
    engine = settled.object.engine if "improved" in outcomes.values() else floor.engine
    return Settled(replace(_with(settled.object, floor, field), engine=engine), outcomes)


def _vocabulary(exchange: Exchange) -> list[str]:
    """Every word of an exchange, and those that join words."""
    return list(dict.fromkeys([*words(exchange.text), *sorted(FUNCTION_WORDS["en"])]))
