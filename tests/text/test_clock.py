from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.text.clock import parse


@pytest.mark.parametrize(
    ("written", "utc", "offset"),
    [
        ("2025-11-01T10:00:00.123Z", "2025-11-01T10:00:00.123Z", 0),
        ("2025-11-01T10:00:00Z", "2025-11-01T10:00:00.000Z", 0),
        ("2025-11-01T10:00:00.123456Z", "2025-11-01T10:00:00.123Z", 0),
        ("2025-11-01t10:00:00z", "2025-11-01T10:00:00.000Z", 0),
        ("2025-11-01T10:00:00+09:00", "2025-11-01T01:00:00.000Z", 540),
        ("2025-11-01T10:00:00-0330", "2025-11-01T13:30:00.000Z", -210),
        ("2025-11-01 10:00:00 +0200", "2025-11-01T08:00:00.000Z", 120),
        ("2025-11-01T10:00:00", "2025-11-01T10:00:00.000Z", None),
        ("2025-11-01 10:00", "2025-11-01T10:00:00.000Z", None),
        ("  2025-11-01\n", "2025-11-01T00:00:00.000Z", None),
        ("20251101", "2025-11-01T00:00:00.000Z", None),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z", 0),
        (1762000000, "2025-11-01T12:26:40.000Z", None),
        (1762000000.5, "2025-11-01T12:26:40.500Z", None),
        (1762000000000, "2025-11-01T12:26:40.000Z", None),
        (1762000000123456, "2025-11-01T12:26:40.123Z", None),
        (Decimal("1762000000.25"), "2025-11-01T12:26:40.250Z", None),
        ("1762000000", "2025-11-01T12:26:40.000Z", None),
        ("1762000000123", "2025-11-01T12:26:40.123Z", None),
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56:00.000Z", None),
        ("12:09 am on 13 September, 2023", "2023-09-13T00:09:00.000Z", None),
        ("12:30 PM on 1 Jan, 2024", "2024-01-01T12:30:00.000Z", None),
        ("2023/05/20 (Sat) 02:21", "2023-05-20T02:21:00.000Z", None),
        ("2023/5/2", "2023-05-02T00:00:00.000Z", None),
        (datetime(2025, 11, 1, 10, tzinfo=timezone(timedelta(hours=-5))), "2025-11-01T15:00:00.000Z", -300),
    ],
)
def test_times_of_all_sources(written, utc, offset):
    assert parse(written) == (utc, offset)


@pytest.mark.parametrize(
    "written",
    [
        None, "", "yesterday", "not a date", True, {}, [], b"2025", 0, -5, float("nan"), float("inf"), "0", 10**400,
        Decimal("NaN"), "2025-13-01T00:00:00Z", "2025-02-30", "2025-11-01T25:00:00.000Z", "2025-W01-1T10:00:00.000Z.",
        "1969-12-31T23:59:59.999Z", "0001-01-01T00:00:00+10:00", "9999-12-31T23:59:59-10:00", "1970-01-01T00:00+01:00",
        "13:56 pm on 8 May, 2023", "0:56 pm on 8 May, 2023", "1:56 pm on 31 June, 2023", "1:56 pm on 8 Mai, 2023",
        "2023/13/20 (Sat) 02:21", "9" * 5000, "٢٠٢٥",
    ],
)  # fmt: skip
def test_what_is_no_time_stays_unknown(written):
    assert parse(written) == (None, None)


@given(st.datetimes(datetime(1970, 1, 2), datetime(9999, 12, 30), timezones=st.timezones() | st.just(UTC)))
def test_iso_keeps_the_instant_and_the_offset(moment):
    utc, offset = parse(moment.isoformat())
    assert datetime.fromisoformat(utc) == moment.astimezone(UTC).replace(microsecond=moment.microsecond // 1000 * 1000)
    assert offset == round(moment.utcoffset().total_seconds() / 60)
    assert parse(utc) == (utc, 0)


@given(st.text() | st.integers() | st.floats() | st.binary() | st.decimals())
def test_nothing_raises(value):
    utc, _ = parse(value)
    assert utc is None or "1970" <= utc[:4] <= "9999"
