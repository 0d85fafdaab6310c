"""What a question asks of dimensional records, by rules.

Each field is read by itself, and what one has used is left out of the keywords: of `what did you suggest for my trip in
May 2023?` only `trip` remains to look for. A model may fill the same struct: see `Analyser`.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta

from memlite.retrieve import assistant
from memlite.retrieve.dimension import asked_for, folded, lead_in
from memlite.retrieve.kinds import expected_types
from memlite.retrieve.stop import STOP
from memlite.text.places import places
from memlite.text.slug import stem
from memlite.text.when import find_times
from memlite.text.when.calendar import Period, unit_of
from memlite.text.when.tokens import guess
from memlite.text.words import FUNCTION_WORDS, cjk_share, cjk_terms, words
from memlite.types.query import Analysis, TimeConstraint
from memlite.types.times import Precision, TimeMention

Analyser = Callable[[str, date | None], Analysis]
"""Where another way to understand a question plugs in: from its text and when it was asked."""

_AROUND: dict[Precision, int] = {"day": 3, "month": 31, "year": 366}
"""Days by which `around` and `a few days ago` widen an interval."""
_QUOTED = re.compile(r'"([^"]*)"')
_NAMES = re.compile(r"[A-ZÀ-Þ][\w&-]*(?: (?:(?:of|de|da|do|the|la|von|van) )?[A-ZÀ-Þ][\w&-]*)+")
_TOKEN = re.compile(r"[^\s,;:!?¿¡()\[\]\"“”„«»「」、。，？！]+")
_EDGES = ".'’*_-`"
_IDLE = frozenset(
    """
    exactly currently recently kind kinds type types sort sorts thing things bit please again ever still actually
    according between remind tell told say said know remember recall forgot mention mentioned whether wonder wondering
    genau eigentlich exactement exactamente exatamente
    """.split()
)
# Some words tell the language better than the few function words beside them do.
_TELLING = {
    "en": "what's when where why who whom whose how which",
    "de": "wann wo woher wohin warum wieso weshalb wozu wofür wer wen wem wessen welche welcher welches ich meine",
    "fr": "quand où pourquoi qui quel quelle quels quelles combien comment qu'est-ce je j'ai",
    "es": "cuándo cuando dónde donde adónde qué quién quiénes cuál cuáles cuánto cuántos cuánta cuántas cómo",
    "pt": "quando onde aonde quem qual quais quanto quantos quanta quantas você vc meu minha",
}
_LANGUAGE_OF = {word: lang for lang, listed in _TELLING.items() for word in listed.split()}
_FIRST_PERSON = re.compile(r"\b(?:i|me|myself)\b|\b(?:my|mine)\b", re.IGNORECASE)
_SECOND_PERSON = re.compile(r"\byou\b|\byours?\b", re.IGNORECASE)
_SHORTENED = re.compile(r"\b(i|you)['’](m|ve|d|ll|re)\b", re.IGNORECASE)
_LONG = {"m": "am", "ve": "have", "d": "had", "ll": "will", "re": "are"}


def read(text: str, asked_at: date | None = None) -> Analysis:
    """Return what a question asks of records. What stands in double quotes is a name, and names no time or place.

    :param asked_at: when it was asked, a day or an aware datetime in the asker's own zone; relative times stay open
        without it
    """
    plain = _QUOTED.sub(lambda quoted: " " * len(quoted[0]), text)
    bare, languages = folded(plain), _languages(plain)
    lang = languages[0]
    asked = asked_for(bare)
    mentions = find_times(plain, asked_at, lang)
    constraints = [(mention, _constraint(mention)) for mention in mentions]
    cue = assistant.cue(bare, languages, asked.start)
    used = [(0, lead_in(bare)), asked[1:], *cue.spans, *((time.start_char, time.end_char) for time in mentions)]
    keywords = _keywords(_QUOTED.findall(text), _without(plain, used), lang)
    day = asked_at.date() if isinstance(asked_at, datetime) else asked_at
    return Analysis(
        statement=_statement(text, bare, lang),
        asked_at=day.isoformat() if day else "",
        types=expected_types(bare, lang, dated=bool(mentions) or asked.dim == "time"),
        times=tuple(constraint for _, constraint in constraints if constraint),
        open_times=tuple(mention.text for mention, constraint in constraints if not constraint),
        locations=places(plain, lang),
        keywords=keywords,
        stems=tuple(dict.fromkeys(stem(word) for keyword in keywords for word in words(keyword))),
        answer_dim=asked.dim,
        needs_assistant=bool(cue.why),
        assistant_reason=cue.why,
    )


def _languages(text: str) -> tuple[str, ...]:
    """Return the language a text is in, and the others where it was only guessed."""
    found = words(text.casefold())
    if known := next((_LANGUAGE_OF[word] for word in found if word in _LANGUAGE_OF), ""):
        return (known,)
    return tuple(dict.fromkeys([guess(text), *_TELLING]))


def _constraint(time: TimeMention) -> TimeConstraint | None:
    """Return the days a time names as both its ends say; None where they depend on an anchor that is not known."""
    if not time.start or not time.end:
        return None
    try:
        first, last = _period(time.start).first, _period(time.end).last
        wider = timedelta(days=_AROUND[time.precision] if time.relation == "around" or time.approximate else 0)
        open_ended: dict[str, tuple[date | None, date | None]] = {
            "before": (None, first - timedelta(days=1)),
            "after": (last + timedelta(days=1), None),
            "since": (first - wider, None),
            "until": (None, last + wider),
        }
        days = open_ended.get(time.relation, (first - wider, last + wider))
    except (ValueError, OverflowError):  # `--05`, or the end of the calendar
        return None
    return TimeConstraint(time.text, time.relation, *(day.isoformat() if day else "" for day in days))


def _period(written: str) -> Period:
    unit = {10: "day", 7: "month"}.get(len(written), "year")
    return unit_of(date.fromisoformat(written + "2000-01-01"[len(written) :]), unit)


def _without(text: str, spans: Iterable[Sequence[int]]) -> str:
    for start, end in spans:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def _keywords(quoted: list[str], text: str, lang: str) -> tuple[str, ...]:
    if cjk_share(text) > 0:
        return tuple(dict.fromkeys([*quoted, *cjk_terms(text)]))
    names = [name for name in _NAMES.findall(text) if _says(name.split()[0], lang)]
    rest = _NAMES.sub(lambda name: " " if _says(name[0].split()[0], lang) else name[0], text)
    single = (token.strip(_EDGES).removesuffix("'s").removesuffix("’s") for token in _TOKEN.findall(rest))
    return tuple(dict.fromkeys([*filter(str.strip, quoted), *names, *(word for word in single if _says(word, lang))]))


def _says(word: str, lang: str) -> bool:
    known = word.casefold().replace("’", "'")
    return (
        bool(known) and known not in FUNCTION_WORDS[lang] and known not in _IDLE and (lang != "en" or known not in STOP)
    )


def _statement(text: str, bare: str, lang: str) -> str:
    said = text[lead_in(bare) :].strip(" ?!.¿")
    if lang != "en":
        return said
    said = _SHORTENED.sub(lambda short: f"{short[1]} {_LONG[short[2].lower()]}", said)
    said = _FIRST_PERSON.sub(lambda me: "the user's" if me[0].lower().startswith(("my", "mine")) else "the user", said)
    return _SECOND_PERSON.sub(lambda you: "the assistant's" if len(you[0]) > 3 else "the assistant", said)
