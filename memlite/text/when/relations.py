"""What stands around a time: a clock, `between`, `the week before`, `since`."""

import re

from memlite.text.when import calendar
from memlite.text.when.calendar import Period, add, join, one_day, unit_of
from memlite.text.when.reading import OpenError, Reading, ends_clause, number_of
from memlite.text.when.tokens import Token
from memlite.types.times import Relation

_RELATIONS: dict[str, Relation] = {
    "since": "since",
    "from": "since",
    "until": "until",
    "by": "until",
    "around": "around",
    "before": "before",
    "after": "after",
}
_CLOCK = re.compile(r"(\d+)(?::(\d\d)|h(\d\d))?")


def _times(reading: Reading, first: int, last: int) -> list[Token]:
    return [token for token in reading.tokens[first:last] if token.kind == "Z"]


def _period(token: Token) -> Period:
    if token.period is None:
        raise OpenError(token.value)
    return token.period


def _made(reading: Reading, first: int, last: int, period: Period, relation: Relation = "at") -> Token:
    times = _times(reading, first, last)
    return times[0]._replace(
        start=reading.tokens[first].start,
        end=reading.tokens[last - 1].end,
        period=period,
        relation=relation,
        relative=reading.relative or any(time.relative for time in times),
    )


def clocked(reading: Reading, first: int, last: int) -> Token | None:
    """`8 May at 14:00`, `10am on Friday`: the clock belongs to a single day."""
    time = _times(reading, first, last)[0]
    clock = next(token for token in reading.tokens[first:last] if token.kind == "C")
    said = _hour(reading.word(clock))
    if not said or (time.period and (time.period.precision != "day" or time.period.first != time.period.last)):
        return None
    return time._replace(start=reading.tokens[first].start, end=reading.tokens[last - 1].end, clock=said)


def _hour(text: str) -> str:
    found = _CLOCK.match(text)
    if not found:
        return ""
    hour, minute = int(found[1]), found[2] or found[3] or "00"
    half = text[found.end() :].replace(".", "").strip()
    if half in ("am", "pm") and 1 <= hour <= 12:
        hour = hour % 12 + 12 * (half == "pm")
    return f"{hour % 24:02d}:{minute}"


def between(reading: Reading, first: int, last: int) -> Token | None:
    """`between May and July 2023`, `from Monday to Friday`; ends said in reverse are put in order."""
    one, other = _times(reading, first, last)
    if reading.tokens[first].kind == "o" and reading.lang == "en":
        return None
    start, end = _period(one), _period(other)
    if other.yearless and not one.yearless:
        end = _later(start, end)
    return _made(reading, first, last, join(start, end), "between")._replace(clock="")


def _later(start: Period, end: Period) -> Period:
    """`from 27 December 2022 to 3 January`: the end follows the start."""
    years = start.first.year - end.first.year
    years += add(end.first, "year", years) < start.first
    return end._replace(first=add(end.first, "year", years), last=add(end.last, "year", years))


def shifted(reading: Reading, first: int, last: int) -> Token | None:
    """`the week before 9 June`, `two days after Christmas`, `the Friday before`.

    A week before or after a day is the seven days beside it; a month or a year is the calendar's.
    """
    found = [token for token in reading.tokens[first:last] if token.kind != "t"]
    noun = next(token for token in found if token.kind in "UW")
    mark = next(token for token in found if token.kind in "qhr")
    if mark.kind == "r" and mark.value != "from":
        return None
    period, towards = _period(found[-1]), -1 if mark.value == "before" or mark.kind == "h" else 1
    if mark.kind == "r" and period.precision != "day":
        return None
    if found[0].kind in "NaF":
        edge = period.first if towards < 0 else period.last
        return _made(reading, first, last, one_day(add(edge, noun.value, towards * number_of(found[0]))))
    return _made(reading, first, last, _beside(noun, period, towards))


def _beside(noun: Token, period: Period, towards: int) -> Period:
    edge = period.first if towards < 0 else period.last
    if noun.kind == "W":
        away = (int(noun.value) - edge.weekday()) * towards % 7
        return one_day(add(edge, "day", towards * (away or 7)))
    if noun.value == "week":
        return calendar.days(add(edge, "day", towards), add(edge, "day", 7 * towards))
    if noun.value == "weekend":
        this = unit_of(edge, "weekend")
        inside = this.first <= edge
        return unit_of(edge, "weekend", -1 if towards < 0 else 1 if inside else 0)
    return unit_of(edge, noun.value, towards)


def weeks_on(reading: Reading, first: int, last: int) -> Token | None:
    """`a week on Saturday`, `Saturday week`: so many weeks after the coming one; not `twice a week on Saturday`."""
    found = reading.tokens[first:last]
    time = _times(reading, first, last)[0]
    period = _period(time)
    unit = next(token for token in found if token.kind == "U")
    counted = found[0].kind != "Z"
    often = counted and first > 0 and _OFTEN.fullmatch(reading.word(reading.tokens[first - 1])) is not None
    named = reading.text[time.start : time.end].casefold().startswith(_WEEKDAYS)
    if reading.word(unit) not in ("week", "weeks") or often or not named or period.first < reading.today:
        return None
    if reading.lang != "en" or (counted and found[2].value != "on") or not (counted or ends_clause(reading, last)):
        return None
    return _made(reading, first, last, one_day(add(period.first, "week", number_of(found[0]) if counted else 1)))


_OFTEN = re.compile(r"once|twice|thrice|times|\w+s")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def within(reading: Reading, first: int, last: int) -> Token | None:
    """`the week of 3 March`, `the weekend of the 8th`, `the first week of May`."""
    found = [token for token in reading.tokens[first:last] if token.kind != "t"]
    period, unit = _period(found[-1]), next(token.value for token in found if token.kind == "U")
    if unit not in ("week", "weekend", "day"):
        return None
    if found[0].kind != "O":
        whole = period.first == period.last
        return _made(reading, first, last, unit_of(period.first, unit)) if whole and unit != "day" else None
    if unit == "day" or period.precision != "month":
        return None
    opens = (5 - period.first.weekday()) % 7 if unit == "weekend" else 0
    start = add(period.first, "day", opens + 7 * (number_of(found[0]) - 1))
    return _made(reading, first, last, Period(start, add(start, "day", 1 if unit == "weekend" else 6)))


def related(reading: Reading, first: int, last: int) -> Token | None:
    """`since 2021`, `until 4 July`, `around Christmas`."""
    mark, time = reading.tokens[first], reading.tokens[last - 1]
    relation: Relation = "before" if mark.kind == "h" else _RELATIONS.get(mark.value, "between")
    around = any(token.value == "around" for token in reading.tokens[first:last])
    ranged = time.period is not None and time.period.ranged
    if time.relation != "at" or (mark.kind == "B" and not ranged):
        return None
    if mark.value == "from" and ranged:
        relation = "between"
    period = time.period._replace(approximate=time.period.approximate or around) if time.period else None
    return time._replace(start=mark.start, period=period, relation=relation)
