"""A date named in a question: `on 7 May 2023`, `in May 2023`, `2023-05-07`, `in 2021`.

It is when something happened or was talked about, and a person may be off by a day: it lifts what was said then, and
never hides the rest. A filter that hides is asked for with --since and --until.
"""

import re
from datetime import date, timedelta, tzinfo

from memlite.text import times

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            *("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul"),
            *("august aug", "september sept sep", "october oct", "november nov", "december dec"),
        ),
        start=1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"\b(?:(?P<iso>\d{{4}})-(?P<iso_month>\d{{2}})(?:-(?P<iso_day>\d{{2}}))?"
    rf"|(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? )?(?P<month>{_MONTH})\.?"
    rf"(?: (?P<late_day>\d{{1,2}})(?:st|nd|rd|th)?)?,? (?P<year>\d{{4}}))\b",
    re.IGNORECASE,
)


def said_then(text: str, zone: tzinfo | None = None) -> tuple[str, str] | None:
    """Return the UTC interval of the first date a text names, in `zone` (by default the machine's), or None."""
    days = interval(text)
    return times.instants(*days, zone) if days else None


def interval(text: str) -> tuple[date, date] | None:
    """Return the first day and the day after the last of the first date named, or None."""
    for match in _DATE.finditer(text):
        year = int(match["iso"] or match["year"])
        month = int(match["iso_month"]) if match["iso"] else _MONTHS[match["month"].casefold()]
        day = match["iso_day"] or match["day"] or match["late_day"]
        try:
            return _span(year, month, int(day) if day else None)
        except ValueError:  # such as 31 June: no such day, so no date was named
            continue
    return None


def _span(year: int, month: int, day: int | None) -> tuple[date, date]:
    if day:
        start = date(year, month, day)
        return start, start + timedelta(days=1)
    start = date(year, month, 1)
    return start, (start + timedelta(days=31)).replace(day=1)
