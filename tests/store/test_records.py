"""Records as they are stored, and every filter held against the same filter in Python."""

from contextlib import contextmanager, suppress
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlite.memory import Memory
from memlite.memory.listing import list_records
from memlite.store import lexical, records
from memlite.store.records import Maker, Sourced
from memlite.text.days import first_day, last_day
from memlite.text.slug import stem
from memlite.types.records import Record
from tests.embedders import WordEmbedder

MAKER = Maker("extractive", "", "test-1")
NOW = "2026-05-03T10:00:00.000Z"
NO_FILTER = {
    **{"text": "", "type": "", "active": True, "since": "", "until": "", "at": "", "zone": None, "where": ""},
    **{"keyword": "", "speaker": "", "project": "", "conversation": "", "order": "oldest", "limit": None, "offset": 0},
}
PROJECTS = {1: "app", 2: "home"}
PLACES = ["", "Berlin", "Berlin Mitte", "ÉVORA", "old town"]
WORDS = ["Guinea pigs", "backup", "Backups", "queries", "日本"]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with Memory(tmp_path_factory.mktemp("records") / "memory.db", embedder=WordEmbedder()) as memory:
        for project in PROJECTS.values():
            memory.add([{"role": "user", "content": "x" * 200}], conversation=f"of {project}", project=project)
        yield memory._store


days = st.dates(date(2022, 11, 1), date(2024, 2, 28))
written = st.tuples(days, st.sampled_from([4, 7, 10])).map(lambda pair: pair[0].isoformat()[: pair[1]])


def ordered(pair):
    start, end = pair
    return not (start and end) or first_day(start) <= last_day(end)


spans = st.tuples(st.none() | written, st.none() | written).filter(ordered)
stated = st.builds(
    lambda span, **rest: Record(ply=0, start=0, end=5, time_start=span[0], time_end=span[1], **rest),
    span=spans,
    content=st.sampled_from(["The backup runs at night.", "Ana keeps guinea pigs.", "東京で会議"]),
    type=st.sampled_from(["fact", "episodic", "profile"]),
    location=st.sampled_from(PLACES),
    keywords=st.lists(st.sampled_from(WORDS), max_size=2, unique=True).map(tuple),
    speaker=st.sampled_from(["", "Ana", "ana"]),
    said_at=st.none() | days.map(lambda day: f"{day}T10:00:00.000Z"),
)
some = st.lists(st.tuples(st.sampled_from([1, 2]), stated, st.booleans()), max_size=8)
filters = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["fact", "episodic", "profile"]),
        "active": st.booleans(),
        "since": written,
        "until": written,
        "at": written,
        "where": st.sampled_from(["berlin", "évora", "TOWN", "%"]),
        "keyword": st.sampled_from(["guinea pig", "BACKUPS", "query", "日本", "!"]),
        "speaker": st.sampled_from(["Ana", "Ben"]),
        "project": st.sampled_from(["app", "home", "none"]),
        "conversation": st.just("of app"),
        "order": st.sampled_from(["newest", "oldest", "time"]),
    },
)


def passes(record, project, is_active, wanted):
    """Say the same as the SQL does, in Python."""
    first = first_day(record.time_start) if record.time_start else ""
    last = last_day(record.time_end) if record.time_end else ""
    for name, lower, upper in (("since", True, False), ("until", False, True), ("at", True, True)):
        given = wanted.get(name)
        if given and not (first or last):
            return False
        if given and lower and last and last < first_day(given):
            return False
        if given and upper and first and first > last_day(given):
            return False
    held = {stem(word) for keyword in record.keywords for word in keyword.split()}
    asked = {stem(word) for word in wanted.get("keyword", "").split()}
    return (
        (is_active or not wanted.get("active", True))
        and record.type == wanted.get("type", record.type)
        and wanted.get("where", "").casefold() in record.location.casefold()
        and asked <= held
        and record.speaker == wanted.get("speaker", record.speaker)
        and project == wanted.get("project", project)
        and wanted.get("conversation", "") in ("", f"of {project}")
    )


def place(record, id, order):
    if order == "time":
        begins = first_day(record.time_start) if record.time_start else None
        begins = begins or (last_day(record.time_end) if record.time_end else None)
        return (begins is None, begins or "", id)
    said = date.fromisoformat(record.said_at[:10]).toordinal() if record.said_at else 0
    return (record.said_at is None, -said, -id) if order == "newest" else (record.said_at is None, said, id)


class Undo(Exception):
    pass


@contextmanager
def undone(store):
    """Give a transaction of which nothing stays."""
    with suppress(Undo), store.transaction() as con:
        yield con
        raise Undo


@given(some, filters)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_filters_pass_what_the_same_filters_pass_in_python(store, given, wanted):
    with undone(store) as con:
        held = {}
        for exchange_id in PROJECTS:
            mine = [(record, active) for where, record, active in given if where == exchange_id]
            made = [Sourced(record, exchange_id) for record, _ in mine]
            records.replace_records(con, exchange_id, exchange_id, made, MAKER, NOW)
            views = records.get_by_exchange(con, [exchange_id]).get(exchange_id, ())
            for view, (record, active) in zip(views, mine, strict=True):
                if not active:
                    con.execute("update record set state = 'superseded' where id = ?", (view.id,))
                held[view.id] = record, PROJECTS[exchange_id], active
        order = wanted.get("order", "oldest")
        expected = sorted(
            (id for id, (record, project, active) in held.items() if passes(record, project, active, wanted)),
            key=lambda id: place(held[id][0], id, order),
        )
        found = list_records(store, **{**NO_FILTER, **wanted})
        assert [view.id for view in found] == expected
        page = list_records(store, **{**NO_FILTER, **wanted, "limit": 2, "offset": 1})
        assert [view.id for view in page] == expected[1:3]
        for view in found:
            record, _, active = held[view.id]
            assert {name: getattr(view, name) for name in record.__struct_fields__ if hasattr(view, name)} == {
                name: getattr(record, name) for name in record.__struct_fields__ if hasattr(view, name)
            }
            assert view.state == ("active" if active else "superseded")
        con.execute("insert into fts_record (fts_record, rank) values ('integrity-check', 1)")


def test_text_is_looked_for_in_content_cause_purpose_and_keywords(store):
    made = [
        Record("Ana moved.", "episodic", 0, 0, 3, reason="the rent doubled"),
        Record("Ana saves.", "fact", 0, 0, 3, purpose="a cargo-bike", keywords=("money box",)),
    ]
    with undone(store) as con:
        records.replace_records(con, 1, 1, [Sourced(record, 1) for record in made], MAKER, NOW)
        for text, found in {
            **{"rents": ["Ana moved."], "ana": ["Ana moved.", "Ana saves."], "bikes ana": ["Ana saves."]},
            **{"boxes": ["Ana saves."], "rent bike": [], "!!": [], "quasar": []},
        }.items():
            assert [view.content for view in list_records(store, **{**NO_FILTER, "text": text})] == found, text


def test_replacing_takes_everything_of_the_earlier_records_along(memory):
    memory.add([{"role": "user", "content": "x" * 200}])
    con = memory._store.con
    for content in ("One thing.", "Another thing."):
        record = Record(content, "fact", 0, 0, 3, keywords=("thing",))
        with memory._store.transaction():
            records.replace_records(con, 1, 1, [Sourced(record, 1)], MAKER, NOW)
        memory.distill()
        with memory._store.transaction():  # distilling reads the exchange itself, and finds nothing
            records.replace_records(con, 1, 1, [Sourced(record, 1)], MAKER, NOW)
        memory.embed()
        for table in ("record", "record_source", "record_keyword", "vec_record"):
            assert con.execute(f"select count(*) from {table}").get == 1, table
        assert con.execute("select count(*) from vector where layer = 'records'").get == 1
        assert [view.content for view in memory.records("thing")] == [content]
    with memory._store.transaction():
        records.remove_records(con, [1])
    for table in ("record", "record_source", "record_keyword", "vec_record"):
        assert con.execute(f"select count(*) from {table}").get == 0, table
    lexical.rebuild(con)
    assert memory.records() == ()


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024", "2024-01-01", "2024-12-31"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("2023-02-08", "2023-02-08", "2023-02-08"),
    ],
)
def test_days(text, first, last):
    assert (first_day(text), last_day(text)) == (first, last)


@given(st.text("0123456789-W", max_size=12))
def test_only_days_months_and_years_have_days(text):
    try:
        first = first_day(text)
    except ValueError:
        return
    assert len(text) in (4, 7, 10)
    assert first.startswith(text)
    assert date.fromisoformat(first) <= date.fromisoformat(last_day(text))
