"""Dates a person types as a filter, turned into UTC instants. What fits no form is an error, never "today"."""

import re
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta, tzinfo

from memlite.errors import UsageError
from memlite.text.when import find_times
from memlite.text.when.calendar import add

FORMS = (
    "2026, 2026-05, 2026-05-03, 2026-05-03T10:00, May 2026, 3 May 2026, Q2 2026, today, yesterday, last Friday, "
    "this or last week/month/year, last summer, 3 days ago"
)
_CALENDAR = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_AGO = re.compile(r"(\d{1,4}|a|one) (day|week|month|year)s? ago")
_LEADS = frozenset(("", "in", "on", "the", "in the", "on the"))


def resolve(text: str, today: date | None = None, zone: tzinfo | None = None) -> tuple[str, str]:
    """Return the interval a date names, as UTC instants (start included, end excluded).

    Days, weeks (from Monday), months and years are those of `zone`, by default the machine's.

    :raises UsageError: `text` fits no form; the message lists them
    """
    wanted = " ".join(text.casefold().split())
    today = today or datetime.now(zone).date()
    try:
        days = _calendar(wanted) or _ago(wanted, today) or _day(text.strip()) or _told(" ".join(text.split()), today)
        start, end = (_midnight(day, zone) for day in days) if days else _moment(text.strip(), zone)
        return utc(start), utc(end)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"cannot read {text!r} as a date ({error}). Write one of: {FORMS}") from error


def now() -> str:
    """Return this instant in the form the store keeps."""
    return utc(datetime.now(UTC))


def utc(moment: datetime) -> str:
    """Return an instant in the form the store keeps: UTC, milliseconds, `Z`."""
    # Not strftime: its %Y writes the year 999 with three digits, and instants must sort as text.
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def _calendar(text: str) -> tuple[date, date] | None:
    match = _CALENDAR.fullmatch(text)
    if not match:
        return None
    year, month, day = match.groups()
    start = date(int(year), int(month or 1), int(day or 1))
    return start, add(start, "day" if day else "month" if month else "year", 1)


def _ago(text: str, today: date) -> tuple[date, date] | None:
    """Return the day so long ago: in talk `2 months ago` is a month, as the edge of a filter it is a day."""
    match = _AGO.fullmatch(text)
    if not match:
        return None
    start = add(today, match[2], -(int(match[1]) if match[1].isdigit() else 1))
    return start, add(start, "day", 1)


def _told(text: str, today: date) -> tuple[date, date] | None:
    """Return the days a text names as people say them, when it is nothing but their name."""
    found = find_times(text, today)
    if len(found) != 1 or ":" in text or found[0].relation not in ("at", "between"):
        return None
    time = found[0]
    if time.end_char < len(text) or text[: time.start_char].strip().casefold() not in _LEADS:
        return None
    first, last = _calendar(time.start), _calendar(time.end)
    return (first[0], last[1]) if first and last else None


def _day(text: str) -> tuple[date, date] | None:
    """Return the day that ISO 8601 also writes as `20260503` or `2026-W18-7`."""
    with suppress(ValueError):
        start = date.fromisoformat(text)
        return start, add(start, "day", 1)
    return None


def _moment(text: str, zone: tzinfo | None) -> tuple[datetime, datetime]:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone) if zone else moment.astimezone()
    return moment, moment + timedelta(milliseconds=1)


def _midnight(day: date, zone: tzinfo | None) -> datetime:
    midnight = datetime(day.year, day.month, day.day)
    return midnight.replace(tzinfo=zone) if zone else midnight.astimezone()
