"""Which of two records is the later one: by when what they tell was so, then by when it was said.

What is told of a time that was over is of that time, however late it is told; what is told as holding holds when it is
said. Nothing here depends on the order in which records came into the store.
"""

from memlite.text.days import first_day, last_day
from memlite.types.records import Record


def moment(record: Record) -> str | None:
    """Return the instant (UTC) of which a record speaks; None where neither it nor its source names one."""
    said = record.said_at
    first = record.time_start and first_day(record.time_start)
    last = record.time_end and last_day(record.time_end)
    if first and last and (said is None or last < said[:10]):
        return midnight(first)
    if first and (said is None or said[:10] < first):
        return midnight(first)
    return said


def begin(record: Record) -> str | None:
    """Return since when what a record states holds, as far as it is known."""
    first = record.time_start and midnight(first_day(record.time_start))
    return min(filter(None, (first, record.said_at)), default=None) if first else record.said_at


def midnight(day: str) -> str:
    """Return the first instant of a day in UTC, as the store writes instants."""
    return f"{day}T00:00:00.000Z"
