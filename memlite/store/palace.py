"""Palace objects, their rooms and files."""

from collections.abc import Iterable, Sequence

import apsw
import msgspec
from msgspec import Struct

from memlite.store import dense, lexical, tasks
from memlite.store.connection import id_list
from memlite.types.palace import FileTouched, PalaceObject, Room, join_distilled
from memlite.types.query import ObjectView
from memlite.types.report import Pointer

# -- writing --

ADD_OBJECT = """
insert into palace_object (exchange_id, exchange_core, specific_context, engine, model, prompt_version, vocab_survival,
                           tokens_before, tokens_after, asked_survival, evidence, created_at)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
ADD_ROOM = "insert into room (type, key, label, project) values (?, ?, ?, ?) on conflict do nothing"
PLACE_IN_ROOM = """
insert into room_object (room_id, exchange_id, relevance)
select id, ?, ? from room where type = ? and key = ? and project = ?
on conflict do nothing
"""
ADD_FILE = "insert into file_touched (exchange_id, path, action) values (?, ?, ?) on conflict do nothing"


class Making(Struct, frozen=True):
    """How an object was made, what it saved, and where its words stand."""

    model: str
    prompt_version: str
    vocab_survival: float
    tokens_before: int
    tokens_after: int
    asked_survival: float | None = None
    """None where it was not measured."""
    evidence: tuple[Pointer, ...] = ()


def replace_object(
    con: apsw.Connection, exchange_id: int, made: PalaceObject, making: Making, project: str, now: str
) -> None:
    """Store the object of an exchange, findable by keyword, in place of an earlier one."""
    remove_objects(con, [exchange_id])
    *how, evidence = msgspec.structs.astuple(making)
    values = (made.exchange_core, made.specific_context, made.engine, *how, msgspec.json.encode(evidence).decode(), now)
    con.execute(ADD_OBJECT, (exchange_id, *values))
    for room in made.rooms:
        con.execute(ADD_ROOM, (room.type, room.key, room.label, project))
        con.execute(PLACE_IN_ROOM, (exchange_id, room.relevance, room.type, room.key, project))
    con.executemany(ADD_FILE, ((exchange_id, file.path, file.action) for file in made.files))
    lexical.index(con, "fts_object", [exchange_id])


def remove_objects(con: apsw.Connection, exchange_ids: Sequence[int]) -> None:
    """Take objects out with their vectors, and what was asked of models; exchanges without one are passed over."""
    lexical.unindex(con, "fts_object", exchange_ids)
    dense.remove_vectors(con, "distilled", exchange_ids)
    con.executemany("delete from palace_object where exchange_id = ?", ((id,) for id in exchange_ids))
    for id in exchange_ids:
        tasks.withdraw(con, id, "upgrade")


# -- reading --

OBJECTS = """
select exchange_id, exchange_core, specific_context, engine,
       (select json_group_array(json_object('type', type, 'key', key, 'label', label, 'relevance', relevance))
        from (select * from room_object join room on room.id = room_id
              where room_object.exchange_id = palace_object.exchange_id order by relevance desc, key)),
       (select json_group_array(json_object('path', path, 'action', action))
        from file_touched where file_touched.exchange_id = palace_object.exchange_id)
from palace_object where exchange_id in (select value from json_each(?))
"""
TEXTS = """
select exchange_id, exchange_core, specific_context from palace_object
where exchange_id in (select value from json_each(?))
"""
MAKER = "select model, prompt_version from palace_object where exchange_id = ?"
EVIDENCE = "select evidence from palace_object where exchange_id = ? and evidence is not null"
_ROOMS = msgspec.json.Decoder(tuple[Room, ...])
_FILES = msgspec.json.Decoder(tuple[FileTouched, ...])
_EVIDENCE = msgspec.json.Decoder(tuple[Pointer, ...])


def get_objects(con: apsw.Connection, exchange_ids: Iterable[int]) -> dict[int, ObjectView]:
    """Return the objects of exchanges, by exchange id; those not distilled are left out."""
    rows = con.execute(OBJECTS, (id_list(exchange_ids),))
    return {
        id: ObjectView(core, context, _ROOMS.decode(rooms), _FILES.decode(files), engine)
        for id, core, context, engine, rooms, files in rows
    }


def distilled_texts(con: apsw.Connection, exchange_ids: Iterable[int]) -> dict[int, str]:
    """Return what is embedded of each of these exchanges' objects."""
    rows = con.execute(TEXTS, (id_list(exchange_ids),))
    return {id: join_distilled(core, context) for id, core, context in rows}


def get_maker(con: apsw.Connection, exchange_id: int) -> tuple[str, str]:
    """Return the model and the version of rules or prompt that made an exchange's object."""
    model, version = con.execute(MAKER, (exchange_id,)).get
    return model, version


def get_evidence(con: apsw.Connection, exchange_id: int) -> tuple[Pointer, ...]:
    """Return where the words of an exchange's object stand; nothing for one made before this was kept."""
    found = con.execute(EVIDENCE, (exchange_id,)).get
    return _EVIDENCE.decode(found) if found else ()
