"""Times that a text names -> intervals, against when it was said.

A text becomes a row of tokens, each with a kind of one letter (month, number, `last`, ...), whatever its language; the
grammar is regular expressions over these letters. Rules, not a library: dateparser takes 9 ms to search a sentence,
finds `sat`, `march` and `we may` in it, gives instants where intervals are meant (`in May` is a day) and takes today
where nothing is known; dateutil reads single dates only. This takes 0.1 ms, 0.3 where there are times.

What is relative is resolved against the anchor, the day on which it was said in the speaker's own zone, and never
against the day of running: without an anchor it stays open. A month or a day without its year is the one the tense of
its sentence points to, else the nearest. `5/8/2023` is the 5th of August in other languages than English and in English
east of Greenwich, else the 8th of May; `5.8.2023` is always the 5th of August.
"""

from datetime import date

from memlite.text.when import cjk, grammar, lexicon
from memlite.text.when.reading import Reading
from memlite.text.when.tokens import Token, guess, may_name_a_time, tokens
from memlite.types.times import TimeMention


def find_times(text: str, anchor: date | None = None, lang: str = "") -> list[TimeMention]:
    """Return the times a text names, in order.

    :param anchor: when it was said, a day or an aware datetime in the speaker's own zone
    :param lang: `en`, `de`, `fr`, `es` or `pt`; guessed where it is not one of them. Chinese and Japanese times are
        found beside any of them.
    """
    lang = lang if lang in lexicon.LANGUAGES else guess(text)
    found = list[Token]()
    left = text
    if cjk.written_in(text):
        found, left = cjk.read(Reading(text, lang, anchor))
    if may_name_a_time(left, lang):
        found += grammar.read(Reading(left, lang, anchor, tokens(left, lang)))
    return [_mention(text, token) for token in sorted(found, key=lambda token: token.start)]


def _mention(text: str, token: Token) -> TimeMention:
    start, end = token.period.written if token.period else (token.value, token.value)
    return TimeMention(
        start_char=token.start,
        end_char=token.end,
        text=text[token.start : token.end],
        start=start,
        end=end,
        relation=token.relation,
        precision=token.period.precision if token.period else "month" if len(token.value) == 4 else "day",
        needs_anchor=token.relative,
        approximate=token.period is not None and token.period.approximate,
        clock=token.clock,
    )
