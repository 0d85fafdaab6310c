"""Which of these messages does the store have already, when the source gives neither ids nor times?

The words alone cannot tell: "yes" is said a hundred times. Their sequence can. A run of incoming messages is known
when the conversation holds the same run, or ends with its beginning (the caller hands over a longer conversation), or
begins with it. So the same conversation added five times is stored once, and a second "yes" with a new answer is new.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import apsw

from memlite.store import transcript

# Every place where the first incoming message was said before, newest first; 50 keeps "ok" from costing a scan.
STARTS = """
select seq from message
where identity between :first and :last and conversation_id = :conversation
order by seq desc limit 50
"""
RUN = """
select substr(identity, 1, 12) from message where conversation_id = ? and seq >= ? order by seq limit ?
"""
LAST_IDENTITY = "select max(identity) from message where identity between :first and :last"


def known_prefix(con: apsw.Connection, conversation_id: int, digests: Sequence[bytes]) -> int:
    """Return how many of the incoming messages, from the first on, the conversation holds already."""
    if not digests:
        return 0
    length, _ = transcript.next_place(con, conversation_id)
    matches = list(_matches(con, conversation_id, digests))
    whole = [same for start, same in matches if same == len(digests) or start + same == length]
    if whole:
        return max(whole)
    known = next((same for start, same in matches if start == 0), 0)
    # The same beginning with another ending, such as an answer made again: the ending may be known from an earlier add.
    rest = digests[known:] if known else ()
    return known + max((same for _, same in _matches(con, conversation_id, rest) if same == len(rest)), default=0)


def _matches(con: apsw.Connection, conversation_id: int, digests: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Yield each seq at which the first of these messages stands, and how many of them follow there in this order."""
    if not digests:
        return
    starts: list[Any] = con.execute(STARTS, {**_span(digests[0]), "conversation": conversation_id}).fetchall()
    for (start,) in starts:
        stored = [row[0] for row in con.execute(RUN, (conversation_id, start, len(digests)))]
        yield start, next((i for i, (a, b) in enumerate(zip(stored, digests, strict=False)) if a != b), len(stored))


def next_identity(con: apsw.Connection, digest: bytes) -> bytes:
    """Return the identity of the next message with these words: the digest and how often it was said before."""
    last: bytes | None = con.execute(LAST_IDENTITY, _span(digest)).get
    repeated = int.from_bytes(last[len(digest) :], "big") + 1 if last else 0
    return digest + repeated.to_bytes(4, "big")


def _span(digest: bytes) -> dict[str, bytes]:
    """Return the first and last identity these words can have. In SQL `||` would make text of the bytes."""
    return {"first": digest + bytes(4), "last": digest + b"\xff" * 4}
