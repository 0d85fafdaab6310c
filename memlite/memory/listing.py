"""Records by their dimensions: what a person types becomes filters that SQL applies."""

from datetime import datetime, timedelta, tzinfo
from typing import get_args

from memlite.errors import UsageError
from memlite.store import records
from memlite.store.connection import Store, bounded
from memlite.store.records import RecordFilters
from memlite.text import times
from memlite.text.clean import clean
from memlite.text.search_terms import quote, term
from memlite.types.records import RecordOrder, RecordType, RecordView


def list_records(
    store: Store,
    *,
    text: str,
    type: str,
    active: bool,
    as_of: str = "",
    since: str,
    until: str,
    at: str,
    zone: tzinfo | None,
    where: str,
    keyword: str,
    speaker: str,
    project: str,
    conversation: str,
    order: RecordOrder,
    limit: int | None,
    offset: int,
) -> tuple[RecordView, ...]:
    """Return the records that pass, in order.

    :raises UsageError: no such type or order, a negative count, or a date in no known form
    """
    if type and type not in get_args(RecordType):
        raise UsageError(f"there is no type {type!r}. Choose: {', '.join(get_args(RecordType))}")
    if (limit or 0) < 0 or offset < 0 or order not in get_args(RecordOrder):
        raise UsageError(
            f"limit {limit}, offset {offset}, order {order!r}: counts are 0 or more, order is one of "
            f"{', '.join(get_args(RecordOrder))}"
        )
    filters = RecordFilters(
        type=type,
        active=active,
        as_of=times.resolve(as_of, zone=zone)[0] if as_of else "",
        # Whatever overlaps two spans ends after both begin, and begins before both end.
        since=max((days_of(given, zone)[0] for given in (since, at) if given), default=""),
        until=min((days_of(given, zone)[1] for given in (until, at) if given), default=""),
        where=clean(where).casefold(),
        # A keyword without a word is no record's, but not no filter either.
        keywords=tuple(records.folded_words([clean(keyword)]) or [keyword]) if keyword else (),
        speaker=clean(speaker),
        # Nor is text without a word no filter: an empty phrase finds nothing.
        match=" AND ".join(filter(None, map(term, clean(text).split()))) or quote("") if text else "",
        project=clean(project),
        conversation=clean(conversation),
    )
    with store.reading() as con:
        return records.find_records(con, filters, order, limit if limit is None else bounded(limit), bounded(offset))


def days_of(text: str, zone: tzinfo | None) -> tuple[str, str]:
    """Return the first and the last day of what a typed date names.

    :raises UsageError: it is in no known form; the message lists them
    """
    start, end = map(datetime.fromisoformat, times.resolve(text, zone=zone))
    last = end - timedelta(milliseconds=1)
    return start.astimezone(zone).date().isoformat(), last.astimezone(zone).date().isoformat()
