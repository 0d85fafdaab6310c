"""What many plans find for one question, for evaluations: the shipped path, with the work they share done once."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime

from memlite.models.base import Embedder
from memlite.retrieve import analyse, asked
from memlite.retrieve.plans import Plan
from memlite.retrieve.search import Ranking, rank
from memlite.store import dense, palace, recall
from memlite.store.connection import Store
from memlite.text import tokens
from memlite.text.clean import clean
from memlite.types.evaluation import Place
from memlite.types.query import Filters


def rank_plans(
    store: Store, embedder: Embedder, text: str, plans: Sequence[Plan], *, limit: int, asked_at: date | None
) -> dict[str, Ranking]:
    """Return what each plan finds, by its name."""
    query = analyse.analyse(clean(text), Filters(), asked_at or datetime.now().astimezone(), asked.read)
    with store.reading() as con:
        return rank(con, query, plans, embedder, limit=limit)


def list_exchanges(store: Store) -> list[int]:
    """Return the ids of all exchanges that a person began."""
    with store.reading() as con:
        return recall.list_exchanges(con)


def find_holders(store: Store, message_ids: Sequence[str]) -> dict[str, set[int]]:
    """Return the exchanges that messages lie in, by the id of the message."""
    found: dict[str, set[int]] = defaultdict(set)
    with store.reading() as con:
        for message, exchange in recall.find_holders(con, message_ids):
            found[message].add(exchange)
    return dict(found)


def has_verbatim_vectors(store: Store) -> bool:
    """Say whether there are vectors of what was said."""
    with store.reading() as con:
        return dense.has_index(con, "verbatim")


def get_places(store: Store, exchange_ids: Sequence[int]) -> dict[int, Place]:
    """Return what exchanges hold, by id."""
    with store.reading() as con:
        found = recall.get_exchanges(con, exchange_ids)
        objects = palace.get_objects(con, list(found))
    distilled = {id: f"{view.exchange_core} {view.detail}" for id, view in objects.items()}
    return {
        id: Place(
            ids=tuple(message.external_id or f"#{message.id}" for message in exchange.messages),
            conversation=exchange.conversation.external_id,
            tokens=tokens.estimate(distilled.get(id, "")),
        )
        for id, exchange in found.items()
    }
