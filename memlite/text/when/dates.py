"""Times that say which day, month or year they mean, at least in part."""

import re
from collections.abc import Sequence
from datetime import date

from memlite.text.when import calendar
from memlite.text.when.calendar import Period, join, one_day, unit_of
from memlite.text.when.reading import (
    Reading,
    after_year,
    day_near,
    days_in,
    ends_clause,
    expects_time,
    months_in,
    number_of,
    pick,
    which_year,
    year_in,
)
from memlite.text.when.tokens import Token


def dated(reading: Reading, first: int, last: int) -> Period | None:
    """One or two days of one month or two."""
    found = reading.tokens[first:last]
    if _counts_something(reading, found, last):
        return None
    days, named, year = days_in(found), months_in(found), year_in(found)
    year = year or which_year(reading, first, last, named[-1], days[-1])
    start = one_day(date(year, named[0], days[0]))
    reading.month_said = date(year, named[-1], 1)
    if len(days) == 1:
        return start
    end = one_day(date(year, named[-1], days[-1]))
    if end.first < start.first and len(named) == 2:
        start = one_day(date(year - 1, named[0], days[0]))
    return join(start, end)._replace(ranged=True) if start.first < end.first else None


def _counts_something(reading: Reading, found: Sequence[Token], last: int) -> bool:
    """`in May 3 people`, `in June 20 days`: the number belongs to what follows."""
    following = reading.tokens[last].kind if last < len(reading.tokens) else ""
    spelled = any(token.kind == "O" and not token.value[-1:].isalpha() and token.weak for token in found)
    return (found[-1].kind == "N" and following in ("U", "N")) or (spelled and "o" not in {t.kind for t in found})


def month(reading: Reading, first: int, last: int) -> Period | None:
    """One month, or two with those between."""
    found = reading.tokens[first:last]
    named = months_in(found)
    weak = all(token.weak for token in found if token.kind == "M") and not year_in(found)
    listed = len(named) > 1 and (not first or reading.tokens[first - 1].kind in ",(:;")
    if weak and not listed and not expects_time(reading, first, last):
        return None
    year = year_in(found) or which_year(reading, first, last, named[-1])
    end = calendar.months(year, named[-1])
    reading.month_said = end.first
    whole = join(calendar.months(year - (named[0] > named[-1]), named[0]), end)
    return whole._replace(ranged=len(named) > 1)


def ordinal(reading: Reading, first: int, last: int) -> Period | None:
    """`on the 8th`, `from the 3rd to the 10th`: a day of the month that is meant, not the eighth of something."""
    found = reading.tokens[first:last]
    days = days_in(found)
    named = [int(token.value) for token in found if token.kind == "W"]
    if any(token.weak and token.kind != "W" for token in found) or not _day_is_meant(reading, found):
        return None
    if not named and not ends_clause(reading, last):
        return None
    start = day_near(reading, days[0], reading.direction(first, last), named)
    return join(one_day(start), one_day(start.replace(day=days[-1])))._replace(ranged=len(days) > 1)


def _day_is_meant(reading: Reading, found: Sequence[Token]) -> bool:
    """A bare number is a day behind `dia` or `el` in languages that say so, and behind a weekday that fits it."""
    kinds = {token.kind for token in found}
    if "U" in kinds:
        return reading.lang in ("pt", "es") and pick(found, "U") == "day"
    return (
        bool(kinds & {"O", "W"})
        or (reading.lang == "de" and "." in kinds)
        or (reading.lang in ("es", "fr") and found[0].value in _THE)
    )


_THE = frozenset(("el", "le", "Le", "El"))


def year(reading: Reading, first: int, last: int) -> Period | None:
    """`in 2021`, `(2019)`, `2016 to 2021`: a number of four digits counts where a time is expected."""
    found = [token for token in reading.tokens[first:last] if token.kind == "Y"]
    years = [year_in([token]) for token in found]
    before = next((token for token in reversed(reading.tokens[:first]) if token.kind != "t"), None)
    expected = before is not None and (
        before.kind in "rqBoE" or (before.kind == "i" and (before.value == "in" or reading.word(before) in _FOR))
    )
    listed = any(
        token.kind in "NY" for token in (*reading.tokens[max(0, first - 2) : first], *reading.tokens[last : last + 2])
    )
    opens = not listed and (before is None or before.kind in "(;.:,")
    following = reading.tokens[last] if last < len(reading.tokens) else None
    counts = following is not None and following.kind in "wUN" and not after_year(reading, following)
    bare = opens and 1950 <= years[0] < 2050 and (following is None or following.kind in ").,:;")
    if counts or not (expected or bare or len(years) == 2):
        return None
    return calendar.years(*sorted([years[0], years[-1]]))._replace(ranged=len(years) > 1)


_FOR = frozenset("for during throughout para durante für pour pendant".split())


def numeric(reading: Reading, first: int, last: int) -> Period | None:
    """`2023-05-08`, `2023-05`, `8.5.2023`, `5/8/2023`; without a year only where a time is expected."""
    token = reading.tokens[first]
    numbers = [int(number) for number in re.findall(r"\d+", token.value)][:3]
    if re.match(r"\d{4}", token.value):
        return one_day(date(*numbers)) if len(numbers) == 3 else calendar.months(*numbers)
    dotted = "." in token.value
    if dotted and (len(numbers) == 2 or len(token.value.rsplit(".")[-1]) == 2) and reading.lang != "de":
        return None
    if token.weak and not dotted and not expects_time(reading, first, last):
        return None
    day, number = numbers[:2]
    if number > 12 or (day <= 12 and reading.month_first and not dotted):
        day, number = number, day
    if len(numbers) == 2:
        return one_day(date(which_year(reading, first, last, number, day), number, day))
    full = numbers[2] + (2000 if numbers[2] < 50 else 1900) * (numbers[2] < 100)
    return one_day(date(full, number, day))


def season(reading: Reading, first: int, last: int) -> Period | None:
    """`in summer`, `summer 2022`."""
    found = reading.tokens[first:last]
    noun = next(token for token in found if token.kind == "S")
    if said := year_in(found):
        return calendar.months(said, calendar.SEASONS[noun.value], 3)
    if not expects_time(reading, first, last):
        return None
    towards = reading.direction(first, last)
    now = calendar.season_near(reading.today, noun.value, 0)
    inside = now.first <= reading.today <= now.last
    return now if inside or not towards else calendar.season_near(reading.today, noun.value, towards)


def quarter(reading: Reading, first: int, last: int) -> Period | None:
    """`Q3 2024`, `the third quarter`; without a year the nearest that the tense allows."""
    found = reading.tokens[first:last]
    if pick(found, "U") not in ("", "quarter"):
        return None
    number = number_of(found[0]) if found[0].kind == "O" else int(pick(found, "Q")[1])
    begins = 3 * number - 2
    return calendar.months(year_in(found) or which_year(reading, first, last, begins + 1), begins, 3)


def holiday(reading: Reading, first: int, last: int) -> Period | None:
    """`Christmas 2022`, `on New Year's Eve`."""
    found = reading.tokens[first:last]
    number, day = map(int, pick(found, "H").split("-"))
    return one_day(date(year_in(found) or which_year(reading, first, last, number, day), number, day))


def week(reading: Reading, first: int, last: int) -> Period | None:
    """`week 27`, `KW 27 2024`: a week of the ISO calendar."""
    number = int(pick(reading.tokens[first:last], "K")[-2:])
    monday = date.fromisocalendar(year_in(reading.tokens[first:last]) or reading.today.year, number, 1)
    return unit_of(monday, "week")


def decade(reading: Reading, first: int, last: int) -> Period | None:
    """`the 1990s`, `the 90s`."""
    digits = re.sub(r"\D", "", reading.tokens[first].value)
    start = int(digits) if len(digits) == 4 else (1900 if int(digits) > 20 else 2000) + int(digits)
    return calendar.years(start, start + 9)
