"""What travels: every table of the schema is accounted for."""

from memlite.store import portable

TABLES = """
select name from sqlite_schema
where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name not like 'fts\\_%' escape '\\'
and name not like 'vec\\_%' escape '\\'
"""


def test_every_table_travels_or_stays(con):
    there = {name for (name,) in con.execute(TABLES)}
    assert there == {*portable.tables(), *portable.STAYS}


def test_what_a_row_refers_to_is_written_before_it(con):
    order = portable.tables()
    for place, table in enumerate(order):
        shape = portable.shape(con, table)
        before = order[: place + 1]
        assert set(shape.refers.values()) <= set(before), table


def test_what_refers_to_an_object_refers_to_its_exchange(con):
    assert portable.shape(con, "file_touched").refers == {"exchange_id": "exchange"}


def test_rows_are_known_again_by_columns_that_are_there(con):
    for table, columns in portable.KNOWN_BY.items():
        assert set(columns) <= set(portable.shape(con, table).columns)
