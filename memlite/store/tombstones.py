"""Keyed hashes of what was forgotten, so that reading the same source again does not bring it back.

A message whose source gives it an id or a time has an identity, and is known by it. Another is known by its words and
its conversation; but "yes" is said again and again, so what is shorter than LONG is only known behind the message that
it stood behind.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from typing import Any, Literal

import apsw

from memlite.text.digest import WORDS_BYTES

LONG = 40
"""Characters from which on a text is nobody's passing remark."""
HASH_BYTES = 16

Kind = Literal["identity", "words", "follows", "title", "record"]
Hasher = Callable[[Kind, bytes], bytes]

# -- writing --

ADD = "insert into tombstone (hash, forgotten_at) values (?, ?) on conflict do nothing"
LIFT = "delete from tombstone where hash = ?"
# The message that stays and stood closest before: what is forgotten may be forgotten piece by piece.
CHOSEN = """
select identity, length(content), (
    select identity from message as earlier
    where earlier.conversation_id = message.conversation_id and earlier.seq < message.seq
      and earlier.id not in (select message_id from chosen)
    order by seq desc limit 1
)
from chosen join message on message.id = message_id
"""


def bury_messages(con: apsw.Connection, now: str) -> None:
    """Leave hashes of the messages in the table `chosen`."""
    hashed = hasher(con)
    rows: list[Any] = con.execute(CHOSEN).fetchall()
    con.executemany(ADD, ((hash, now) for row in rows for hash in _of_message(hashed, *row)))


def _of_message(hashed: Hasher, identity: bytes, length: int, before: bytes | None) -> Iterator[bytes]:
    # The row does not tell whether its source gave an identity; words and identities never have equal hashes.
    yield hashed("identity", identity)
    words = identity[:WORDS_BYTES]
    yield hashed("words", words) if length >= LONG else follows(hashed, words, (before or b"")[:WORDS_BYTES])


def bury(con: apsw.Connection, hashes: Iterable[bytes], now: str) -> None:
    """Leave hashes that were made by the store's `hasher`."""
    con.executemany(ADD, ((hash, now) for hash in hashes))


def lift(con: apsw.Connection, hash: bytes) -> None:
    """Let something come back."""
    con.execute(LIFT, (hash,))


# -- reading --

HOLDS = "select exists (select 1 from tombstone where hash = ?)"
ANY = "select exists (select 1 from tombstone)"


def hasher(con: apsw.Connection) -> Hasher:
    """Return the function that hashes something of a kind with the store's key."""
    key: bytes = con.execute("select key from tombstone_key").get
    return lambda kind, data: blake2b(data, digest_size=HASH_BYTES, key=key, person=kind.encode()).digest()


def follows(hashed: Hasher, words: bytes, before: bytes) -> bytes:
    """Return the hash of short words behind others; `before` is empty at the beginning of a conversation."""
    return hashed("follows", words + before)


def hash_title(hashed: Hasher, kind: str, external_id: str, title: str) -> bytes:
    """Return the hash of a title of the conversation that has this id in this kind of source."""
    return hashed("title", "\0".join((kind, external_id, title)).encode())


def hash_record(hashed: Hasher, content: str) -> bytes:
    """Return the hash of what a record states, whatever its case and spacing."""
    return hashed("record", " ".join(content.casefold().split()).encode())


def holds(con: apsw.Connection, hash: bytes) -> bool:
    """Return whether this was forgotten."""
    return bool(con.execute(HOLDS, (hash,)).get)


def is_empty(con: apsw.Connection) -> bool:
    """Return whether nothing was ever forgotten."""
    return not con.execute(ANY).get


class Guard:
    """Tells what was forgotten when it comes again, or lets it come back for good."""

    def __init__(self, con: apsw.Connection, *, lift: bool = False) -> None:
        """With `lift` everything that comes is let in, and is no longer forgotten."""
        self._con, self._lift = con, lift
        self._idle = is_empty(con)
        self._hashed = hasher(con)

    def stops_identified(self, identity: bytes) -> bool:
        """Say whether a message whose source gives it an identity was forgotten."""
        return not self._idle and self._stops(self._hashed("identity", identity), self._words(identity))

    def stops_words(self, words: bytes, length: int, before: bytes) -> bool:
        """Say whether a message known by its words alone was forgotten; `before` are those of the one before it."""
        if self._idle:
            return False
        long = length >= LONG
        return self._stops(self._words(words) if long else follows(self._hashed, words, before[:WORDS_BYTES]))

    def stops_title(self, kind: str, external_id: str, title: str) -> bool:
        """Say whether a title was cleared since it told of what was forgotten."""
        return not self._idle and self._stops(hash_title(self._hashed, kind, external_id, title))

    def stops_record(self, content: str) -> bool:
        """Say whether what a record states was forgotten."""
        return not self._idle and self._stops(hash_record(self._hashed, content))

    def _words(self, identity: bytes) -> bytes:
        return self._hashed("words", identity[:WORDS_BYTES])

    def _stops(self, *hashes: bytes) -> bool:
        """The first hash tells; where it may come back, all of them are lifted."""
        if self._lift:
            for hash in hashes:
                lift(self._con, hash)
            return False
        return holds(self._con, hashes[0])
