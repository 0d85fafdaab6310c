"""Does what is in a file agree with itself? Each check looks at one thing, and a damaged file stops none of the others.

Text is what counts; all else can be made again of it. So a fault that SQLite sees, or a key that points at nothing, is
an error, and an index that differs from its text is a warning that `mends`.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import apsw

from memlite.errors import EmbedderMismatch
from memlite.store import dense, raw, schema, tasks
from memlite.store.connection import id_list
from memlite.store.lexical import rebuild as rebuild_keywords
from memlite.types.embedding import Fingerprint
from memlite.types.findings import Finding

FIX = "memlite doctor --fix"
UNREADABLE = "cannot be read: "
Check = Callable[[apsw.Connection], Iterator[Finding]]

# -- what derived rows there are, and what there should be --

# Index of keywords -> the table whose rows it should hold, and the column that names them.
BASE = {
    "fts_exchange": ("exchange", "id"),
    "fts_object": ("palace_object", "exchange_id"),
    "fts_tool": ("tool_use", "id"),
    "fts_record": ("record", "id"),
}
# Whole statements for each table, since a table's name cannot be a parameter.
KEYWORD_ROWS = {
    index: f"""
    select (select count(*) from {table} where {id} not in (select id from {index}_docsize)),
           (select count(*) from {index}_docsize where id not in (select {id} from {table}))
    """
    for index, (table, id) in BASE.items()
}
COMPARE_WORDS = {index: f"insert into {index} ({index}, rank) values ('integrity-check', 1)" for index in BASE}
VECTOR_ROWS = {
    layer: f"""
    select (select count(*) from vector where layer = '{layer}' and id not in (select rowid from {index}_rowids)),
           (select count(*) from {index}_rowids where rowid not in (select id from vector where layer = '{layer}'))
    """
    for layer, index in dense.INDEX.items()
}
NOT_ASKED = """
select count(*) from exchange
where id not in (select exchange_id from palace_object) and id not in (select exchange_id from task)
"""
ASK = """
insert into task (exchange_id, kind, state)
select id, 'distill', 'pending' from exchange
where id not in (select exchange_id from palace_object) and id not in (select exchange_id from task)
"""
OF_NOTHING = """
(layer = 'distilled' and exchange_id not in (select exchange_id from palace_object))
or (layer = 'records' and part not in (select id from record))
or layer not in (select layer from embedding)
or length(embedding) <> (select dims from embedding where embedding.layer = vector.layer)
"""
WITHOUT_VECTOR = """
select count(*) from palace_object
where exchange_id not in (select exchange_id from vector where layer = 'distilled')
and exchange_id not in (select exchange_id from task where kind in ('embed', 'distill'))
"""
UNGROUPED = """
select count(*) from message
where ply is not null and not exists (
    select 1 from exchange
    where exchange.conversation_id = message.conversation_id and message.seq between seq_start and seq_end
)
"""
CONVERSATIONS_UNGROUPED = f"select distinct conversation_id from ({UNGROUPED.replace('count(*)', '*', 1)}) order by 1"
# Records rest on messages and stay. Exchanges go with all that was made of them; it is made again.
UNGROUP = (
    "delete from vector where exchange_id in (select id from exchange where conversation_id = ?)",
    "delete from task where exchange_id in (select id from exchange where conversation_id = ?)",
    "delete from palace_object where exchange_id in (select id from exchange where conversation_id = ?)",
    "delete from exchange where conversation_id = ?",
)
MISSING = "select count(*) from json_each(?) where value not in (select id from message)"
UNFINISHED = """
select count(*), coalesce(max(path), '') from ledger join source on source.id = source_id where finished_at is null
"""


def examine(con: apsw.Connection, fingerprint: Fingerprint | None = None) -> list[Finding]:
    """Look at everything in a file that is a store, also at whether its vectors are those of the embedder at hand."""
    found = [*_guarded("version", version, con), *_guarded("sqlite", sqlite, con)]
    if all(one.severity != "error" for one in found):
        # FTS5 compares its words by an insert that stores nothing. A file with damage is only read.
        con.pragma("query_only", 0)
    checks: dict[str, Check] = dict(CHECKS)
    if fingerprint is not None:
        checks["embedder"] = partial(embedder, fingerprint)
    further = [one for name, check in checks.items() for one in _guarded(name, check, con)]
    if any(one.severity == "error" for one in found):
        # What follows from that is not told again.
        further = [one for one in further if not one.message.startswith(UNREADABLE)]
    return [*found, *further]


def _guarded(name: str, check: Check, con: apsw.Connection) -> list[Finding]:
    """Run one check; what it cannot read is a finding."""
    try:
        return list(check(con))
    except apsw.BusyError as error:
        return [Finding(name, "note", f"not looked at: {error}", "Look again when nobody writes")]
    except apsw.Error as error:
        return [Finding(name, "error", f"{UNREADABLE}{error}", "memlite restore BACKUP")]


def version(con: apsw.Connection) -> Iterator[Finding]:
    """Is the schema one that this memlite knows?"""
    found, newest = con.pragma("user_version"), len(schema.STEPS)
    if con.pragma("application_id") != schema.APPLICATION_ID:
        yield Finding("version", "error", "this is an SQLite file, but not a memlite store", "Give another path")
    elif found > newest:
        message = f"schema {found} is newer than {newest}, the newest this memlite knows"
        yield Finding("version", "error", message, "Upgrade memlite")
    elif found < newest:
        yield Finding("version", "note", f"schema {found}; any other command brings it to {newest}")
    else:
        yield Finding("version", "ok", f"schema {found}")


def sqlite(con: apsw.Connection) -> Iterator[Finding]:
    """Are the pages and the ordinary indexes sound?"""
    faults = raw.faults(con)
    if not faults:
        yield Finding("sqlite", "ok", "SQLite finds every page and index sound")
        return
    message = f"SQLite finds damage: {'; '.join(faults[:3])}" + ("; ..." if len(faults) > 3 else "")
    remedy = f"memlite restore BACKUP. Without a backup: {FIX} reads what can be read into a new file"
    yield Finding("sqlite", "error", message, remedy, mends=True)


def keys(con: apsw.Connection) -> Iterator[Finding]:
    """Does every row that a row refers to exist?"""
    broken = [(str(table), str(parent)) for table, _, parent, _ in con.execute("pragma foreign_key_check")]
    if not broken:
        yield Finding("keys", "ok", "every row refers to rows that are there")
        return
    pairs = ", ".join(sorted({f"{table} to {parent}" for table, parent in broken}))
    yield Finding(
        "keys", "error", f"{len(broken):,} rows refer to rows that are not there ({pairs})", "Restore a backup"
    )


def keywords(con: apsw.Connection) -> Iterator[Finding]:
    """Do the keyword indexes hold the words of the text?"""
    found = [fault for index in BASE for fault in _faults_of_keywords(con, index)]
    yield from (Finding("keywords", "warning", fault, FIX, mends=True) for fault in found)
    if not found:
        yield Finding("keywords", "ok", "the keyword indexes hold the words of the text")


def _faults_of_keywords(con: apsw.Connection, index: str) -> Iterator[str]:
    if not _there(con, BASE[index][0]):
        return  # an older schema, which has no such rows
    if not _there(con, index):
        yield f"the keyword index {index} is missing"
        return
    missing, surplus = con.execute(KEYWORD_ROWS[index]).get
    if missing or surplus:
        yield f"{index} lacks {missing:,} rows and has {surplus:,} too many"
        return
    try:
        con.execute(COMPARE_WORDS[index])
    except (apsw.CorruptError, apsw.SQLError) as error:
        yield f"{index} differs from the text: {error}"


def vectors(con: apsw.Connection) -> Iterator[Finding]:
    """Are the vectors those of objects and records that are there, of one width, and in the index?"""
    stray: int = con.execute(f"select count(*) from vector where {OF_NOTHING}").get
    faults = [f"{stray:,} vectors belong to nothing, or have another width than their model's"] if stray else []
    for layer in dense.INDEX:
        if dense.get_fingerprint(con, layer) is None:
            continue
        if not dense.has_index(con, layer):
            faults.append(f"the index of {layer} vectors is missing")
            continue
        missing, surplus = con.execute(VECTOR_ROWS[layer]).get
        if missing or surplus:
            faults.append(f"the index of {layer} vectors lacks {missing:,} and has {surplus:,} too many")
    yield from (Finding("vectors", "warning", fault, FIX, mends=True) for fault in faults)
    if not faults:
        yield Finding(
            "vectors", "ok", f"{con.execute('select count(*) from vector').get:,} vectors, all in their index"
        )


def exchanges(con: apsw.Connection) -> Iterator[Finding]:
    """Is everything said in an exchange, and every exchange distilled or asked for?"""
    faults = [
        (con.execute(NOT_ASKED).get, "exchanges have no object, and nobody was asked for one"),
        (con.execute(WITHOUT_VECTOR).get, "objects have no vector, and nobody was asked for one"),
    ]
    for count, what in faults:
        if count:
            yield Finding("exchanges", "warning", f"{count:,} {what}", FIX, mends=True)
    ungrouped: int = con.execute(UNGROUPED).get
    if ungrouped:
        message = f"{ungrouped:,} messages are in no exchange, so no search finds them"
        yield Finding("exchanges", "warning", message, FIX, mends=True)
    if not ungrouped and not any(count for count, _ in faults):
        yield Finding("exchanges", "ok", "all that was said is in an exchange, distilled or waiting for it")


def imports(con: apsw.Connection) -> Iterator[Finding]:
    """Did every import come to its end?"""
    count, path = con.execute(UNFINISHED).get
    if count:
        yield Finding(
            "imports", "note", f"{count:,} imports did not come to their end (such as {path})", "Import again"
        )


def embedder(fingerprint: Fingerprint, con: apsw.Connection) -> Iterator[Finding]:
    """Were the vectors made by the embedder at hand?"""
    for layer in dense.INDEX:
        try:
            dense.check_fingerprint(con, layer, fingerprint)
        except EmbedderMismatch as error:
            what, _, remedy = str(error).rpartition(". ")
            yield Finding("embedder", "warning", what, remedy)
            return


def missing_messages(con: apsw.Connection, ids: Iterable[int]) -> int:
    """Return how many of these messages are not there."""
    found: int = con.execute(MISSING, (id_list(ids),)).get
    return found


CHECKS: dict[str, Check] = {
    "keys": keys,
    "keywords": keywords,
    "vectors": vectors,
    "exchanges": exchanges,
    "imports": imports,
}


def _there(con: apsw.Connection, table: str) -> bool:
    return bool(con.execute("select exists (select 1 from sqlite_schema where name = ?)", (table,)).get)


# -- mending --


def ungroup(con: apsw.Connection) -> list[int]:
    """Take out the exchanges of conversations that do not cover all that was said; return those conversations.

    The keyword indexes still hold what is gone: `mend` comes next.
    """
    rows: list[Any] = con.execute(CONVERSATIONS_UNGROUPED).fetchall()
    ids = [id for (id,) in rows]
    for statement in UNGROUP:
        con.executemany(statement, ((id,) for id in ids))
    return ids


def mend(con: apsw.Connection) -> tuple[str, ...]:
    """Make again what is made of the text, and ask for what takes a model; return what was done."""
    rebuild_keywords(con)
    con.execute(f"delete from vector where {OF_NOTHING}")
    stray = con.changes()
    dense.rebuild(con)
    con.execute(ASK)
    asked = con.changes()
    tasks.ask_for_missing_vectors(con)
    done = ["keyword indexes made again", "indexes of vectors made again"]
    if stray:
        done.append(f"{stray:,} vectors of nothing deleted")
    if asked:
        done.append(f"{asked:,} exchanges put in the queue (memlite distill)")
    return tuple(done)
