"""The vectors: an ordinary table holds them, a vec0 table of one bit a dimension finds the nearest.

A vector is kept as one signed byte a dimension, scaled to its own largest component: the cosine moves by 0.0001 at
most, and a vector costs 384 bytes instead of 1,536. The bits are read for every search (48 bytes an exchange), the
COARSE nearest are then scored with the bytes. Scores come from an ordinary table because vec0 takes 0.4 ms to look up
one row, an ordinary table 0.003 ms. A store knows which embedder made its vectors, and refuses to mix two.
"""

from array import array
from collections.abc import Iterable, Sequence

import apsw
import msgspec

from memlite.errors import EmbedderMismatch
from memlite.store.lexical import ALLOWED, Scope, Scored
from memlite.types.embedding import Fingerprint

LAYER = "distilled"
# Exchanges whose bits are nearest. At 100,000 vectors 200 cost 2.5 times one numpy product over them and hold 90 % of
# the 50 truly nearest; the cost grows with the number, the gain does not.
COARSE = 200
# vec0 merges the best of each chunk, so fewer and larger chunks are faster: at 100,000 vectors 13 ms against 25 ms.
CHUNK = 4_096

# -- writing --

ADD_FINGERPRINT = """
insert into embedding (layer, model, digest, dims, pooling, prefix_query, prefix_text, max_tokens, created_at)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
ADD_VECTOR = "insert into vector (exchange_id, embedding) values (?, ?)"
ADD_BITS = "insert into vec_object (exchange_id, bits) values (?, vec_quantize_binary(vec_int8(?)))"
REBUILD = """
insert into vec_object (exchange_id, bits) select exchange_id, vec_quantize_binary(vec_int8(embedding)) from vector
"""


def adopt_fingerprint(con: apsw.Connection, fingerprint: Fingerprint, now: str) -> None:
    """Make the index for the first embedder a store meets; refuse any other.

    :raises EmbedderMismatch: the store's vectors are another model's
    """
    check_fingerprint(con, fingerprint)
    if get_fingerprint(con) is None:
        con.execute(ADD_FINGERPRINT, (LAYER, *msgspec.structs.astuple(fingerprint), now))
    if not has_index(con):
        _make_index(con, fingerprint.dims)


def _make_index(con: apsw.Connection, dims: int) -> None:
    con.execute(
        f"create virtual table vec_object using vec0 "
        f"(exchange_id integer primary key, bits bit[{int(dims)}], chunk_size={CHUNK})"
    )


def add_vectors(con: apsw.Connection, vectors: Iterable[tuple[int, bytes]]) -> None:
    """Store the unit vectors (little-endian float32) of exchanges, in place of earlier ones."""
    for exchange_id, vector in vectors:
        small = in_bytes(vector)
        # vec0 knows no INSERT OR REPLACE (0.1.9).
        remove_vectors(con, [exchange_id])
        con.execute(ADD_VECTOR, (exchange_id, small))
        con.execute(ADD_BITS, (exchange_id, small))


def remove_vectors(con: apsw.Connection, exchange_ids: Sequence[int]) -> None:
    """Take vectors out; exchanges without one are passed over."""
    if has_index(con):
        con.executemany("delete from vec_object where exchange_id = ?", ((id,) for id in exchange_ids))
    con.executemany("delete from vector where exchange_id = ?", ((id,) for id in exchange_ids))


def rebuild(con: apsw.Connection) -> None:
    """Drop the index and make it again from the vectors."""
    con.execute("drop table if exists vec_object")
    fingerprint = get_fingerprint(con)
    if fingerprint is not None:
        _make_index(con, fingerprint.dims)
        con.execute(REBUILD)


def drop(con: apsw.Connection) -> None:
    """Drop index, vectors and fingerprint; the next embedding may be another model's."""
    con.execute("drop table if exists vec_object")
    con.execute("delete from vector")
    con.execute("delete from embedding where layer = ?", (LAYER,))


def mean_direction(vectors: Sequence[bytes]) -> bytes:
    """Return the sum of float32 unit vectors: their mean direction, which is all that a cosine sees."""
    if len(vectors) == 1:
        return vectors[0]
    return array("f", map(sum, zip(*(array("f", vector) for vector in vectors), strict=True))).tobytes()


def in_bytes(vector: bytes) -> bytes:
    """Return a float32 vector as signed bytes, scaled so that the largest component is 127."""
    floats = array("f", vector)
    largest = max(map(abs, floats), default=0.0)
    scale = 127 / largest if largest else 0.0
    return array("b", [round(component * scale) for component in floats]).tobytes()


# -- reading --

FINGERPRINT = """
select model, digest, dims, pooling, prefix_query, prefix_text, max_tokens from embedding where layer = ?
"""
NEAREST = """
select exchange_id from vec_object where bits match vec_quantize_binary(vec_int8(:vector)) and k = :k
and exchange_id not in (select id from exchange where automated <> '')
"""
NEAREST_IN_SCOPE = f"""
select exchange_id from vec_object where bits match vec_quantize_binary(vec_int8(:vector)) and k = :k
and exchange_id in ({ALLOWED})
"""
SIMILARITIES = """
select exchange_id, 1 - vec_distance_cosine(vec_int8(embedding), vec_int8(?)) from vector
where exchange_id in (select value from json_each(?)) order by 2 desc, 1
"""


def has_index(con: apsw.Connection) -> bool:
    """Return whether the store has an index of vectors."""
    return bool(con.execute("select exists (select 1 from sqlite_schema where name = 'vec_object')").get)


def get_fingerprint(con: apsw.Connection) -> Fingerprint | None:
    """Return the fingerprint of the embedder that made the store's vectors, or None before the first."""
    row = con.execute(FINGERPRINT, (LAYER,)).get
    return Fingerprint(*row) if row else None


def check_fingerprint(con: apsw.Connection, fingerprint: Fingerprint) -> None:
    """Raise EmbedderMismatch when the store's vectors are another model's."""
    stored = get_fingerprint(con)
    if stored is not None and stored != fingerprint:
        raise EmbedderMismatch(
            f"the store's vectors are {stored.model} ({stored.dims} dimensions, {stored.digest[:19]}), the embedder "
            f"at hand is {fingerprint.model} ({fingerprint.dims} dimensions, {fingerprint.digest[:19]}). "
            f"Use the first, or make the vectors again with: memlite reindex --vectors"
        )


def nearest(con: apsw.Connection, vector: bytes, scope: Scope) -> list[Scored]:
    """Return the exchanges whose objects are most similar to a unit vector, with the cosine, best first."""
    sql = NEAREST_IN_SCOPE if scope.is_narrow else NEAREST
    parameters = scope.parameters if scope.is_narrow else {}
    coarse = con.execute(sql, {**parameters, "vector": in_bytes(vector), "k": COARSE})
    return similarities(con, vector, [row[0] for row in coarse])


def similarities(con: apsw.Connection, vector: bytes, exchange_ids: Sequence[int]) -> list[Scored]:
    """Return the cosine of each of these exchanges' objects with a unit vector, best first."""
    wanted = msgspec.json.encode(exchange_ids).decode()
    return [Scored(*row) for row in con.execute(SIMILARITIES, (in_bytes(vector), wanted))]


def count_vectors(con: apsw.Connection) -> int:
    """Return how many exchanges have a vector."""
    found: int = con.execute("select count(*) from vector").get
    return found
