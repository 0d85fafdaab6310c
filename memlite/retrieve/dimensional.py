"""What a question constrains, and what it weighs that a record agrees with it.

The first five weights are DimMem's; that a record is of a speaker named, and that it can tell what is asked for, count
as its smaller ones do. They are shared out again among the parts that a question constrains, so that a record that
agrees in all of them has a score of 1, however few they are.
"""

from collections.abc import Iterable, Mapping, Sequence

from memlite.store.record_routes import Part, Wanted
from memlite.store.records import folded_words
from memlite.text import search_terms
from memlite.types.query import Analysis

WEIGHTS: Mapping[Part, float] = {
    "time": 0.30,
    "location": 0.20,
    "phrase": 0.15,
    "token": 0.15,
    "type": 0.15,
    "speaker": 0.15,
    "answer": 0.15,
}
FILLED = ("time", "location", "reason", "purpose")
"""The dimensions that a record may have or not."""


def wanted(analysis: Analysis, speakers: Iterable[str]) -> Wanted:
    """Return what records are wanted by their dimensions. `speakers` are those keywords that name a speaker."""
    named = tuple(speakers)
    # Who speaks is a part of its own; as a word it would match every other record of a talk between two.
    about = [keyword for keyword in analysis.keywords if keyword not in named]
    keywords = (tuple(folded_words([keyword])) for keyword in about)
    return Wanted(
        times=tuple((time.first, time.last) for time in analysis.times),
        locations=tuple(filter(None, map(search_terms.phrase, analysis.locations))),
        keywords=tuple(filter(None, keywords)),
        speakers=named,
        types=analysis.types,
        answer=analysis.answer_dim,
    )


def constrains(wanted: Wanted) -> bool:
    """Return whether anything narrows what is wanted: a type, and what is asked for, are had by too many to do so."""
    return bool(wanted.times or wanted.locations or wanted.keywords or wanted.speakers)


def weights(wanted: Wanted) -> dict[Part, float]:
    """Return the weights of the parts that are constrained, adding up to 1."""
    active: dict[Part, bool | Sequence[object]] = {
        "time": wanted.times,
        "location": wanted.locations,
        "phrase": wanted.keywords,
        "token": wanted.keywords,
        "type": wanted.types,
        "speaker": wanted.speakers,
        "answer": wanted.answer in FILLED,
    }
    kept = {part: WEIGHTS[part] for part, given in active.items() if given}
    return {part: weight / sum(kept.values()) for part, weight in kept.items()}
