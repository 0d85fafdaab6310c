"""A time that a text names."""

from typing import Literal

from msgspec import Struct

Relation = Literal["at", "before", "after", "since", "until", "around", "between"]
Precision = Literal["day", "month", "year"]


class TimeMention(Struct, frozen=True):
    """An expression such as `two weekends ago`, and the days, months or years it names.

    `start` and `end` are the first and the last unit, **both included**, written at the precision said (`2023-05-08`,
    `2023-05`, `2023`); a single unit has `start == end`. Without an anchor what depends on one is left open: `""`, or
    `--05` and `--05-08` where month and day are said and only the year is not.
    """

    start_char: int
    end_char: int
    text: str
    start: str
    end: str
    relation: Relation = "at"
    """How what is told relates to the interval: `before` and `after` leave it out, `since` and `until` include it."""
    precision: Precision = "day"
    needs_anchor: bool = False
    """Whether the interval depends on when this was said."""
    approximate: bool = False
    """`a few days ago`, `around 8 May`: the interval is a guess at what was meant."""
    clock: str = ""
    """The time of day said with a single day, `HH:MM` by the speaker's clock."""

    @property
    def label(self) -> str:
        """The interval as one text: `2023-05`, `2023-05-05/2023-05-13`; "" where it is left open."""
        return self.start if self.start == self.end else f"{self.start}/{self.end}"
