"""Days of the calendar as they are written: a year, a month or a day, and which full days it has."""

from calendar import monthrange
from datetime import date

_LENGTHS = (4, 7, 10)


def first_day(written: str) -> str:
    """Return the first day of `2023`, `2023-05` or `2023-05-08`.

    :raises ValueError: it is written in another way, or there is no such day
    """
    return _first(written).isoformat()


def last_day(written: str) -> str:
    """Return the last day of `2023`, `2023-05` or `2023-05-08`.

    :raises ValueError: it is written in another way, or there is no such day
    """
    first = _first(written)
    month = 12 if len(written) == 4 else first.month
    day = first.day if len(written) == 10 else monthrange(first.year, month)[1]
    return date(first.year, month, day).isoformat()


def _first(written: str) -> date:
    day = date.fromisoformat(f"{written}-01-01"[:10])
    if len(written) not in _LENGTHS or not day.isoformat().startswith(written):
        raise ValueError(f"{written!r} is no year, month or day")
    return day
