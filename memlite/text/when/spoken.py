"""Times that are told from the moment of speaking: `yesterday`, `last Friday`, `in two weeks`."""

from datetime import date, timedelta

from memlite.text.when import calendar
from memlite.text.when.calendar import Period, add, join, one_day, unit_of
from memlite.text.when.reading import (
    OpenError,
    Reading,
    ends_clause,
    expects_time,
    months_in,
    number_of,
    pick,
    which_year,
    year_in,
)
from memlite.text.when.tokens import Token

_FEW = {"2": (2, 2), "3": (5, 2)}
"""How far back `a couple` and `a few` reach, and how near they come."""
_PARTS = {"early": (0, 1), "mid": (1, 2), "late": (2, 3)}
"""Which thirds of a year."""


def relative_to_now(reading: Reading, first: int, last: int) -> Period | None:
    """`last Friday`, `next month`, `this summer`, `a semana passada`."""
    found = reading.tokens[first:last]
    noun = next(token for token in found if token.kind in "MWUSQH")
    marks = {token.kind.upper() for token in found if token.kind in "LXTlx"}
    if noun.kind == "M" and noun.weak and marks == {"T"} and reading.word(noun) == "may" and not year_in(found):
        return None
    towards = -1 if "L" in marks else 1 if "X" in marks else 0
    if noun.kind == "W" and not towards and reading.direction(first, last) >= 0:
        return one_day(_nearest_weekday(reading, int(noun.value), 0))
    return _NOUNS[noun.kind](reading, noun, towards)


def _unit(reading: Reading, noun: Token, towards: int) -> Period:
    if noun.value == "weekend" and towards < 0 and reading.today.weekday() == 6:
        return unit_of(reading.today, "weekend", -1)
    return unit_of(reading.today, noun.value, towards)


def _weekday(reading: Reading, noun: Token, towards: int) -> Period:
    ahead = (int(noun.value) - reading.today.weekday()) % 7
    if towards == 0:
        return one_day(add(unit_of(reading.today, "week").first, "day", int(noun.value)))
    return one_day(reading.today + timedelta(days=(ahead or 7) if towards > 0 else ahead - 7))


def _month_named(reading: Reading, noun: Token, towards: int) -> Period:
    number = int(noun.value)
    if reading.anchor is None:
        raise OpenError(f"--{number:02d}")
    today = reading.today
    ahead = number - today.month
    if towards == 0:
        return calendar.months(today.year, number)
    return calendar.months(today.year + (towards if ahead * towards <= 0 else 0), number)


def _season(reading: Reading, noun: Token, towards: int) -> Period:
    return calendar.season_near(reading.today, noun.value, towards)


def _quarter_named(reading: Reading, noun: Token, towards: int) -> Period:
    return calendar.months(reading.today.year + towards, 3 * int(noun.value[1]) - 2, 3)


def _holiday_named(reading: Reading, noun: Token, towards: int) -> Period:
    number, day = map(int, noun.value.split("-"))
    passed = (reading.today.month, reading.today.day) > (number, day)
    return one_day(date(reading.today.year + (towards if passed == (towards > 0) else 0), number, day))


_NOUNS = {
    "U": _unit,
    "W": _weekday,
    "M": _month_named,
    "S": _season,
    "Q": _quarter_named,
    "H": _holiday_named,
}


def counted(reading: Reading, first: int, last: int) -> Period | None:
    """`3 days ago`, `in two weeks`, `há 3 anos`, `two weekends ago`, `a few weeks ago`."""
    found = reading.tokens[first:last]
    kinds = {token.kind for token in found}
    amount = next(token for token in found if token.kind in "NaF")
    noun = next(token for token in found if token.kind in "UGS")
    ahead = bool(kinds & set("ibn"))
    if "i" in kinds and (pick(found, "i") != "in" or reading.direction(first, last) < 0):
        return None
    if noun.kind == "S":
        recent = _season(reading, noun, -1).first
        return calendar.months(recent.year + 1 - number_of(amount), recent.month, 3)
    if noun.kind == "G":
        return one_day(add(_weekday(reading, noun, -1).first, "week", 1 - number_of(amount)))
    near, far = (number_of(amount),) * 2 if amount.kind != "F" else _FEW[amount.value]
    sign = 1 if ahead else -1
    ends = [_stepped(reading.today, noun.value, sign * count) for count in (near, far)]
    return join(*ends)._replace(approximate=amount.kind == "F")


def _stepped(day: date, unit: str, count: int) -> Period:
    if unit in ("day", "week"):
        return one_day(add(day, unit, count))
    return unit_of(add(day, unit, count), "weekend" if unit == "weekend" else calendar.precision_of(unit))


def lately(reading: Reading, first: int, last: int) -> Period | None:
    """`in the last 90 days`, `the past two weeks`, `the next 3 months`."""
    found = reading.tokens[first:last]
    amount = next(token for token in found if token.kind in "NF")
    noun, ahead = pick(found, "U"), pick(found, "Xx") != ""
    count = number_of(amount) * (1 if ahead else -1)
    return calendar.days(reading.today, add(reading.today, noun, count))._replace(approximate=amount.kind == "F")


def spoken_day(reading: Reading, first: int, last: int) -> Period | None:
    """`today`, `tomorrow morning`, `last night`, `this evening`."""
    found = reading.tokens[first:last]
    offset = next((int(token.value) for token in found if token.kind == "R"), -1 if found[0].kind == "L" else 0)
    return one_day(add(reading.today, "day", offset))


def weekday(reading: Reading, first: int, last: int) -> Period | None:
    """`on Friday`, `Tuesday evening`, `Saturday and Sunday`."""
    found = [token for token in reading.tokens[first:last] if token.kind == "W"]
    if len(found) == 1 and (
        found[0].weak and not _abbreviated(reading, first, last) or _of_another(reading, first, last)
    ):
        return None
    towards = reading.direction(first, last)
    start = _nearest_weekday(reading, int(found[0].value), towards)
    if len(found) == 1:
        return one_day(start)
    end = add(start, "day", (int(found[1].value) - int(found[0].value)) % 7)
    return Period(start, end, ranged=True) if end > start else None


def _of_another(reading: Reading, first: int, last: int) -> bool:
    """Say whether a weekday counts from a time named elsewhere: `the Friday after`, `Thursday 11 till Tuesday 16`."""
    before, after = reading.tokens[first - 1 : first], reading.tokens[last : last + 1]
    if not after:
        return False
    if after[0].kind in "qh":
        return bool(before) and before[0].kind == "t"
    return after[0].kind == "N" and 1 <= number_of(after[0]) <= 31 and ends_clause(reading, last + 1)


def _abbreviated(reading: Reading, first: int, last: int) -> bool:
    """`on sun`, `since sat`, but not `in the sun`."""
    return expects_time(reading, first, last) and reading.tokens[first - 1].value not in ("in", "the")


def _nearest_weekday(reading: Reading, wanted: int, towards: int) -> date:
    ahead = (wanted - reading.today.weekday()) % 7
    if towards == 0:
        return reading.today + timedelta(days=ahead)
    return reading.today + timedelta(days=(ahead or 7) if towards > 0 else ahead - 7)


def weekend(reading: Reading, first: int, last: int) -> Period | None:
    """`at the weekend`, `over the weekend`."""
    if pick(reading.tokens[first:last], "U") != "weekend":
        return None
    this = unit_of(reading.today, "weekend")
    return (
        unit_of(reading.today, "weekend", -1)
        if reading.direction(first, last) < 0 and this.first > (reading.today)
        else this
    )


def part(reading: Reading, first: int, last: int) -> Period | None:
    """`early May`, `end of last year`, `mid-2022`: a third of a year; of a month, the month."""
    found = reading.tokens[first:last]
    which = _PARTS[found[0].value]
    if "M" in {token.kind for token in found}:
        named = months_in(found)[0]
        return calendar.months(year_in(found) or which_year(reading, first, last, named), named)._replace(
            approximate=True
        )
    if year_in(found):
        whole = calendar.years(year_in(found), year_in(found))
    else:
        nouns = [at for at in range(first + 1, last) if reading.tokens[at].kind in "LXTUlx"]
        whole = relative_to_now(reading, nouns[0], last) or unit_of(reading.today, "day")
    return _third(whole, which)


def _third(whole: Period, which: tuple[int, int]) -> Period:
    if whole.precision != "year":
        return whole._replace(approximate=True)
    start, end = (4 * third for third in which)
    return calendar.months(whole.first.year, start + 1, end - start)._replace(approximate=True)


def lasting(reading: Reading, first: int, last: int) -> Token | None:
    """`have lived here for three years`, `seit drei Jahren`: since when."""
    found = reading.tokens[first:last]
    amount = next(token for token in found if token.kind in "NaF")
    if found[0].value != "since" and not (reading.word(found[0]) == "for" and _perfect(reading, first)):
        return None
    period = _stepped(reading.today, pick(found, "U"), -number_of(amount))
    return Token(
        "Z",
        "",
        found[0].start,
        found[-1].end,
        period=period._replace(approximate=amount.kind == "F"),
        relative=True,
        relation="since",
    )


def _perfect(reading: Reading, first: int) -> bool:
    words = [reading.word(token).replace("’", "'") for token in reading.tokens[max(0, first - 12) : first]]
    return any(word in ("been", "have", "has") or word.endswith(("'ve", "haven't", "hasn't")) for word in words)
