"""The gguf extractor: a language model reads a window for records, and the gate keeps what the messages bear out.

The grammar already leaves no choice of what is known: a record's message is one of those to be read, its time one that
these name. What the model writes freely is held against the message (see gate.py). An answer that cannot be read fails
the window, an empty one does not.

Asked by the strategies for larger models only, or by one that is named: the smallest cannot write a true sentence
(see memlite/distill/strategies.py, and benchmarks/README.md for what theirs are worth).
"""

from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from memlite.extract import prompting
from memlite.extract.gate import Gate, Written
from memlite.extract.merging import give_way
from memlite.extract.pieces import MOST_NEW, Piece, pieces
from memlite.grounding.form import prompt_runs
from memlite.models import grammar
from memlite.models.base import BadAnswer, Generator, Prompt
from memlite.models.fence import fenced
from memlite.types.records import Heard, Record, Window

EACH = 2
"""Records that a message may give: so an answer ends before its tokens do."""
TEXT_TOKENS = 1000
"""What the model reads of a window at once."""
RECORD_TOKENS = 300
"""That a record may take; SmolLM2, which fills what it may write, takes 130 and in digits a token a character."""
PROMPT_TOKENS = 450
"""Kept free for the instruction, the question and a model's own marks."""
WRITTEN = {"content": (10, 160), "location": (0, 40), "reason": (0, 60), "purpose": (0, 60)}
"""Characters that a model may write for each."""
KEYWORD, KEYWORDS = (2, 30), 3
_FORBIDDEN = prompt_runs(f"{prompting.INSTRUCTION}\n{prompting.QUESTION}")
_ITEMS = msgspec.json.Decoder(list[msgspec.Raw])
_WRITTEN = msgspec.json.Decoder(Written)


def extract_with(
    generator: Generator, refused: Counter[str] | None = None, *, some: bool = False
) -> Callable[[Window], list[Record]]:
    """Return an extractor that asks a model; `refused` counts what it wrote and the gate did not let through.

    With `some` it may not answer that nothing is stated, so that what a model can do is seen: SmolLM2 else does always.

    The extractor raises ValueError where the model cannot write an answer, or (BadAnswer) wrote one that cannot be
    read, and ModelUnusable where it does not run.
    """
    counter = Counter[str]() if refused is None else refused
    return lambda window: _read(window, generator, counter, some=some)


def _read(window: Window, generator: Generator, refused: Counter[str], *, some: bool) -> list[Record]:
    gate = Gate(window, _FORBIDDEN)
    answer = min(MOST_NEW * EACH * RECORD_TOKENS, generator.info.context // 2)
    most = min(TEXT_TOKENS, generator.info.context - answer - PROMPT_TOKENS)

    def fits(context: Sequence[Heard], new: Sequence[Heard]) -> bool:
        return generator.count(prompting.lines(context, new, gate.lang)) <= most

    kept: list[Record] = []
    for piece in pieces(window, fits):
        for written in _asked(piece, generator, gate, answer, some=some):
            if record := gate.admit(written):
                kept = _joined(kept, record, gate)
    refused.update(+gate.refused)
    return sorted(kept, key=lambda record: record.ply)


def _joined(kept: list[Record], record: Record, gate: Gate) -> list[Record]:
    """The records so far with one more, of two that say the same the fuller."""
    gone = give_way(record, {number: one for number, one in enumerate(kept) if one.ply == record.ply})
    if gone is None:
        gate.refused["said already"] += 1
        return kept
    gate.refused["said already"] += len(gone)
    return [*(one for number, one in enumerate(kept) if number not in gone), record]


def _asked(piece: Piece, generator: Generator, gate: Gate, tokens: int, *, some: bool) -> list[Written]:
    """What a model writes of a piece, as far as it has the form of records."""
    plies = list(dict.fromkeys(one.ply for one in piece.new))
    most = max(2, min(EACH * len(plies), tokens // RECORD_TOKENS))
    prompt = Prompt(
        prompting.INSTRUCTION, fenced(prompting.lines(piece.context, piece.new, gate.lang)), prompting.QUESTION
    )
    answer = generator.complete(prompt, grammar=_grammar(plies, gate, most, some=some), max_tokens=most * RECORD_TOKENS)
    try:
        items = _ITEMS.decode(answer.encode(errors="replace"))
    except msgspec.DecodeError as error:
        raise BadAnswer("the answer is no JSON list") from error
    gate.refused["too many"] += max(0, len(items) - most)
    found: list[Written] = []
    for item in items[:most]:
        try:
            found.append(_WRITTEN.decode(item))
        except msgspec.DecodeError:
            gate.refused["not of the form of a record"] += 1
    return found


def _grammar(plies: Sequence[int], gate: Gate, most: int, *, some: bool) -> str:
    times = [time.label for ply in plies for time in gate.messages[ply].times]
    rules = {"ply": grammar.number_of(plies), "type": grammar.one_of(("fact", "episodic", "profile"))}
    rules["content"] = grammar.written(*WRITTEN["content"])
    rules["time"] = grammar.one_of(["", *dict.fromkeys(times)])
    rules |= {name: grammar.written(*WRITTEN[name]) for name in ("location", "reason", "purpose")}
    rules["keywords"] = grammar.texts(grammar.written(*KEYWORD), KEYWORDS)
    return grammar.answers(rules, most, some=some)
