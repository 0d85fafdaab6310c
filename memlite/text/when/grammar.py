"""The grammar: regular expressions over the kinds of tokens, each with the function that reads what it finds.

Kinds: M month, W weekday, G several of them, U unit, S season, R day from today, P part of the day, H holiday, L last,
X next, T this, l and x the same behind their noun, A ago, h ago before its noun, b in N units, n from now, N number,
a one, F vague number, O ordinal, E part of a period, Y year, D numeric date, C clock, Q quarter, K week of the year,
J decade, o of, t the, i preposition, r since/until/by/from/around, q before/after, B between, e every, & and, - to,
Z a time already read, w any other word. Leftmost, then first in the list; three passes: times, clocks, relations.
"""

import re
from functools import cache
from typing import NamedTuple

from memlite.text.when import dates, relations, spoken
from memlite.text.when.reading import Build, OpenError, Reading
from memlite.text.when.tokens import Token, line


class Rule(NamedTuple):
    """What to look for, and what to make of it."""

    pattern: re.Pattern[str]
    build: Build


def _rules(*listed: tuple[Build, str]) -> tuple[Rule, ...]:
    return tuple(Rule(re.compile(pattern), build) for build, pattern in listed)


_ON = r"(?:W\.?,?P?)?t?U?"
_YEAR = r"(?:\.?,?o?Y)?"
_TO = r"[-&rti]"


@cache
def passes() -> tuple[tuple[Rule, ...], ...]:
    """Return the rules of each pass, compiled on first use."""
    return (
        _rules(
            (dates.dated, rf"{_ON}[NO]\.?(?:o?M\.?)?{_TO}t?[NO]\.?o?t?M{_YEAR}"),
            (dates.dated, rf"{_ON}M\.?[NO],?[-&](?:M\.?)?[NO](?![NOM]){_YEAR}"),
            (dates.dated, rf"{_ON}[NO]\.?o?t?M{_YEAR}"),
            (dates.dated, rf"{_ON}M\.?t?[NO]{_YEAR}"),
            (dates.month, rf"M\.?[-&r]M{_YEAR}"),
            (spoken.part, rf"E-?o?t?(?:M{_YEAR}|Y|[LXTx]U|U[lx]|U)"),
            (dates.month, r"M\.?,?o?Y"),
            (spoken.lately, r"[LXx][NF]U"),
            (spoken.relative_to_now, r"(?<!e)[LXTx](?:M(?!,?Y)|[WSUQH])P?(?!o)"),
            (spoken.relative_to_now, r"(?<!e)[MWSU][lx]P?"),
            (spoken.counted, r"[NaF]o?[UGS][An]|[hb][NaF]U"),
            (spoken.counted, r"i[NaF]U(?![oqA])"),
            (spoken.lasting, r"[ir][NaF]U(?![oqA])"),
            (spoken.spoken_day, r"R[PR]?|[LT]P"),
            (dates.numeric, r"D"),
            (dates.ordinal, r"(?:W,?)?t?O(?:[-&]t?O)?|W,?N(?![NUC])|UN|(?<=[irt])N\.(?!N)|tN"),
            (spoken.weekday, r"(?<!e)W(?:[-&]W)?[PR]?(?!qt?[ZDMNOYRWLXTQSH])"),
            (dates.quarter, r"Q(?:o?Y)?|OU(?:o?t?Y)?"),
            (dates.season, r"(?<!e)S(?:,?o?t?Y)?"),
            (dates.holiday, r"(?<!e)H(?:,?o?Y)?"),
            (dates.week, r"K(?:,?o?Y)?"),
            (dates.decade, r"J"),
            (dates.year, r"Y(?:[-&]Y)?"),
            (dates.month, r"(?<!e)M"),
            (spoken.weekend, r"(?<=[it])U(?![oq])"),
        ),
        _rules(
            (relations.clocked, r"Z[i,t]{0,2}C(?:-C)?|C(?:-C)?[i,]?[it]?Z"),
        ),
        _rules(
            (relations.between, r"Bt?Z&t?Z|r?t?Z-t?Z|[ro]t?Z[-rti]t?Z"),
            (relations.shifted, r"t?(?:[NaF]?U|W)(?:[qh]|r(?<=U.))t?Z"),
            (relations.weeks_on, r"[Na]UiZ|ZU(?![oqAi])"),
            (relations.within, r"t?O?Uot?Z"),
            (relations.related, r"[rqhB]r?t?Z"),
        ),
    )


_STARTS = re.compile(r"[^w;.,:()]")


def read(reading: Reading) -> list[Token]:
    """Return the times of a text, in order."""
    for rules in passes():
        reading.tokens = _pass(reading, rules)
    return [token for token in reading.tokens if token.kind == "Z"]


def _pass(reading: Reading, rules: tuple[Rule, ...]) -> list[Token]:
    kinds, found, done = line(reading.tokens), list[Token](), 0
    for start in _STARTS.finditer(kinds):
        if start.start() < done:
            continue
        if made := _first(reading, rules, kinds, start.start()):
            token, last = made
            found += [*reading.tokens[done : start.start()], token]
            done = last
    return found + reading.tokens[done:]


def _first(reading: Reading, rules: tuple[Rule, ...], kinds: str, at: int) -> tuple[Token, int] | None:
    for rule in rules:
        match = rule.pattern.match(kinds, at)
        if match and (token := _built(reading, rule.build, *match.span())):
            return token, match.end()
    return None


def _built(reading: Reading, build: Build, first: int, last: int) -> Token | None:
    reading.relative = reading.yearless = False
    try:
        made = build(reading, first, last)
    except OpenError as known:
        parts = [token for token in reading.tokens[first:last] if token.kind == "Z"]
        start, end = reading.tokens[first].start, reading.tokens[last - 1].end
        return Token("Z", str(known) or (parts[0].value if len(parts) == 1 else ""), start, end, relative=True)
    except (ValueError, OverflowError):  # no such day, or none that a calendar holds
        return None
    if made is None or isinstance(made, Token):
        return made
    start, end = reading.tokens[first].start, reading.tokens[last - 1].end
    return Token("Z", "", start, end, period=made, relative=reading.relative, yearless=reading.yearless)
