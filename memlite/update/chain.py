"""What follows from the decisions about single pairs: which records hold, since when, until when.

The records of a chain are gone through in the order of the times they speak of. Each joins those that say the same, and
closes those whose place it takes; who is closed is closed for good, so that `Paris, Rome, Paris` are three stretches of
time. Since only times and decisions count, records end in the same state in whatever order they came into the store.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from memlite.types.records import Record
from memlite.types.update import Decision, KeepBoth, Merge, Retract
from memlite.update import order
from memlite.update.claims import claim


class Dated(Struct, frozen=True):
    """A stored record, and what tells which of two is the later one."""

    id: int
    record: Record
    project: str
    place: tuple[str, str, str, int, int]
    """(instant, when it was said, conversation, message's place in it, span's start): the same in every store."""


class Validity(Struct, frozen=True):
    """When a record held, and what closed it."""

    valid_from: str | None
    valid_to: str | None = None
    closed_by: int | None = None
    closed_how: str | None = None


class _Group(Struct):
    members: list[Dated]
    closed: Validity | None = None


def settle(records: Mapping[int, Dated], decisions: Mapping[tuple[int, int], Decision]) -> dict[int, Validity]:
    """Return the validity of each record. `decisions` are by the ids of the earlier and the later one."""
    return {
        id: validity
        for chain in _chains(records, decisions)
        for id, validity in _settle_one([records[id] for id in chain], decisions).items()
    }


def _chains(ids: Iterable[int], pairs: Iterable[tuple[int, int]]) -> Iterator[set[int]]:
    """Yield the ids in sets that no pair joins to each other."""
    neighbours: dict[int, set[int]] = {id: set() for id in ids}
    for one, other in pairs:
        neighbours[one].add(other)
        neighbours[other].add(one)
    while neighbours:
        chain, waiting = set[int](), {next(iter(neighbours))}
        while waiting:
            id = waiting.pop()
            chain.add(id)
            waiting |= neighbours.pop(id) - chain
        yield chain


def _settle_one(chain: Iterable[Dated], decisions: Mapping[tuple[int, int], Decision]) -> dict[int, Validity]:
    groups: list[_Group] = []
    for one in sorted(chain, key=lambda dated: (dated.place, dated.id)):
        joined = _Group([one])
        for group in [group for group in groups if group.closed is None]:
            decision = _latest(group, one, decisions)
            if isinstance(decision, Merge):
                groups.remove(group)
                joined.members = [*group.members, *joined.members]
            elif decision is not None:
                how = "retract" if isinstance(decision, Retract) else "supersede"
                group.closed = Validity(None, order.moment(one.record), one.id, how)
        groups.append(joined)
    return {id: validity for group in groups for id, validity in _validities(group)}


def _latest(group: _Group, one: Dated, decisions: Mapping[tuple[int, int], Decision]) -> Decision | None:
    """Return what was decided between a record and the latest of a group that it touches."""
    for member in reversed(group.members):
        decision = decisions.get((member.id, one.id))
        if decision is not None and not isinstance(decision, KeepBoth):
            return decision
    return None


def _validities(group: _Group) -> Iterator[tuple[int, Validity]]:
    best = max(group.members, key=lambda dated: (_tells(dated.record), dated.place))
    since = min(filter(None, (order.begin(dated.record) for dated in group.members)), default=None)
    until = group.closed.valid_to if group.closed else None
    if since and until and since > until:  # told late of a time that was over early: an interval never inverts
        since = until
    for dated in group.members:
        if dated is not best:
            yield dated.id, Validity(since, until, best.id, "merge")
        elif group.closed is None:
            yield dated.id, Validity(since)
        else:
            yield dated.id, Validity(since, until, group.closed.closed_by, group.closed.closed_how)


def _tells(record: Record) -> int:
    """Return how much a record tells: its values, words and dimensions."""
    told = claim(record.content)
    filled = filter(None, (record.time_start or record.time_end, record.location, record.reason, record.purpose))
    return len(told.values) + len(told.bag) + len(list(filled))
