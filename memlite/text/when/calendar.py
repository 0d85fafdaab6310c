"""Days, and the calendar's units around them. Pure arithmetic on the proleptic Gregorian calendar.

Weeks go from Monday to Sunday. Seasons are the northern, meteorological ones; winter is named after the year it begins.
"""

from datetime import date, timedelta
from typing import NamedTuple

from memlite.types.times import Precision

MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
DAYS = {"day": 1, "week": 7, "weekend": 7}
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
"""The month a season begins with; each has three."""
_WRITTEN = {"day": 10, "month": 7, "year": 4}


class Period(NamedTuple):
    """Consecutive days, both ends included, and how precisely they were named."""

    first: date
    last: date
    precision: Precision = "day"
    approximate: bool = False
    ranged: bool = False
    """Whether both its ends were said."""

    @property
    def written(self) -> tuple[str, str]:
        """Its first and last unit at its precision."""
        length = _WRITTEN[self.precision]
        return self.first.isoformat()[:length], self.last.isoformat()[:length]


def add(day: date, unit: str, count: int) -> date:
    """Return the day that lies `count` units later; the last of the month where the month is too short for it."""
    if unit in DAYS:
        return day + timedelta(days=count * DAYS[unit])
    year, month = divmod(day.year * 12 + day.month - 1 + count * MONTHS[unit], 12)
    days_in_month = (date(year + month // 11, (month + 1) % 12 + 1, 1) - timedelta(days=1)).day
    return date(year, month + 1, min(day.day, days_in_month))


def first_day(day: date, unit: str) -> date:
    """Return the first day of the unit that holds a day. A weekend is that of the day's week."""
    if unit in DAYS:
        return day - timedelta(days=day.weekday() - 5 * (unit == "weekend")) if unit != "day" else day
    months = day.year * 12 + day.month - 1
    year, month = divmod(months - months % MONTHS[unit], 12)
    return date(year - year % 10 if unit == "decade" else year, month + 1, 1)


def unit_of(day: date, unit: str, count: int = 0) -> Period:
    """Return the unit `count` units after the one that holds a day."""
    first = add(first_day(day, unit), unit, count)
    after = add(first, "day", 2) if unit == "weekend" else add(first, unit, 1)
    return Period(first, after - timedelta(days=1), precision_of(unit))


def precision_of(unit: str) -> Precision:
    """How precisely a date is named that is told in these units."""
    if unit in DAYS:
        return "day"
    return "year" if unit in ("year", "decade") else "month"


def months(year: int, month: int, count: int = 1) -> Period:
    """Return `count` months from the given one on."""
    first = date(year, month, 1)
    return Period(first, add(first, "month", count) - timedelta(days=1), "month")


def years(first: int, last: int) -> Period:
    """Return whole years."""
    return Period(date(first, 1, 1), date(last, 12, 31), "year")


def one_day(day: date) -> Period:
    """Return the period of a single day."""
    return Period(day, day)


def days(one: date, other: date) -> Period:
    """Return the period between two days, whichever comes first."""
    return Period(min(one, other), max(one, other))


def season_near(today: date, name: str, towards: int) -> Period:
    """Return the last (-1), next (1) or nearest (0) season of a name; the first two leave out the one that is now."""
    found = [months(today.year + off, SEASONS[name], 3) for off in (-2, -1, 0, 1)]
    if towards < 0:
        return [season for season in found if season.last < today][-1]
    if towards > 0:
        return next(season for season in found if season.first > today)
    return min(found, key=lambda season: max((season.first - today).days, (today - season.last).days))


def join(one: Period, other: Period) -> Period:
    """Return the period from the earlier to the later of two, at the finer precision of both."""
    first, last = sorted([one, other], key=lambda period: (period.first, period.last))
    precision = min(one.precision, other.precision, key=("day", "month", "year").index)
    return Period(first.first, max(one.last, last.last), precision, one.approximate or other.approximate)
