"""Dates that people type."""

import time
from contextlib import suppress
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.errors import UsageError
from memlite.text.times import FORMS, resolve, utc

TODAY = date(2026, 5, 13)  # a Wednesday
UTC = ZoneInfo("UTC")
LISBON = ZoneInfo("Europe/Lisbon")
BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")


def days(text, today=TODAY, zone=UTC):
    start, end = resolve(text, today, zone)
    assert start[10:] == end[10:] == "T00:00:00.000Z"
    return start[:10], end[:10]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2026", "2026-01-01", "2027-01-01"),
        ("2026-05", "2026-05-01", "2026-06-01"),
        ("2026-12", "2026-12-01", "2027-01-01"),
        ("2026-05-03", "2026-05-03", "2026-05-04"),
        ("2026-5-3", "2026-05-03", "2026-05-04"),
        ("2024-02-29", "2024-02-29", "2024-03-01"),
        ("20260503", "2026-05-03", "2026-05-04"),
        ("2026-W18-7", "2026-05-03", "2026-05-04"),
        ("2026-12-31", "2026-12-31", "2027-01-01"),
        ("today", "2026-05-13", "2026-05-14"),
        (" Yesterday ", "2026-05-12", "2026-05-13"),
        ("this week", "2026-05-11", "2026-05-18"),
        ("last week", "2026-05-04", "2026-05-11"),
        ("this month", "2026-05-01", "2026-06-01"),
        ("LAST  Month", "2026-04-01", "2026-05-01"),
        ("this year", "2026-01-01", "2027-01-01"),
        ("last year", "2025-01-01", "2026-01-01"),
        ("3 days ago", "2026-05-10", "2026-05-11"),
        ("1 day ago", "2026-05-12", "2026-05-13"),
        ("a week ago", "2026-05-06", "2026-05-07"),
        ("2 weeks ago", "2026-04-29", "2026-04-30"),
        ("one month ago", "2026-04-13", "2026-04-14"),
        ("5 months ago", "2025-12-13", "2025-12-14"),
        ("2 years ago", "2024-05-13", "2024-05-14"),
        ("March 2026", "2026-03-01", "2026-04-01"),
        ("in March 2026", "2026-03-01", "2026-04-01"),
        ("3 May 2026", "2026-05-03", "2026-05-04"),
        ("May 3, 2026", "2026-05-03", "2026-05-04"),
        ("last Friday", "2026-05-08", "2026-05-09"),
        ("two weekends ago", "2026-05-02", "2026-05-04"),
        ("last summer", "2025-06-01", "2025-09-01"),
        ("Q1 2026", "2026-01-01", "2026-04-01"),
        ("ontem", "2026-05-12", "2026-05-13"),
        ("5 to 13 July 2025", "2025-07-05", "2025-07-14"),
    ],
)
def test_forms(text, start, end):
    assert days(text) == (start, end)


@pytest.mark.parametrize(
    ("today", "text", "start"),
    [
        (date(2026, 3, 31), "1 month ago", "2026-02-28"),
        (date(2024, 3, 31), "1 month ago", "2024-02-29"),
        (date(2026, 1, 15), "1 month ago", "2025-12-15"),
        (date(2026, 1, 31), "2 months ago", "2025-11-30"),
        (date(2024, 2, 29), "1 year ago", "2023-02-28"),
        (date(2026, 1, 1), "last month", "2025-12-01"),
        (date(2026, 1, 1), "last week", "2025-12-22"),
        (date(2026, 1, 1), "yesterday", "2025-12-31"),
        (date(2026, 3, 31), "last month", "2026-02-01"),
    ],
)
def test_ends_of_months_and_years(today, text, start):
    assert days(text, today)[0] == start


@pytest.mark.parametrize(
    ("zone", "text", "start", "end"),
    [
        (BERLIN, "2026-01-10", "2026-01-09T23:00:00.000Z", "2026-01-10T23:00:00.000Z"),
        (BERLIN, "2026-03-29", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"),  # 23 hours long
        (BERLIN, "2026-10-25", "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"),  # 25 hours long
        (NEW_YORK, "2026-05-03", "2026-05-03T04:00:00.000Z", "2026-05-04T04:00:00.000Z"),
        (LISBON, "2026-03", "2026-03-01T00:00:00.000Z", "2026-03-31T23:00:00.000Z"),
        (UTC, "2026-05-03T10:00", "2026-05-03T10:00:00.000Z", "2026-05-03T10:00:00.001Z"),
        (BERLIN, "2026-05-03T10:00", "2026-05-03T08:00:00.000Z", "2026-05-03T08:00:00.001Z"),
        (BERLIN, "2026-05-03T10:00:00Z", "2026-05-03T10:00:00.000Z", "2026-05-03T10:00:00.001Z"),
        (BERLIN, "2026-05-03T10:00:00-05:00", "2026-05-03T15:00:00.000Z", "2026-05-03T15:00:00.001Z"),
    ],
)
def test_zones(zone, text, start, end):
    assert resolve(text, TODAY, zone) == (start, end)


def test_the_machines_zone_is_the_default(monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert resolve("2026-05-03", TODAY) == ("2026-05-02T15:00:00.000Z", "2026-05-03T15:00:00.000Z")
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "2026-13",
        "2026-02-30",
        "0000",
        "2026-05-32",
        "May",
        "-5 days ago",
        "9999 years ago",
        "3 days",
        "5",
        "since 2021",
        "before May 2026",
        "Friday at 10:00",
        "yesterday or so",
        "May 2026 and June 2025",
        "30 February 2026",
    ],
)
def test_what_fits_no_form_is_refused_with_the_forms(text):
    with pytest.raises(UsageError) as caught:
        resolve(text, TODAY, UTC)
    assert FORMS in str(caught.value)
    assert repr(text) in str(caught.value)


DATELIKE = st.from_regex(r"\d{1,4}(-\d{1,2}){0,2}|\d{1,4} (day|week|month|year)s? ago", fullmatch=True)


@given(st.text(max_size=20) | DATELIKE)
def test_any_text_gives_an_interval_or_a_usage_error(text):
    with suppress(UsageError):
        start, end = resolve(text, TODAY, UTC)
        assert start < end
        assert len(start) == len(end) == len("2026-05-03T10:00:00.000Z")


@given(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC)))
def test_stored_instants_sort_as_text(moment):
    written = utc(moment)
    assert datetime.fromisoformat(written) == moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    assert len(written) == 24
