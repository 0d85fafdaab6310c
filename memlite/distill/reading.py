"""An exchange as the rules read it: its clauses, and what each is worth."""

from msgspec import Struct

from memlite.distill.core import FLOOR, PEER_FLOOR, Subject, Weighed, budget_for, subject, weigh
from memlite.text.clauses import Clause, readable, to_clauses
from memlite.types.palace import Exchange


class Reading(Struct, frozen=True, gc=False):
    """Everything that the parts of an object are chosen from."""

    contents: list[str]
    """The turns' texts without what nobody wrote."""
    found: list[Clause]
    about: Subject
    weighed: list[Weighed]
    labels: list[str]
    """What stands before the words of each turn in a core: its speaker, between people."""
    budget: int
    floor: float


def read(exchange: Exchange) -> Reading:
    """Read one exchange."""
    peers = exchange.style == "peers"
    contents = [readable(turn.content) for turn in exchange.turns]
    found = to_clauses(contents)
    turns = [(turn.role == "user", content) for turn, content in zip(exchange.turns, contents, strict=True)]
    about = subject(found, turns, peers=peers, speakers=[turn.speaker for turn in exchange.turns])
    return Reading(
        contents=contents,
        found=found,
        about=about,
        weighed=weigh(found, about),
        labels=[f"{turn.speaker}: " if peers and turn.speaker else "" for turn in exchange.turns],
        budget=budget_for(about),
        floor=PEER_FLOOR if peers else FLOOR,
    )
