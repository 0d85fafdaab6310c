"""The vectors: one row an exchange in a vec0 table, searched exactly.

vec0 has no approximate index, so a search reads every vector. Above EXACT_UP_TO rows a copy of one bit a dimension is
read first, and the best of it are scored again with the real vectors. A store knows which embedder made its vectors,
and refuses to compare them with another's.
"""

from collections.abc import Iterable, Sequence

import apsw
import msgspec

from memlite.errors import EmbedderMismatch
from memlite.store.lexical import ALLOWED, Scope, Scored
from memlite.types.embedding import Fingerprint

LAYER = "distilled"
EXACT_UP_TO = 5_000
OVERSAMPLE = 8
MAX_K = 4_096  # vec0 refuses a larger k

# -- writing --

ADD_FINGERPRINT = """
insert into embedding (layer, model, digest, dims, pooling, prefix_query, prefix_text, max_tokens, created_at)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
ADD_VECTOR = """
insert into vec_object (exchange_id, embedding, coarse) values (:id, :vector, vec_quantize_binary(:vector))
"""


def adopt_fingerprint(con: apsw.Connection, fingerprint: Fingerprint, now: str) -> None:
    """Make the vector table for the first embedder a store meets; refuse any other.

    :raises EmbedderMismatch: the store's vectors are another model's
    """
    check_fingerprint(con, fingerprint)
    if get_fingerprint(con) is None:
        con.execute(ADD_FINGERPRINT, (LAYER, *msgspec.structs.astuple(fingerprint), now))
    dims = int(fingerprint.dims)
    con.execute(
        f"create virtual table if not exists vec_object using vec0 "
        f"(exchange_id integer primary key, embedding float[{dims}] distance_metric=cosine, coarse bit[{dims}])"
    )


def add_vectors(con: apsw.Connection, vectors: Iterable[tuple[int, bytes]]) -> None:
    """Store the unit vectors of exchanges, in place of earlier ones."""
    for exchange_id, vector in vectors:
        # vec0 knows no INSERT OR REPLACE (0.1.9).
        con.execute("delete from vec_object where exchange_id = ?", (exchange_id,))
        con.execute(ADD_VECTOR, {"id": exchange_id, "vector": vector})


def remove_vectors(con: apsw.Connection, exchange_ids: Iterable[int]) -> None:
    """Take vectors out; exchanges without one are passed over."""
    if has_vectors(con):
        con.executemany("delete from vec_object where exchange_id = ?", ((id,) for id in exchange_ids))


def drop(con: apsw.Connection) -> None:
    """Drop the vectors and the fingerprint; the next embedding may be another model's."""
    con.execute("drop table if exists vec_object")
    con.execute("delete from embedding where layer = ?", (LAYER,))


# -- reading --

FINGERPRINT = """
select model, digest, dims, pooling, prefix_query, prefix_text, max_tokens from embedding where layer = ?
"""
EXACT = """
select exchange_id, 1 - distance from vec_object where embedding match :vector and k = :k
and exchange_id not in (select id from exchange where automated <> '') order by distance
"""
EXACT_FILTERED = f"""
select exchange_id, 1 - distance from vec_object where embedding match :vector and k = :k
and exchange_id in ({ALLOWED}) order by distance
"""
COARSE = """
select exchange_id from vec_object where coarse match vec_quantize_binary(:vector) and k = :k
and exchange_id not in (select id from exchange where automated <> '')
"""
SIMILARITIES = """
select exchange_id, 1 - vec_distance_cosine(embedding, ?) from vec_object
where exchange_id in (select value from json_each(?)) order by 2 desc
"""


def has_vectors(con: apsw.Connection) -> bool:
    """Return whether the store has a vector table."""
    found: bool = con.execute("select exists (select 1 from sqlite_schema where name = 'vec_object')").get
    return bool(found)


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


def nearest(con: apsw.Connection, vector: bytes, k: int, scope: Scope) -> list[Scored]:
    """Return the exchanges whose objects are most similar to a unit vector, with the cosine, best first."""
    k = min(k, MAX_K)
    if scope.is_narrow:
        return [Scored(*row) for row in con.execute(EXACT_FILTERED, {**scope.parameters, "vector": vector, "k": k})]
    if count_vectors(con) <= EXACT_UP_TO:
        return [Scored(*row) for row in con.execute(EXACT, {"vector": vector, "k": k})]
    coarse = con.execute(COARSE, {"vector": vector, "k": min(k * OVERSAMPLE, MAX_K)})
    return similarities(con, vector, [row[0] for row in coarse])[:k]


def similarities(con: apsw.Connection, vector: bytes, exchange_ids: Sequence[int]) -> list[Scored]:
    """Return the cosine of each of these exchanges' objects with a unit vector, best first."""
    return [Scored(*row) for row in con.execute(SIMILARITIES, (vector, msgspec.json.encode(exchange_ids).decode()))]


def count_vectors(con: apsw.Connection) -> int:
    """Return how many exchanges have a vector."""
    if not has_vectors(con):
        return 0
    found: int = con.execute("select count(*) from vec_object_rowids").get
    return found
