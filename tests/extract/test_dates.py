"""Tests of memlite.extract.dates."""

from datetime import date

import pytest

from memlite.extract.dates import absolute, interval, said, times_of
from memlite.types.records import Heard

THURSDAY = date(2022, 6, 16)


def read(text, lang="en"):
    times = times_of([text], THURSDAY, lang)[0]
    return absolute(text, times, lang), interval(times)


@pytest.mark.parametrize(
    ("text", "reads", "when"),
    [
        ("they signed yesterday", "they signed on 15 June 2022", ("2022-06-15", "2022-06-15")),
        ("it broke last Monday", "it broke on Monday 13 June 2022", ("2022-06-13", "2022-06-13")),
        ("ill since Tuesday", "ill since Tuesday 14 June 2022", ("2022-06-14", None)),
        ("it runs until 20 June 2022", "it runs until 20 June 2022", (None, "2022-06-20")),
        ("he was born in 1984", "he was born in 1984", ("1984", "1984")),
        ("laid off two months ago", "laid off in April 2022", ("2022-04", "2022-04")),
        ("it rained last week", "it rained in the week of 6 June 2022", ("2022-06-06", "2022-06-12")),
        ("no date here", "no date here", (None, None)),
        ("Friday is cancelled", "Friday 17 June 2022 is cancelled", ("2022-06-17", "2022-06-17")),
        ("we swim on the Friday, early", "we swim on Friday 17 June 2022, early", ("2022-06-17", "2022-06-17")),
        ("home on good Friday", "home on good Friday", ("2022-06-17", "2022-06-17")),
        ("we ate the Sunday bread", "we ate the Sunday bread", ("2022-06-12", "2022-06-12")),
        ("twice a week on Friday", "twice a week on Friday", ("2022-06-17", "2022-06-17")),
    ],
)
def test_relative_dates_become_absolute(text, reads, when):
    assert read(text) == (reads, when)


def test_other_languages():
    assert read("comprei ontem", "pt")[0] == "comprei em 15 de junho de 2022"
    assert read("gestern gekauft", "de")[0] == "am 15. Juni 2022 gekauft"


def test_without_an_anchor_nothing_is_made_up():
    times = times_of(["they signed yesterday"], None, "en")[0]
    assert absolute("they signed yesterday", times, "en") == "they signed yesterday"
    assert interval(times) == (None, None)


def test_times_stay_with_the_part_that_names_them():
    first, second = times_of(["they signed yesterday", "I start on 1 July"], THURSDAY, "en")
    assert [time.text for time in first] == ["yesterday"]
    assert absolute("I start on 1 July", second, "en") == "I start on 1 July 2022"


def test_the_day_is_the_speakers():
    assert said(Heard(0, "user", "", said_at="2022-06-16T23:30:00Z", utc_offset=120)).date() == date(2022, 6, 17)
    assert said(Heard(0, "user", "", said_at="2022-06-16T23:30:00-05:00")).date() == date(2022, 6, 16)
    assert said(Heard(0, "user", "")) is None
