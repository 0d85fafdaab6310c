"""Dates a person types as a filter, turned into UTC instants. What fits no form is an error, never "today"."""

import re
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta, tzinfo

from memlite.errors import UsageError

FORMS = "2026, 2026-05, 2026-05-03, 2026-05-03T10:00, today, yesterday, this or last week/month/year, 3 days ago"
_CALENDAR = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_AGO = re.compile(r"(\d{1,4}|a|one) (day|week|month|year)s? ago")
_NAMED = re.compile(r"(this|last) (week|month|year)")


def resolve(text: str, today: date | None = None, zone: tzinfo | None = None) -> tuple[str, str]:
    """Return the interval a date names, as UTC instants (start included, end excluded).

    Days, weeks (from Monday), months and years are those of `zone`, by default the machine's.

    :raises UsageError: `text` fits no form; the message lists them
    """
    wanted = " ".join(text.casefold().split())
    today = today or datetime.now(zone).date()
    try:
        days = _calendar(wanted) or _spoken(wanted, today) or _day(text.strip())
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
    year, month, day = (int(part) if part else None for part in match.groups())
    start = date(year or 0, month or 1, day or 1)
    return start, _add(start, "day" if day else "month" if month else "year", 1)


def _spoken(text: str, today: date) -> tuple[date, date] | None:
    if text in ("today", "yesterday"):
        start = today - timedelta(days=text == "yesterday")
        return start, _add(start, "day", 1)
    if match := _NAMED.fullmatch(text):
        start = _add(_first_day(today, match[2]), match[2], -1 if match[1] == "last" else 0)
        return start, _add(start, match[2], 1)
    if match := _AGO.fullmatch(text):
        start = _add(today, match[2], -(int(match[1]) if match[1].isdigit() else 1))
        return start, _add(start, "day", 1)
    return None


def _day(text: str) -> tuple[date, date] | None:
    """Return the day that ISO 8601 also writes as `20260503` or `2026-W18-7`."""
    with suppress(ValueError):
        start = date.fromisoformat(text)
        return start, _add(start, "day", 1)
    return None


def _moment(text: str, zone: tzinfo | None) -> tuple[datetime, datetime]:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone) if zone else moment.astimezone()
    return moment, moment + timedelta(milliseconds=1)


def _midnight(day: date, zone: tzinfo | None) -> datetime:
    midnight = datetime(day.year, day.month, day.day)
    return midnight.replace(tzinfo=zone) if zone else midnight.astimezone()


def _first_day(day: date, unit: str) -> date:
    if unit == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1, month=1 if unit == "year" else day.month)


def _add(day: date, unit: str, count: int) -> date:
    if unit in ("day", "week"):
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    year, month = divmod(day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1), 12)
    days_in_month = (date(year + month // 11, (month + 1) % 12 + 1, 1) - timedelta(days=1)).day
    return date(year, month + 1, min(day.day, days_in_month))
