"""What holds now stands before what it took the place of; asked of the past, the other way round.

No score knows that a claim is over: `I live in Shanghai` answers `where do I live?` word for word, years after the move
to Beijing. So among the best of a ranking an exchange that holds a closed record gives its place to the one whose
record closed it, and nothing else moves.
"""

import re
from collections.abc import Sequence

from memlite.store.history import Succession

HEAD = 30
"""How many of the best are looked at; what is further down nobody reads."""
_OF_THE_PAST = re.compile(
    r"(?<!\w)(?:before|previous(?:ly)?|formerly|former|used to|earlier|in the past|back then|originally|at first|ex-\w+"
    r"|no longer|vorher|früher|davor|zuvor|ehemals|damals|avant|auparavant|autrefois|antes|anteriormente"
    r"|antigamente)(?!\w)|以前|之前|原来|前は|昔",
    re.IGNORECASE,
)

Ranking = list[tuple[int, float]]


def asks_of_the_past(question: str) -> bool:
    """Say whether a question asks for what was so and may be so no longer."""
    return _OF_THE_PAST.search(question) is not None


def arrange(ranking: Ranking, successions: Sequence[Succession], *, past: bool = False, as_of: str = "") -> Ranking:
    """Return a ranking in which what holds, at `as_of` or now, stands before what does not.

    :param past: what held before stands first
    :param as_of: a UTC instant, or ""
    """
    ordered = list(ranking)
    # The latest last, so that of a chain what holds ends up first; of the past, what held last before it.
    for one in sorted(successions, key=lambda one: one.valid_to or ""):
        if as_of and one.held_at(as_of):
            for later in _after(one, successions):
                _put_before(ordered, one.old, later, may_come_in=True)
        elif past and not as_of:
            _put_before(ordered, one.old, one.new, may_come_in=True)
        elif not as_of or one.valid_to is None or one.valid_to <= as_of:
            _put_before(ordered, one.new, one.old, may_come_in=False)
    return ordered


def _after(one: Succession, successions: Sequence[Succession]) -> list[int]:
    """Return the exchanges of all that came after a record in its chain."""
    following = {other.old: other.new for other in successions}
    found = [one.new]
    while (later := following.get(found[-1])) is not None and later not in found and later != one.old:
        found.append(later)
    return found


def _put_before(ranking: Ranking, first: int, second: int, *, may_come_in: bool) -> None:
    """Move an exchange to just before another that stands higher; both keep the scores of their places."""
    places = {id: place for place, (id, _) in enumerate(ranking)}
    if second not in places or first == second or not (first in places or may_come_in):
        return
    target, place = places[second], places.get(first, len(ranking))
    if place < target:
        return
    score = ranking[target][1]
    if first in places:
        ranking.pop(place)
    ranking.insert(target, (first, score))
