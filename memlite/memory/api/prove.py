"""Prove: what evaluations ask of a store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from memlite.memory import parts
from memlite.memory.api.opened import Opened

if TYPE_CHECKING:
    from memlite.retrieve.plans import Plan
    from memlite.retrieve.search import Ranking
    from memlite.types.evaluation import Place


class Prove(Opened):
    """Methods that evaluations use."""

    def rank(
        self, text: str, plans: Sequence[Plan], *, limit: int = 20, asked_at: date | None = None
    ) -> dict[str, Ranking]:
        """Return what each plan finds for a question, by the plan's name, and how long that takes.

        The order is that of `search`. Plans share the question's vector and what their routes find, so that hundreds
        cost little more than one.
        """
        return parts.ranking.rank_plans(self._store, self._embedder, text, plans, limit=limit, asked_at=asked_at)

    def exchange_ids(self) -> list[int]:
        """Return the ids of all exchanges that a person began, in the order they came in."""
        return parts.ranking.list_exchanges(self._store)

    def places(self, exchange_ids: Sequence[int]) -> dict[int, Place]:
        """Return of each exchange its messages' ids, its conversation and the tokens of its object."""
        return parts.ranking.get_places(self._store, exchange_ids)

    def holders(self, message_ids: Sequence[str]) -> dict[str, set[int]]:
        """Return the exchanges that messages lie in, by the id of the message; unknown ids are left out."""
        return parts.ranking.find_holders(self._store, message_ids)

    @property
    def has_verbatim_vectors(self) -> bool:
        """Whether what was said is embedded word for word, too."""
        return parts.ranking.has_verbatim_vectors(self._store)

    @property
    def embedder_digest(self) -> str:
        """The digest of the embedding model at hand."""
        return self._embedder.fingerprint.digest
