"""Counting what a store holds."""

import apsw

from memlite.store import schema
from memlite.types.report import Tokens

TOKENS = """
select count(*), coalesce(sum(tokens_before), 0), coalesce(sum(tokens_after), 0), coalesce(avg(vocab_survival), 0.0)
from palace_object
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
    return {"extractive": found.get("extractive", 0), "gguf": found.get("gguf", 0)}


def count_by(con: apsw.Connection, what: str) -> dict[str, int]:
    """Return the number of exchanges by `project` or by `source`, most first."""
    rows = con.execute({"project": PROJECTS, "source": SOURCES}[what])
    return {name: count for name, count in rows}


def sum_tokens(con: apsw.Connection, tokenizer: str) -> Tokens:
    """Return what the distilled exchanges cost in tokens, before and after."""
    exchanges, before, after, survival = con.execute(TOKENS).get
    ratio = round(before / after, 2) if after else 0.0
    return Tokens(exchanges, before, after, ratio, round(survival, 3), tokenizer)


def versions(con: apsw.Connection) -> tuple[int, str, str]:
    """Return the versions of the schema, of SQLite and of sqlite-vec."""
    return len(schema.STEPS), apsw.sqlite_lib_version(), con.execute("select vec_version()").get
