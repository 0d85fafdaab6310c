"""One exchange, word for word, with everything that was made of it."""

from memlite.errors import NotFound
from memlite.store import palace, recall, records
from memlite.store.connection import Store
from memlite.types.report import ExchangeView

RESUME = {"claude-code": "claude --resume {id}"}
"""The command that takes up a conversation again, by source."""


def get_exchange(store: Store, exchange_id: int) -> ExchangeView:
    """Return the exchange with this id.

    :raises NotFound: the store has no such exchange
    """
    with store.reading() as con:
        found = recall.get_exchanges(con, [exchange_id]).get(exchange_id)
        if found is None:
            raise NotFound(f"there is no exchange {exchange_id} in {store.path}. Search prints the ids there are")
        view = palace.get_objects(con, [exchange_id]).get(exchange_id)
        evidence = palace.get_evidence(con, exchange_id)
        stated = records.get_by_exchange(con, [exchange_id]).get(exchange_id, ())
    resume = RESUME.get(found.conversation.source, "").format(id=found.conversation.external_id)
    return ExchangeView(
        exchange_id=found.id,
        conversation=found.conversation,
        plies=found.plies,
        said_at=found.said_at,
        messages=found.messages,
        object=view,
        records=stated,
        resume=f"cd {found.cwd} && {resume}" if resume and found.cwd else resume,
        external_ids=tuple(message.external_id for message in found.messages),
        evidence=evidence,
    )
