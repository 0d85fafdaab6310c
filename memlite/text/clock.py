"""Reads the times that sources write, and never makes one up.

A source writes ISO-8601, epoch seconds or milliseconds, or the forms of the two benchmark sets. All become UTC with
milliseconds; the offset the source wrote is kept beside it. What cannot be read is None: a message without a time is
better than one with a wrong time.
"""

import math
import re
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TypeAlias

Stamp: TypeAlias = tuple[str | None, int | None]
"""UTC as `YYYY-MM-DDTHH:MM:SS.mmmZ`, and the minutes east of UTC that the source wrote (None when it wrote none)."""

UNKNOWN: Stamp = (None, None)

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)
_SPACE_BEFORE_OFFSET = re.compile(r"\s+(?=[+-]\d\d:?\d\d$|Z$)")
_SLASHED = re.compile(r"(\d{4})/(\d\d?)/(\d\d?)(?:\s*\(\w+\))?(?:\s+(\d\d?):(\d\d))?")
"""`2023/05/20 (Sat) 02:21`"""
_SPOKEN = re.compile(r"(\d\d?):(\d\d)\s*([ap])m\s+on\s+(\d\d?)\s+([a-z]{3})[a-z]*,?\s+(\d{4})")
"""`1:56 pm on 8 May, 2023`; month names are matched here because `strptime` reads those of the user's locale."""
_EPOCH = datetime(1970, 1, 1)
_LARGEST_SECONDS = 1e11
"""A larger epoch counts thousandths: as seconds it would lie beyond the year 5000."""


def parse(value: object) -> Stamp:
    """Read a source's timestamp; `(None, None)` for anything that is not a time from 1970 to 9999."""
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return _from_epoch(value)
    return _stamp(value) if isinstance(value, datetime) else UNKNOWN


def _from_text(text: str) -> Stamp:
    if len(text) == 24 and text[7] == "-" and text[10] == "T" and text[19] == "." and text[23] == "Z":
        # The form memlite writes itself, and so does every JavaScript program: check it and hand it back.
        return (text, 0) if text >= "1970" and _iso(text) else UNKNOWN
    text = text.strip()
    if _NUMBER.fullmatch(text) and len(text) != 8:
        return _from_epoch(float(text))
    moment = _iso(_SPACE_BEFORE_OFFSET.sub("", text.upper())) or _slashed(text) or _spoken(text.lower())
    return _stamp(moment) if moment else UNKNOWN


def _iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _slashed(text: str) -> datetime | None:
    if found := _SLASHED.fullmatch(text):
        return _moment(*(int(part or 0) for part in found.groups()))
    return None


def _spoken(text: str) -> datetime | None:
    found = _SPOKEN.fullmatch(text)
    if not found or found[5] not in _MONTHS or not 1 <= int(found[1]) <= 12:
        return None
    hour = int(found[1]) % 12 + (12 if found[3] == "p" else 0)
    return _moment(int(found[6]), _MONTHS.index(found[5]) + 1, int(found[4]), hour, int(found[2]))


def _moment(year: int, month: int, day: int, hour: int, minute: int) -> datetime | None:
    try:
        return datetime(year, month, day, hour, minute)
    except ValueError:
        return None


def _from_epoch(epoch: float | Decimal) -> Stamp:
    try:
        number = float(epoch)
    except (OverflowError, ValueError):  # beyond any float; a signalling NaN
        return UNKNOWN
    if not math.isfinite(number) or number <= 0:  # 0 is what programs write when they do not know
        return UNKNOWN
    return _stamp(_EPOCH + timedelta(seconds=_scaled(number)))


def _scaled(number: float) -> float:
    """Bring an epoch in seconds, milliseconds, microseconds or nanoseconds to seconds."""
    while number >= _LARGEST_SECONDS:
        number /= 1000
    return number


def _stamp(moment: datetime) -> Stamp:
    offset = moment.utcoffset()
    try:
        utc = moment.replace(tzinfo=None) - (offset or timedelta())
    except OverflowError:
        return UNKNOWN
    if utc.year < 1970:
        return UNKNOWN
    minutes = None if offset is None else round(offset.total_seconds() / 60)
    return utc.isoformat(timespec="milliseconds") + "Z", minutes
