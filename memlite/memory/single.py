"""One object for one conversation, without a store: for a hook that wants to see or keep it elsewhere."""

from collections.abc import Iterable, Mapping

from memlite import importers
from memlite.distill import distil, upgrade
from memlite.distill.strategies import get_strategy
from memlite.distill.survival import survival
from memlite.errors import UsageError
from memlite.models.base import Generator
from memlite.types.palace import Exchange, Turn
from memlite.types.report import SingleObject
from memlite.types.transcript import Entry, Skip


def distil_messages(
    messages: Iterable[Mapping[str, object]], generator: Generator | None = None, strategy: str | None = None
) -> SingleObject:
    """Return the object of messages as `Memory.add` takes them, all of them taken as one exchange.

    :raises UsageError: a message cannot be read, or none says anything; there is no such strategy
    :raises ModelUnusable: the model cannot be used
    """
    given = _exchange(messages)
    made = distil(given)
    outcomes: dict[str, str] = {}
    if generator is not None and made.exchange_core:
        chosen = get_strategy(strategy, generator.info.parameters)
        try:
            settled = upgrade.upgrade(given, made, generator, chosen)
            made, outcomes = settled.object, settled.outcomes
        except ValueError as error:  # no answer, or none that can be read, and no queue to try it again from
            outcomes = {field: str(error) for fields in chosen.asks for field in fields}
    return SingleObject(
        exchange_core=made.exchange_core,
        specific_context=made.specific_context,
        rooms=made.rooms,
        files=made.files,
        engine=made.engine,
        vocab_survival=round(survival(given.text, made.distilled_text), 3),
        outcomes=outcomes,
    )


def _exchange(messages: Iterable[Mapping[str, object]]) -> Exchange:
    items = list(importers.from_messages(messages, conversation="stdin"))
    for item in items:
        if isinstance(item, Skip) and item.issue:
            raise UsageError(f"message {item.line} cannot be read: {item.reason}. {item.detail}".strip())
    entries = [item for item in items if isinstance(item, Entry)]
    said = [entry.message for entry in entries if entry.message.role != "tool" and entry.message.content]
    if not said:
        raise UsageError('no message says anything. Give a conversation: [{"role": ..., "content": ...}, ...]')
    turns = tuple(
        Turn("user" if message.role == "user" else "assistant", message.content, message.speaker, message.said_at)
        for message in said
    )
    tools = tuple(use for entry in entries for use in entry.message.tools)
    about = entries[0].conversation
    return Exchange(turns, tools, about.style, about.project, about.cwd)
