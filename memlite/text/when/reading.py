"""One text that is being read, against an anchor, and what its parts ask of their surroundings."""

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime

from msgspec import Struct

from memlite.text.when import tense
from memlite.text.when.calendar import Period, add, unit_of
from memlite.text.when.tokens import OTHER, Token

_AMERICA = range(-600, -179)
"""Minutes east of UTC where English dates are written month first; so they are where the offset is not known."""
_SOON = 95
"""Days: what lies nearer ahead than this is not moved to last year because the clause tells of the past."""
_AGAINST, _BEHIND = 2.0, 1.5
"""How much further a day seems that the tense speaks against, and one that is past where nothing tells. Factors from 1
to 5 change the times found in the labelled conversations by less than a hundredth."""
_GOES_ON = frozenset(
    """
    and or but so at in on to with for because when where while was is were will i we you he she they it my our her his
    from until till if which that as after before by then both too also again already a an the not um o e com a para às
    und mit von wegen ist war et à avec pour y con por
    """.split()
)
"""Words that go on after a time, where another would be what a number counts: `in 2021 for`, `in 2000 houses`."""
_MEASURES = frozenset("ms mb gb kb px bytes rpm km kg g m eur usd euro people percent per port dollars bit".split())


class OpenError(Exception):
    """The time depends on an anchor that is not known; its text is what is known of it."""


class Reading(Struct):
    """One text that is being read, and against what."""

    text: str
    lang: str
    anchor: date | None
    tokens: list[Token] = []
    relative: bool = False
    yearless: bool = False
    """Whether a year was chosen that was not said."""
    month_said: date | None = None
    """A day of the month that the text named last: a `14th` that follows is of that month."""

    @property
    def today(self) -> date:
        """The day of the anchor."""
        self.relative = True
        if self.anchor is None:
            raise OpenError
        return self.anchor.date() if isinstance(self.anchor, datetime) else self.anchor

    def word(self, token: Token) -> str:
        """Return a token as written, folded."""
        return self.text[token.start : token.end].casefold()

    def direction(self, first: int, last: int) -> int:
        """Return whether the time in some tokens lies behind (-1) or ahead (1) of the anchor; 0 where unsaid."""
        before = [token for token in self.tokens[max(0, first - 2) : first] if token.kind not in "to"]
        word = self.word(before[-1]) if before else ""
        if before and before[-1].kind == "r" and before[-1].value in ("since", "until", "by"):
            return -1 if before[-1].value == "since" else 1
        if word in ("for", "due", "para", "für", "pour"):
            return 1
        return tense.direction(self.tokens, first, last, self.text, self.lang)

    def follows_since(self, first: int) -> bool:
        """Whether `since`, which nothing to come can follow, stands before a token."""
        return first > 0 and self.tokens[first - 1].value == "since"

    @property
    def month_first(self) -> bool:
        """Whether `5/8/2023` is the 8th of May."""
        offset = self.anchor.utcoffset() if isinstance(self.anchor, datetime) else None
        minutes = offset.total_seconds() // 60 if offset else 0
        return self.lang == "en" and (minutes in _AMERICA or minutes == 0)


Build = Callable[[Reading, int, int], Period | Token | None]


def pick(found: Sequence[Token], kind: str) -> str:
    """Return the value of the first token of one of these kinds, or ""."""
    return next((token.value for token in found if token.kind in kind), "")


def number_of(token: Token) -> int:
    """Return the number a token says, or 0."""
    digits = re.match(r"\d+", token.value)
    return int(digits[0]) if digits else 0


def year_in(found: Sequence[Token]) -> int:
    """Return the first year of four digits or two, or 0."""
    value = pick(found, "Y").lstrip("'’")
    return int(value) + (2000 if int(value) < 50 else 1900) * (len(value) == 2) if value else 0


def days_in(found: Sequence[Token]) -> list[int]:
    """Return the days of a month."""
    return [number_of(token) for token in found if token.kind in "NOa"]


def months_in(found: Sequence[Token]) -> list[int]:
    """Return the numbers of the months named."""
    return [int(token.value) for token in found if token.kind == "M"]


def which_year(reading: Reading, first: int, last: int, month: int, day: int = 0) -> int:
    """Return the year of a month, or of a day of it, that is said without one.

    It is the one in which the day falls on the weekday said beside it, else the nearest. Where the tense speaks
    against the nearest, the tense is believed, but not a past one against a day less than three months ahead: `I told
    her about the 3rd of June` says little about June.
    """
    reading.yearless = True
    try:
        today = reading.today
    except OpenError:
        raise OpenError(f"--{month:02d}-{day:02d}" if day else f"--{month:02d}") from None
    years = sorted(range(today.year - 1, today.year + 2), key=lambda year: _doubt(_away(year, month, day, today), 0))
    named = [int(token.value) for token in reading.tokens[first:last] if token.kind == "W"]
    if named and day:
        fitting = [
            year for year in years if date(year, month, min(day, 28)).weekday() == (named[0] - max(0, day - 28)) % 7
        ]
        return (fitting or years)[0]
    away, towards = _away(years[0], month, day, today), reading.direction(first, last)
    if away * towards >= 0 or (day and towards < 0 and 0 < away < _SOON and not reading.follows_since(first)):
        return years[0]
    return years[0] + towards


def _away(year: int, month: int, day: int, today: date) -> int:
    """How many days after today; of a month, about how many."""
    if not day:
        return 30 * ((year - today.year) * 12 + month - today.month)
    return (date(year, month, min(day, 28)) - today).days + max(0, day - 28)


def day_near(reading: Reading, day: int, towards: int = 0, weekdays: Sequence[int] = ()) -> date:
    """Return the day of this month, or of one beside it, that fits the weekday or the tense.

    After a month to come has been named, it is a day of that month.
    """
    today = reading.today
    if reading.month_said and reading.month_said > today and not weekdays:
        return reading.month_said.replace(day=day)
    starts = [add(today.replace(day=1), "month", off) for off in (0, 1, -1)]
    fitting = [start.replace(day=day) for start in starts if day <= unit_of(start, "month").last.day]
    if weekdays:
        fitting = [one for one in fitting if one.weekday() == weekdays[0]]
    return min(fitting, key=lambda one: _doubt((one - today).days, towards))


def _doubt(days_ahead: int, towards: int) -> float:
    """How far away a day is, more so against the tense; without one, what is to come is spoken of more often."""
    against = _AGAINST if days_ahead * towards < 0 else _BEHIND if days_ahead < 0 and not towards else 1.0
    return abs(days_ahead) * against


def expects_time(reading: Reading, first: int, last: int) -> bool:
    """Whether a word that is more often none names a time here."""
    before = reading.tokens[first - 1] if first else None
    if before and before.kind == "t" and first > 1:
        before = reading.tokens[first - 2]
    after = reading.tokens[last] if last < len(reading.tokens) else None
    if after and (after.kind == "o" or (after.kind == ":" and reading.word(after) == ":")):
        return after.kind == ":"
    return before is not None and before.kind in "irqBoE" and not (before.kind == "o" and first < 2)


def ends_clause(reading: Reading, last: int) -> bool:
    """Whether what follows is no noun that a number or a year would count."""
    following = reading.tokens[last] if last < len(reading.tokens) else None
    return following is None or following.kind not in "wUNMaF" or reading.word(following) in _GOES_ON


def after_year(reading: Reading, token: Token) -> bool:
    """Return whether a word goes on after a year, so that it is no noun the year would count."""
    word = reading.word(token)
    return word in _GOES_ON or (token.kind == OTHER and not word.endswith("s") and word not in _MEASURES)
