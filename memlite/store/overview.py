"""Counting what a store holds."""

from typing import get_args

import apsw

from memlite.store import readings, schema, tasks
from memlite.types.palace import Engine
from memlite.types.report import Accounts, Reading, Tokens

TOKENS = """
select count(*), coalesce(sum(tokens_before), 0), coalesce(sum(tokens_after), 0),
       coalesce(avg(vocab_survival), 0.0), coalesce(avg(asked_survival), 0.0)
from palace_object
"""
# An exchange whose object is being made again has one and a task; it counts as distilled.
WITHOUT_OBJECT = """
select state, reason, count(*) from task
where kind = 'distill' and exchange_id not in (select exchange_id from palace_object)
group by state, reason order by reason
"""
UNREAD = "select state, reason, count(*) from task where kind = 'extract' group by state, reason order by reason"
READ = """
select count(*) from exchange
where automated = '' and id not in (select exchange_id from task where kind = 'extract')
"""
PROJECTS = """
select project, count(*) from exchange join conversation on conversation.id = conversation_id
group by project order by 2 desc, 1
"""
SOURCES = """
select kind, count(*) from exchange join conversation on conversation.id = conversation_id
group by kind order by 2 desc, 1
"""


def count(con: apsw.Connection) -> dict[str, int]:
    """Return the rows of the verbatim layer, by table, and the automated exchanges among them."""
    return {
        "conversations": con.execute("select count(*) from conversation").get,
        "messages": con.execute("select count(*) from message").get,
        "exchanges": con.execute("select count(*) from exchange").get,
        "automated": con.execute("select count(*) from exchange where automated <> ''").get,
    }


def count_objects(con: apsw.Connection) -> dict[str, int]:
    """Return the number of objects by the engine that made them."""
    found = dict(con.execute("select engine, count(*) from palace_object group by engine"))
    return {engine: found.get(engine, 0) for engine in get_args(Engine)}


def account(con: apsw.Connection) -> Accounts:
    """Return what became of every exchange. Each part is counted by itself, so that a sum that is off shows."""
    skipped: dict[str, int] = {}
    failed: dict[str, int] = {}
    pending = 0
    for state, reason, count in con.execute(WITHOUT_OBJECT):
        if state in ("skipped", "failed"):
            (skipped if state == "skipped" else failed)[reason] = count
        else:
            pending += count
    total: int = con.execute("select count(*) from exchange").get
    distilled: int = con.execute("select count(*) from palace_object").get
    return Accounts(total=total, distilled=distilled, skipped=skipped, failed=failed, pending=pending)


def count_reading(con: apsw.Connection) -> Reading:
    """Return how far exchanges have been read for records; each part is counted by itself too."""
    failed: dict[str, int] = {}
    pending = 0
    for state, reason, count in con.execute(UNREAD):
        if state == "failed":
            failed[reason] = count
        else:
            pending += count
    total: int = con.execute("select count(*) from exchange").get
    automated: int = con.execute("select count(*) from exchange where automated <> ''").get
    return Reading(
        total=total,
        read=con.execute(READ).get,
        automated=automated,
        failed=failed,
        pending=pending,
        models_read=readings.count_read(con),
        models_failed=readings.count_failed(con),
        models_pending=tasks.count_pending(con, readings.KIND),
    )


def count_by(con: apsw.Connection, what: str) -> dict[str, int]:
    """Return the number of exchanges by `project` or by `source`, most first."""
    rows = con.execute({"project": PROJECTS, "source": SOURCES}[what])
    return {name: count for name, count in rows}


def sum_tokens(con: apsw.Connection, tokenizer: str) -> Tokens:
    """Return what the distilled exchanges cost in tokens, before and after."""
    exchanges, before, after, survival, asked = con.execute(TOKENS).get
    ratio = round(before / after, 2) if after else 0.0
    return Tokens(exchanges, before, after, ratio, round(survival, 3), round(asked, 3), tokenizer)


def versions(con: apsw.Connection) -> tuple[int, str, str]:
    """Return the versions of the schema, of SQLite and of sqlite-vec."""
    return len(schema.STEPS), apsw.sqlite_lib_version(), con.execute("select vec_version()").get
