"""The vectors: an ordinary table holds them, a vec0 table of one bit a dimension finds the nearest, for each layer.

A vector is kept as one signed byte a dimension, scaled to its own largest component: the cosine moves by 0.0001 at
most, and a vector costs 384 bytes instead of 1,536. The bits are read for every search (48 bytes a vector), the COARSE
nearest are then scored with the bytes. Scores come from an ordinary table because vec0 takes 0.4 ms to look up one row,
an ordinary table 0.003 ms. A layer knows which embedder made its vectors, and refuses to mix two.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import apsw
import msgspec

from memlite.errors import EmbedderMismatch
from memlite.store.connection import id_list
from memlite.store.lexical import ALLOWED, Scope, Scored
from memlite.types.embedding import Fingerprint

Layer = Literal["distilled", "records", "verbatim"]
Precision = Literal["bits+bytes", "bytes", "bits"]
"""By bits, then by bytes (what is shipped); every vector by its bytes, which is exact; by bits alone."""
INDEX: dict[Layer, str] = {"distilled": "vec_object", "records": "vec_record", "verbatim": "vec_exchange"}

# Vectors whose bits are nearest. Of 21,668 real texts they hold 0.989 of the ten truly nearest (0.995 with 200), and no
# benchmark answers otherwise with 200; but vec0's time grows with them: 2.6 and 5.6 ms at 15,000 vectors.
COARSE = 100
# vec0 merges the best of each chunk, so fewer and larger chunks are faster: at 100,000 vectors 13 ms against 25 ms.
CHUNK = 4_096

# -- writing --

ADD_FINGERPRINT = """
insert into embedding (layer, model, digest, dims, pooling, prefix_query, prefix_text, max_tokens, created_at)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
ADD_VECTOR = "insert into vector (layer, exchange_id, part, embedding) values (?, ?, ?, ?)"
# Whole statements for each layer, since a table's name cannot be a parameter.
ADD_BITS = {
    layer: f"insert into {table} (id, bits) values (?, vec_quantize_binary(vec_int8(?)))"
    for layer, table in INDEX.items()
}
# By one id: for `id in (select ...)` vec0 reads the whole table (0.1.9).
REMOVE_BITS = {layer: f"delete from {table} where id = ?" for layer, table in INDEX.items()}
VECTORS_OF = "select id from vector where layer = ? and exchange_id = ?"
REMOVE_VECTORS = "delete from vector where layer = ? and exchange_id = ?"
REBUILD = {
    layer: f"""
    insert into {table} (id, bits)
    select id, vec_quantize_binary(vec_int8(embedding)) from vector where layer = '{layer}'
    """
    for layer, table in INDEX.items()
}


def adopt_fingerprint(con: apsw.Connection, layer: Layer, fingerprint: Fingerprint, now: str) -> None:
    """Make a layer's index for the first embedder it meets; refuse any other.

    :raises EmbedderMismatch: the layer's vectors are another model's
    """
    check_fingerprint(con, layer, fingerprint)
    if get_fingerprint(con, layer) is None:
        con.execute(ADD_FINGERPRINT, (layer, *msgspec.structs.astuple(fingerprint), now))
    if not has_index(con, layer):
        _make_index(con, layer, fingerprint.dims)


def _make_index(con: apsw.Connection, layer: Layer, dims: int) -> None:
    con.execute(
        f"create virtual table {INDEX[layer]} using vec0 "
        f"(id integer primary key, bits bit[{int(dims)}], chunk_size={CHUNK})"
    )


def add_vectors(con: apsw.Connection, layer: Layer, vectors: Iterable[tuple[int, Mapping[int, bytes]]]) -> None:
    """Store the unit vectors (little-endian float32) of exchanges, by part, in place of earlier ones.

    An object has the part 0, what was said as many parts as it takes; of the records each is a part, by its id.
    """
    for exchange_id, parts in vectors:
        remove_vectors(con, layer, [exchange_id])
        for part, vector in parts.items():
            small = in_bytes(vector)
            con.execute(ADD_VECTOR, (layer, exchange_id, part, small))
            con.execute(ADD_BITS[layer], (con.last_insert_rowid(), small))


def remove_vectors(con: apsw.Connection, layer: Layer, exchange_ids: Sequence[int]) -> None:
    """Take vectors out; exchanges without one are passed over."""
    keys = [(layer, exchange_id) for exchange_id in exchange_ids]
    if has_index(con, layer):
        ids = [row for key in keys for row in con.execute(VECTORS_OF, key)]
        con.executemany(REMOVE_BITS[layer], ids)
    con.executemany(REMOVE_VECTORS, keys)


def rebuild(con: apsw.Connection) -> None:
    """Drop the indexes and make them again from the vectors."""
    for layer, table in INDEX.items():
        con.execute(f"drop table if exists {table}")
        fingerprint = get_fingerprint(con, layer)
        if fingerprint is not None:
            _make_index(con, layer, fingerprint.dims)
            con.execute(REBUILD[layer])


def drop(con: apsw.Connection) -> None:
    """Drop indexes, vectors and fingerprints; the next embedding may be another model's."""
    for table in INDEX.values():
        con.execute(f"drop table if exists {table}")
    con.execute("delete from vector")
    con.execute("delete from embedding")


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
NEAREST = {
    layer: f"select id from {table} where bits match vec_quantize_binary(vec_int8(:vector)) and k = :k"
    for layer, table in INDEX.items()
}
NEAREST_IN_SCOPE = {
    layer: f"{sql} and id in (select id from vector where layer = '{layer}' and exchange_id in ({ALLOWED}))"
    for layer, sql in NEAREST.items()
}
# Reads the bytes of every vector: what the bits approximate.
EXACT = """
select exchange_id, max(1 - vec_distance_cosine(vec_int8(embedding), vec_int8(:vector))) as cosine from vector
where layer = :layer group by exchange_id order by cosine desc, exchange_id limit :k
"""
EXACT_IN_SCOPE = EXACT.replace("group by", f"and exchange_id in ({ALLOWED}) group by")
EXCHANGES_OF = "select id, exchange_id from vector where id in (select value from json_each(?))"
# An exchange is as similar as its most similar part.
SIMILAR = """
select exchange_id, max(1 - vec_distance_cosine(vec_int8(embedding), vec_int8(:vector))) as cosine from vector
where id in (select value from json_each(:ids)) group by exchange_id order by cosine desc, exchange_id
"""
SIMILARITIES = """
select exchange_id, max(1 - vec_distance_cosine(vec_int8(embedding), vec_int8(:vector))) as cosine from vector
where layer = :layer and exchange_id in (select value from json_each(:ids))
group by exchange_id order by cosine desc, exchange_id
"""


def has_index(con: apsw.Connection, layer: Layer) -> bool:
    """Return whether a layer has an index of vectors."""
    return bool(con.execute("select exists (select 1 from sqlite_schema where name = ?)", (INDEX[layer],)).get)


def get_fingerprint(con: apsw.Connection, layer: Layer) -> Fingerprint | None:
    """Return the fingerprint of the embedder that made a layer's vectors, or None before the first."""
    row = con.execute(FINGERPRINT, (layer,)).get
    return Fingerprint(*row) if row else None


def check_fingerprint(con: apsw.Connection, layer: Layer, fingerprint: Fingerprint) -> None:
    """Raise EmbedderMismatch when a layer's vectors are another model's."""
    stored = get_fingerprint(con, layer)
    if stored is not None and stored != fingerprint:
        raise EmbedderMismatch(
            f"the store's vectors are {stored.model} ({stored.dims} dimensions, {stored.digest[:19]}), the embedder "
            f"at hand is {fingerprint.model} ({fingerprint.dims} dimensions, {fingerprint.digest[:19]}). "
            f"Use the first, or make the vectors again with: memlite reindex --vectors"
        )


def nearest(
    con: apsw.Connection, layer: Layer, vector: bytes, scope: Scope, precision: Precision = "bits+bytes"
) -> list[Scored]:
    """Return the exchanges most similar to a unit vector, with the cosine, best first.

    By bits alone the score is only that of the rank: 1 for the first, less for each that follows.
    """
    parameters = scope.parameters if scope.is_narrow else {}
    small = in_bytes(vector)
    if precision == "bytes":
        sql = EXACT_IN_SCOPE if scope.is_narrow else EXACT
        return [Scored(*row) for row in con.execute(sql, {**parameters, "layer": layer, "vector": small, "k": COARSE})]
    sql = NEAREST_IN_SCOPE[layer] if scope.is_narrow else NEAREST[layer]
    coarse = [id for (id,) in con.execute(sql, {**parameters, "vector": small, "k": COARSE})]
    if precision == "bits":
        owners = dict(con.execute(EXCHANGES_OF, (id_list(coarse),)))
        found = dict.fromkeys(owners[id] for id in coarse)
        return [Scored(id, 1 - rank / COARSE) for rank, id in enumerate(found)]
    return [Scored(*row) for row in con.execute(SIMILAR, {"vector": small, "ids": id_list(coarse)})]


def similarities(con: apsw.Connection, layer: Layer, vector: bytes, exchange_ids: Sequence[int]) -> list[Scored]:
    """Return the cosine of each of these exchanges that has a vector with a unit vector, best first."""
    values = {"layer": layer, "vector": in_bytes(vector), "ids": id_list(exchange_ids)}
    return [Scored(*row) for row in con.execute(SIMILARITIES, values)]


def count_vectors(con: apsw.Connection, layer: Layer) -> int:
    """Return how many vectors a layer has; in the distilled layer an exchange has one."""
    if not has_index(con, layer):
        return 0
    # Every search tells its coverage: of 100,000 vectors this takes 0.01 ms, a scan of their table took 17 ms and drove
    # everything else out of the page cache.
    found: int = con.execute(f"select count(*) from {INDEX[layer]}_rowids").get
    return found
