"""Relative dates made absolute: `last Friday` means nothing to who reads a record a year later."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from datetime import date, datetime, timedelta, timezone
from itertools import accumulate

from msgspec import structs

from memlite.text.when import find_times
from memlite.types.records import Heard
from memlite.types.times import TimeMention

_EN = "January February March April May June July August September October November December".split()
_PT = "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split()
_ES = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()
_DE = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
_FR = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()
_WEEKDAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split(),
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche".split(),
    "es": "lunes martes miércoles jueves viernes sábado domingo".split(),
    "pt": "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo".split(),
}
_MONTHS = {"en": _EN, "pt": _PT, "es": _ES, "de": _DE, "fr": _FR}
_SEASONS = {3: "spring", 6: "summer", 9: "autumn", 12: "winter"}
_EVERY = re.compile(
    r"\b(?:every|each|cada|todas?|todos?|jede[nrsm]?|chaque)\s+(?:\w+\s+)?$|\b(?:once|twice|times) an? \w+ (?:on )?$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?<=\bon )the $")
_NAMED_DAYS = frozenset("good black ash palm easter cyber holy maundy shrove pancake fat".split())
_NEXT_WORD = re.compile(r" ([a-z]+)\b")
_SUBJECT_OF = re.compile(r" (?:is|was|works|suits|would|will|won't|isn't|wasn't)\b")
_GOES_ON = frozenset(
    """
    and or but so at in on to with for because when where while was is were will would i we you he she they it my our
    her his from until till which that as after before by then both too also again already works suits morning
    afternoon evening night week if has had
    """.split()
)
"""Words behind a weekday that do not make it tell what kind of thing follows."""
_JOINS = tuple("-_/.@#=$")
_BEHIND = frozenset(
    """
    on in at by en em im am since until till from to of before after for the this next last between and around about
    during vom bis zum seit ab el del desde hasta le du depuis jusqu'au em no na de desde até por
    """.split()
)
"""Words after which a date needs no preposition of its own."""
_OWN = frozenset(
    """
    on in at by en em im am since until till from before after around during over starting seit bis ab vor nach um
    depuis avant après vers desde hasta antes después até depois dès
    """.split()
)
"""Prepositions that a mention takes in and that stay as they were said."""
_SPAN = {"en": ("from", "to"), "de": ("vom", "bis"), "fr": ("du", "au"), "es": ("del", "al"), "pt": ("de", "a")}
_ON = {"en": "on", "de": "am", "fr": "le", "es": "el", "pt": "em"}
_IN = {"en": "in", "de": "im", "fr": "en", "es": "en", "pt": "em"}


def said(message: Heard) -> datetime | None:
    """When a message was said, by the speaker's clock; None when its source does not say."""
    if not message.said_at:
        return None
    moment = datetime.fromisoformat(message.said_at)
    if message.utc_offset is None:
        return moment
    return moment.astimezone(timezone(timedelta(minutes=message.utc_offset)))


def times_of(texts: Sequence[str], anchor: date | None, lang: str) -> list[list[TimeMention]]:
    """The times each part of a sentence names; they are read together, since the tense of one dates another."""
    whole = " ".join(texts)
    found: list[list[TimeMention]] = [[] for _ in texts]
    mentions = [mention for mention in find_times(whole, anchor, lang) if not _in_a_word(whole, mention)]
    if not mentions:
        return found
    ends = list(accumulate(len(text) + 1 for text in texts))
    for mention in mentions:
        at = bisect_right(ends, mention.start_char)
        offset = ends[at - 1] if at else 0
        if mention.end_char <= offset + len(texts[at]):
            start, end = mention.start_char - offset, mention.end_char - offset
            found[at].append(structs.replace(mention, start_char=start, end_char=end))
    return found


def _in_a_word(text: str, mention: TimeMention) -> bool:
    """Say whether a mention is part of an identifier, a path or a contraction (`recompute-from-june`, `the 18th's`)."""
    before, after = text[: mention.start_char][-1:], text[mention.end_char :][:1]
    return before in _JOINS or (after in (*_JOINS, "'", "’") and text[mention.end_char + 1 :][:1].isalnum())


def absolute(text: str, times: Sequence[TimeMention], lang: str) -> str:
    """A text with its relative dates made absolute."""
    parts: list[str] = []
    position = 0
    for mention in times:
        every = _EVERY.search(text, 0, mention.start_char) is not None
        describes = lang == "en" and _describes(text, mention)
        if mention.needs_anchor and not every and not describes and len(mention.label) >= 4 and mention.label[0] != "-":
            before = text[position : mention.start_char]
            parts += _ARTICLE.sub("", before), _written(mention, before, text[mention.end_char :], lang)
            position = mention.end_char
    return "".join(parts) + text[position:]


def _describes(text: str, mention: TimeMention) -> bool:
    """Say whether a weekday tells what kind of thing is meant: `the Sunday bread`, `Good Friday`."""
    if not _names_weekday(mention.text, "en") or " " in mention.text:
        return False
    before, after = text[: mention.start_char].rstrip(), text[mention.end_char :]
    named = before.rpartition(" ")[2].casefold()
    following = _NEXT_WORD.match(after)
    noun = following is not None and following[1].islower() and following[1] not in _GOES_ON
    return named in _NAMED_DAYS or (named in ("the", "a") and noun)


def _written(mention: TimeMention, before: str, after: str, lang: str) -> str:
    """The absolute form of a mention, with the preposition it needs."""
    if lang in ("zh", "ja"):
        return "至".join(map(_cjk, dict.fromkeys((mention.start, mention.end))))
    lang = lang if lang in _MONTHS else "en"
    name, preposition = _name(mention, lang)
    own = mention.text.split(" ", 1)[0]
    if own.casefold() in _OWN:
        preposition = own
    bare = own.casefold() not in _OWN and (
        before.rstrip().rpartition(" ")[2].casefold().strip(",.;:(") in _BEHIND
        or (lang == "en" and _SUBJECT_OF.match(after) is not None)  # `Tuesday is cancelled`
    )
    clock = f" at {mention.clock}" if mention.clock and lang == "en" and mention.relation == "at" else ""
    return (name if bare or not preposition else f"{preposition} {name}") + clock


def _name(mention: TimeMention, lang: str) -> tuple[str, str]:
    """How to write an interval, and the preposition that goes before it."""
    start, end = mention.start, mention.end
    if start == end or (mention.relation in ("since", "after") and end > start):
        weekday = mention.precision == "day" and _names_weekday(mention.text, lang)
        return _unit(start, lang, weekday=weekday), (_ON if mention.precision == "day" else _IN)[lang]
    if mention.relation in ("until", "before"):
        return _unit(end, lang, weekday=False), ""
    if lang == "en" and (special := _special(mention)):
        return special, "on" if special.startswith("the weekend") else "in"
    first, last = _SPAN[lang]
    return f"{_unit(start, lang, weekday=False)} {last} {_unit(end, lang, weekday=False)}", first


def _special(mention: TimeMention) -> str:
    """A week, a weekend or a season by its name."""
    if mention.precision == "day":
        first, last = date.fromisoformat(mention.start), date.fromisoformat(mention.end)
        if last - first == timedelta(days=6) and first.weekday() == 0:
            return f"the week of {_unit(mention.start, 'en', weekday=False)}"
        if last - first == timedelta(days=1) and first.weekday() == 5:
            return f"the weekend of {_unit(mention.start, 'en', weekday=False)}"
    elif mention.precision == "month":
        month = int(mention.start[5:7])
        if month in _SEASONS and any(word in mention.text.casefold() for word in (_SEASONS[month], "fall")):
            return f"{_SEASONS[month]} {mention.start[:4]}"
    return ""


def _names_weekday(text: str, lang: str) -> bool:
    folded = text.casefold()
    return any(name[:3].casefold() in folded for name in _WEEKDAYS[lang]) and not any(
        word in folded for word in ("yesterday", "today", "tomorrow", "tonight")
    )


def _unit(written: str, lang: str, *, weekday: bool) -> str:
    """A day, month or year as people of a language write it."""
    if len(written) == 4:
        return written
    year, month = written[:4], _MONTHS[lang][int(written[5:7]) - 1]
    of = " de " if lang in ("es", "pt") else " "
    if len(written) == 7:
        return f"{month}{of}{year}"
    day = str(int(written[8:10])) + ("." if lang == "de" else "")
    name = f"{day}{of}{month}{of}{year}"
    return f"{_WEEKDAYS[lang][date.fromisoformat(written).weekday()]} {name}" if weekday else name


def _cjk(written: str) -> str:
    """A day, month or year as Chinese and Japanese write it."""
    return "".join(f"{int(part)}{unit}" for part, unit in zip(written.split("-"), "年月日", strict=False))


def interval(found: Sequence[TimeMention]) -> tuple[str | None, str | None]:
    """When a claim holds that names these times: the first that says it, at the precision it was named.

    `since` gives no end and `until` no beginning, but what is from one day `until` another has both.
    """
    start: str | None = None
    for mention in found:
        if len(mention.label) < 4 or mention.label[0] == "-" or mention.relation == "before":
            continue
        if mention.relation == "until":
            return (start if start is None or start <= mention.end else None), mention.end
        if start is not None:
            break
        start = mention.end if mention.relation == "after" else mention.start
        if mention.relation not in ("since", "after") and (mention.end != mention.start or not _goes_on(found)):
            return start, mention.end
    return start, None


def _goes_on(found: Sequence[TimeMention]) -> bool:
    """Say whether a later mention ends what an earlier one begins."""
    return any(mention.relation == "until" for mention in found)
