"""Whether a later record says the same as an earlier one, takes its place, ends it, or leaves it alone.

Rules alone decide, each for a reason that is stored. They are asked in the order of how much they prove, and where none
speaks both records stay: a memory that keeps an old claim too long can be asked again, one that hides a true claim
cannot. What is only planned, supposed or told of the past changes nothing.
"""

from collections.abc import Callable, Sequence

from memlite.types.records import Record
from memlite.types.update import Decision, KeepBoth, Merge, Retract, Supersede
from memlite.update import values
from memlite.update.claims import ONE_AT_A_TIME, Attribute, Claim, claim
from memlite.update.gate import jaccard
from memlite.update.values import Value

SIMILAR = 0.7
"""Cosine from which two records may speak of one thing (DimMem's figure)."""

SAME = 0.9
"""Cosine from which two records with the same values say the same."""
UNCLEAR = "nothing in its words says that one touches the other"
"""Why a pair is kept that a vector may still tell more about."""
VERSION = "1"
"""Of the rules: what other ones decided is decided again by `update`."""

Outcome = tuple[type[Merge] | type[Supersede] | type[Retract] | type[KeepBoth], str]


def decide(old: Record, new: Record, cosine: float | None = None) -> Decision:
    """Return what becomes of an earlier and a later record.

    :param cosine: of the contents' vectors, where it is known; rules that rest on words alone do without
    """
    kind, reason = _judge(old, new, cosine)
    return kind(reason, round(jaccard(old.keywords, new.keywords), 3), cosine)


def _judge(old: Record, new: Record, cosine: float | None) -> Outcome:
    one, other = claim(old.content), claim(new.content)
    if old.speaker != new.speaker and _of_speaker(one) and _of_speaker(other):
        return KeepBoth, "two people speak of themselves"
    if one.said == other.said:
        return _same(old, new)
    for rule in RULES:
        if outcome := rule(old, new, one, other):
            return outcome
    if cosine is None:
        return KeepBoth, UNCLEAR
    if cosine < SIMILAR:
        return KeepBoth, "unlike in meaning"
    if cosine >= SAME and _as_much(one, other):
        return Merge, "the same in other words"
    return KeepBoth, "alike, but nothing says that one touches the other"


def _as_much(one: Claim, other: Claim) -> bool:
    return set(one.values) == set(other.values) and one.negated == other.negated and one.ended == other.ended


def _of_speaker(one: Claim) -> bool:
    return one.said.startswith(("i ", "my ", "the user "))


def _same(old: Record, new: Record) -> Outcome:
    if old.type == new.type == "episodic" and _apart(old, new):
        return KeepBoth, "the same happened at two times"
    return Merge, "the same words"


def _apart(old: Record, new: Record) -> bool:
    """Say whether two records name times that do not overlap."""
    if not (old.time_start and old.time_end and new.time_start and new.time_end):
        return False
    size = min(map(len, (old.time_start, old.time_end, new.time_start, new.time_end)))
    return old.time_end[:size] < new.time_start[:size] or new.time_end[:size] < old.time_start[:size]


# -- rules, in order --


def _not_so(old: Record, new: Record, one: Claim, other: Claim) -> Outcome | None:
    """What is not so, or not yet, changes nothing and is changed by nothing."""
    if old.content.rstrip().endswith(("?", "？")) or new.content.rstrip().endswith(("?", "？")):
        return KeepBoth, "a question states nothing"
    if other.planned or one.planned:
        return KeepBoth, "one of them is a plan or a supposition"
    if other.past and not other.ended and not other.changed and not one.past:
        return KeepBoth, "the later one tells of the past"
    return None


def _ends(old: Record, new: Record, one: Claim, other: Claim) -> Outcome | None:
    """What is said to be over, or denied, ends what said it was so."""
    if one.ended or one.negated == other.negated and not other.ended:
        return None
    if not (other.ended or other.negated or one.negated):
        return None
    mine, theirs = _all(one), _all(other)
    shared = mine & theirs
    covered = len(shared) / min(len(mine), len(theirs)) if mine and theirs else 0.0
    about = _keys(one.values) & (_keys(other.values) | other.displaced)
    if covered >= 0.75 and (about or not (one.values and other.values)) and len(shared) >= 1:
        if one.negated and not other.negated:
            return (Supersede, "it was denied before and is so now") if mine == theirs else None
        return Retract, "it is said to be over"
    return None


def _displaces(old: Record, new: Record, one: Claim, other: Claim) -> Outcome | None:
    """What names the value that gave way takes the place of the claim that gave it."""
    gone = {key for key in other.displaced & (_keys(one.values) | one.bag) if not key.isdigit()}
    if gone and not one.past and _related(one, other):
        return Supersede, f"{', '.join(sorted(gone))} gave way to it"
    return None


def _attributes(old: Record, new: Record, one: Claim, other: Claim) -> Outcome | None:
    """What has one value at a time has the later one."""
    for mine in one.attributes:
        for theirs in other.attributes:
            if mine.name == theirs.name and (outcome := _values(mine, theirs, one, other, old, new)):
                return outcome
    return None


def _values(mine: Attribute, theirs: Attribute, one: Claim, other: Claim, old: Record, new: Record) -> Outcome | None:
    if not _same_subject(mine, theirs, one, other):
        return None
    if mine.name == "=" and mine.rest != theirs.rest:
        return None
    keys, others = _keys(mine.values), _keys(theirs.values)
    if keys and keys == others or mine.told == theirs.told:
        return (Merge, "the same value") if old.type == new.type or mine.name != "=" else None
    if keys and others and (keys < others or others < keys):
        return Merge, "one says it more exactly"
    told = mine.name in ONE_AT_A_TIME and keys and others
    fits = any(values.comparable(a, b) for a in mine.values for b in theirs.values)
    if told and (fits or mine.name != "age"):
        return Supersede, f"another {mine.name}"
    if fits and (old.type != "episodic" or other.changed):
        return Supersede, "another value"
    return None


def _same_subject(mine: Attribute, theirs: Attribute, one: Claim, other: Claim) -> bool:
    if mine.subject == theirs.subject:
        return True
    if mine.name != "=":
        return False
    told = set(_keys(theirs.before)) & set(_keys(mine.values))
    return bool(told) and (mine.subject <= theirs.subject or theirs.subject <= mine.subject)


def _differ_in_a_value(old: Record, new: Record, one: Claim, other: Claim) -> Outcome | None:
    """Claims that are the same but for a value: the later value holds."""
    if one.bag != other.bag or len(one.bag) < 1 or one.negated != other.negated:
        return None
    mine, theirs = _only(one.values, other.values), _only(other.values, one.values)
    if not mine and not theirs:
        if old.type == new.type == "episodic" and _apart(old, new):
            return KeepBoth, "the same happened at two times"
        return Merge, "the same but for words that tell nothing"
    if not mine or not theirs:
        return (Merge, "one says it more exactly") if old.type == new.type != "episodic" else None
    if old.type == "episodic" and new.type == "episodic" and not other.changed:
        return None
    measured = all(value.kind.startswith(("number", "version", "clock")) for value in (*mine, *theirs))
    if len(mine) == len(theirs) == 1 and values.comparable(mine[0], theirs[0]) and (measured or other.changed):
        return Supersede, "the same with another value"
    return None


RULES: Sequence[Callable[[Record, Record, Claim, Claim], Outcome | None]] = (
    _not_so,
    _displaces,
    _ends,
    _attributes,
    _differ_in_a_value,
)


def _related(one: Claim, other: Claim) -> bool:
    """Say whether two claims are of one subject, as far as their words tell."""
    return bool(one.bag & other.bag) or not one.bag or not other.bag


def _keys(found: Sequence[Value]) -> frozenset[str]:
    return frozenset(value.key for value in found if value.kind != "date")


def _all(one: Claim) -> frozenset[str]:
    return one.bag | _keys(one.values)


def _only(mine: Sequence[Value], theirs: Sequence[Value]) -> list[Value]:
    return [value for value in mine if value not in theirs]
