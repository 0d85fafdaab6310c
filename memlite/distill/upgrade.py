"""The gguf engine: a language model makes an object better, or leaves it as the rules made it.

The model is asked under a grammar, its answer is held against the exchange (see grounding.py), and every field that
fails keeps its extractive value with the reason. So the worst that a model can do is nothing.
"""

from functools import cached_property
from itertools import chain

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from memlite.distill import candidates, prompting
from memlite.distill.grounding import context_fault, core_fault, settle
from memlite.distill.reading import Reading, read
from memlite.distill.strategies import Field, Strategy
from memlite.distill.survival import rarest, survival
from memlite.grounding.form import prompt_runs
from memlite.models import grammar
from memlite.models.base import BadAnswer, Generator, Prompt
from memlite.models.fence import fenced
from memlite.text.words import FUNCTION_WORDS, words
from memlite.types.palace import Exchange, PalaceObject, Proposal, Room, RoomType, Settled

VERSION = "gguf-1"
"""Of the prompt and the strategies; stored with each object."""
WRITTEN_CORE, WRITTEN_CONTEXT, WRITTEN_LABEL = (10, 300), (5, 120), (2, 40)
"""Characters that a model may write for each."""
COPIED_WORDS = 35
REMINDED = 6
"""Words named when a core kept too few."""
PROMPT_TOKENS = 400
"""Kept free for the instruction, the question and a model's own marks; SmolLM2 reads 185 tokens and a few of them."""
NAME_TOKENS = 60
"""What a model may have to write to name a candidate: a cut-off answer is none, and nobody chooses after a sentence."""
SURVIVES_LESS = "too few words survive"
NO_CHOICE = "nothing to choose"
_PROMPT = prompt_runs("\n".join((prompting.INSTRUCTION, prompting.CORE, prompting.CONTEXT, prompting.ROOMS)))


class _Room(Struct):
    type: RoomType
    label: str


class _Answer(Struct):
    exchange_core: str = ""
    specific_context: str = ""
    rooms: list[_Room] = []


_ANSWER = msgspec.json.Decoder(_Answer)


def version(strategy: Strategy) -> str:
    """Return what names prompt and strategy with an object."""
    return f"{VERSION}-{strategy.name}"


def upgrade(exchange: Exchange, floor: PalaceObject, generator: Generator, strategy: Strategy) -> Settled:
    """Have a model improve `floor`, the object that the rules made of the exchange.

    Fields that the strategy does not ask for are not among the outcomes.

    :raises ValueError: the model cannot write the answer, or (BadAnswer) wrote one that cannot be read
    :raises ModelUnusable: the model does not run
    """
    asking = _Asking(exchange, floor, generator, strategy)
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
        outcomes = {field: made.outcomes[field] if rule else NO_CHOICE for field, rule in self._rules.items()}
        return replace(made, outcomes=outcomes)

    def poorer(self, settled: Settled) -> list[Field]:
        """Return the fields of the model's that keep too few of the exchange's words.

        A word that both lose may stand in the other one's extractive value: then the detail is the one too many.
        """
        texts: tuple[Field, ...] = ("exchange_core", "specific_context")
        improved = [field for field in texts if settled.outcomes.get(field) == "improved"]
        least = self.strategy.least_survival
        alone = [field for field in improved if self._kept(_with(self._floor, settled.object, field)) < least]
        both = len(improved) > 1 and not alone and self._kept(settled.object) < least
        return improved[1:] if both else alone

    def _kept(self, made: PalaceObject) -> float:
        return survival(self._exchange.text, made.distilled_text)

    def _ask(self, fields: tuple[Field, ...], keep: tuple[str, ...]) -> _Answer:
        rules: dict[str, str] = {field: rule for field in fields if (rule := self._rules[field])}
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

    @cached_property
    def _text(self) -> str:
        """The exchange as the model gets it."""
        taken = self._generator.info.context - self.strategy.answer_tokens - PROMPT_TOKENS
        most = max(0, min(self.strategy.exchange_tokens, taken))
        return fenced(prompting.shortened(self._exchange, self._generator.count, most))

    @cached_property
    def _vocabulary(self) -> list[str]:
        """Every word that the model reads of the exchange, and those that join words.

        Not every word of the exchange: among 10,000 words llama.cpp takes 0.6 s to choose a token.
        """
        return list(dict.fromkeys([*words(self._text), *sorted(FUNCTION_WORDS["en"])]))

    @cached_property
    def _choices(self) -> dict[Field, dict[str, str]]:
        """What there is to choose among, field by field: the beginning that names a candidate, and the candidate."""
        if self.strategy.how != "choose":
            return {}
        reading = read(self._exchange)
        return {
            field: self._named([text for text in self._candidates(field, reading) if self._may_choose(field, text)])
            for field in chain.from_iterable(self.strategy.asks)
        }

    def _candidates(self, field: Field, reading: Reading) -> list[str]:
        if field == "exchange_core":
            return candidates.cores(reading)
        return candidates.contexts(reading, self._floor.exchange_core, self._exchange, self.strategy.near)

    def _named(self, texts: list[str]) -> dict[str, str]:
        """The candidates by their names; none where a name is too long to be written."""
        names = candidates.shortest_beginnings(texts)
        return names if all(self._generator.count(name) <= NAME_TOKENS for name in names) else {}

    def _may_choose(self, field: Field, text: str) -> bool:
        """Say whether a candidate is what the rules took or would be stored: a word alone is grounded but too short."""
        made = replace(self._floor, **{field: text})
        if made == self._floor:
            return True
        fault = core_fault if field == "exchange_core" else context_fault
        if fault(text, self._exchange):
            return False
        return not self.strategy.near or self._kept(made) >= self._kept(self._floor)

    @cached_property
    def _rules(self) -> dict[Field, str]:
        """The grammar's rule for each field that is asked for, "" where there is nothing to choose."""
        return {field: self._rule(field) for field in chain.from_iterable(self.strategy.asks)}

    def _rule(self, field: Field) -> str:
        if field == "rooms":
            return grammar.rooms(grammar.written(*WRITTEN_LABEL))
        if self.strategy.how == "choose":
            return grammar.one_of(list(self._choices[field])) if len(self._choices[field]) > 1 else ""
        if self.strategy.how == "copy":
            return grammar.copied(self._vocabulary, COPIED_WORDS)
        return grammar.written(*(WRITTEN_CORE if field == "exchange_core" else WRITTEN_CONTEXT))


def _with(floor: PalaceObject, made: PalaceObject, field: Field) -> PalaceObject:
    """The extractive object with one field of another."""
    return replace(floor, **{field: getattr(made, field)})


def _taken_back(settled: Settled, floor: PalaceObject, field: Field) -> Settled:
    """The same with a field as the rules made it."""
    outcomes = settled.outcomes | {field: SURVIVES_LESS}
    engine = settled.object.engine if "improved" in outcomes.values() else floor.engine
    return Settled(replace(_with(settled.object, floor, field), engine=engine), outcomes)
