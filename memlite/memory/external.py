"""Objects made elsewhere: what waits for a better object goes out as JSON lines, and what comes back passes the gate.

So any model can be used, by hand or by a script, and is trusted no more than one that runs here.
"""

from collections import Counter
from typing import Annotated, Any, BinaryIO, get_args

import msgspec
from msgspec import Meta, Struct

from memlite.distill import context, core, grounding, rooms
from memlite.importers.lines import Line, Progress, decode, read_lines, rejected
from memlite.memory import embedding
from memlite.memory.upgrading import Basis, FieldTally, commit, prepare, read_basis
from memlite.models.base import Embedder
from memlite.store import upgrades
from memlite.store.connection import LARGEST, Store
from memlite.store.upgrades import Attempt, Scope
from memlite.text.clean import clean
from memlite.text.digest import digest
from memlite.types.palace import PalaceObject, Proposal, Room, RoomType
from memlite.types.query import ConversationRef
from memlite.types.report import Issue, ObjectsReport

BATCH = 256
WANTED: dict[str, Any] = {
    "exchange_core": {
        "what": "one or two sentences on what was done, in the words of the exchange",
        "min_chars": grounding.MIN_CORE,
        "max_chars": core.MAX_CHARS,
    },
    "specific_context": {
        "what": "the one exact detail, copied word for word from a single message",
        "min_chars": grounding.MIN_CONTEXT,
        "max_chars": context.MAX_CHARS,
    },
    "rooms": {
        "what": "narrow topics, their labels in words of the exchange",
        "min": 1,
        "max": rooms.MAX_ROOMS,
        "types": get_args(RoomType),
        "max_label_chars": rooms.MAX_LABEL,
    },
}


class Outgoing(Struct, frozen=True):
    """An exchange that waits for a better object, as a line of the file."""

    exchange_id: int
    digest: str
    """Of the text. A line that brings it back is refused when the exchange has changed since."""
    conversation: ConversationRef
    said_at: str | None
    text: str
    object: PalaceObject
    wanted: dict[str, Any]


class Incoming(Struct, frozen=True):
    """An object made elsewhere, as a line of the file. Whatever else the line says is passed over."""

    exchange_id: Annotated[int, Meta(ge=1, le=LARGEST)]
    exchange_core: str = ""
    specific_context: str = ""
    rooms: tuple[Room, ...] = ()
    model: str = ""
    digest: str = ""


_DECODER = msgspec.json.Decoder(Incoming)


def text_digest(basis: Basis) -> str:
    """Return what tells whether an exchange is still what it was."""
    return digest(basis.given.text)


def export_waiting(store: Store, stream: BinaryIO, scope: Scope, limit: int | None) -> int:
    """Write a line for each exchange whose object is open to improvement, most useful first; return how many."""
    with store.reading() as con:
        ids = upgrades.find_open(con, scope, limit)
    count = 0
    for id in ids:
        with store.reading() as con:
            basis = read_basis(con, id)
        if basis is not None:
            stream.write(msgspec.json.encode(_outgoing(id, basis)) + b"\n")
            count += 1
    return count


def _outgoing(id: int, basis: Basis) -> Outgoing:
    found = basis.found
    return Outgoing(
        exchange_id=id,
        digest=text_digest(basis),
        conversation=found.conversation,
        said_at=found.said_at,
        text=basis.given.text,
        object=basis.stored,
        wanted=WANTED,
    )


class _Refused(Exception):
    """A line that brings no object, and why."""


def import_objects(store: Store, embedder: Embedder | None, stream: BinaryIO, path: str) -> ObjectsReport:
    """Take the objects in a file of JSON lines, each through the gate; `path` names the file in issues.

    A field that passes takes the place of the stored one, one that fails leaves it as it is. A bad line stops no other.

    :raises EmbedderMismatch: the store's vectors are another model's
    """
    if embedder is not None:
        embedding.adopt(store, embedder)
    tally = FieldTally()
    kept: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    issues: list[Issue] = []
    lines_in = 0
    for line in read_lines(stream, Progress()):
        lines_in += 1
        try:
            attempt = _take(store, embedder, _parse(line))
        except _Refused as refusal:
            reason, detail = refusal.args
            refused[reason] += 1
            issues.append(Issue(path, line.number, f"{reason}: {detail}" if detail else reason))
            continue
        tally.add(attempt)
        if not attempt.improved:
            kept[_first_reason(attempt)] += 1
    return ObjectsReport(
        lines_in=lines_in,
        improved=tally.improved,
        kept=dict(kept.most_common()),
        refused=dict(refused.most_common()),
        fields=tally.outcomes(),
        issues=tuple(issues),
    )


def _parse(line: Line) -> Incoming:
    try:
        return decode(_DECODER, line.body)
    except msgspec.DecodeError as error:
        skip = rejected(line, error)
        raise _Refused(skip.reason, skip.detail) from error


def _take(store: Store, embedder: Embedder | None, given: Incoming) -> Attempt:
    """Settle one object and write what came of it; again from the start when the store changed meanwhile."""
    room = tuple(Room(**clean(msgspec.structs.asdict(room))) for room in given.rooms)
    proposal = Proposal(clean(given.exchange_core), clean(given.specific_context), room)
    model = clean(given.model)
    while True:
        with store.reading() as con:
            basis = read_basis(con, given.exchange_id)
        if basis is None:
            raise _Refused("no such object", f"exchange {given.exchange_id} is not in the store or not distilled")
        if given.digest and given.digest != text_digest(basis):
            raise _Refused("changed since it was exported", f"exchange {given.exchange_id}")
        try:
            settled = grounding.settle(basis.given, basis.floor(), proposal, "external")
        except Exception as error:  # what the gate cannot take must not keep the other lines out
            raise _Refused("the gate failed on it", f"{type(error).__name__}: {error}") from error
        attempt = Attempt("external", model, model, "", settled.outcomes, 0.0)
        write = prepare(basis, settled, attempt, embedder)
        with store.transaction() as con:
            if read_basis(con, given.exchange_id) == basis:
                commit(con, given.exchange_id, basis, write)
                return attempt


def _first_reason(attempt: Attempt) -> str:
    reasons = (f"{name}: {outcome}" for name, outcome in attempt.outcomes.items() if outcome != "same")
    return next(reasons, "same")
