"""What rules decide about an earlier and a later record."""

import pytest

from memlite.types.records import Record
from memlite.types.update import KeepBoth, Merge, Retract, Supersede
from memlite.update import decide


def a_record(content, type="fact", **given):
    return Record(content=content, type=type, ply=0, start=0, end=1, **given)


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("The user lives in Hangzhou.", "The user moved to Shanghai in the week of 19 February 2024.", Supersede),
        ("The user lives in Hangzhou.", "The user's sister lives in Paris.", KeepBoth),
        ("The user lives in Berlin.", "The user plans to move to Rome next year.", KeepBoth),
        ("The user lives in Berlin.", "The user lived in Rome in 2012.", KeepBoth),
        ("Der Nutzer wohnt in Berlin.", "Der Nutzer ist nach Hamburg gezogen.", Supersede),
        ("The user uses vim.", "The user no longer uses vim.", Retract),
        ("The user uses vim.", "The user switched from vim to Helix.", Supersede),
        ("The API timeout is 30 seconds.", "The user changed the API timeout to 60 seconds.", Supersede),
        ("The API timeout is 60 seconds.", "The API timeout is 1 minute.", Merge),
        ("The API timeout is 30 seconds.", "The upload timeout is 60 seconds.", KeepBoth),
        ("The user's dog Rex is five years old.", "The user's dog Rex is friendly.", KeepBoth),
        ("PR #77 is merged.", "PR #78 is merged.", KeepBoth),
        ("The user is interested in Rust.", "The user is planning a trip to Japan.", KeepBoth),
    ],
)
def test_a_pair_is_decided_by_what_its_words_prove(old, new, kind):
    decision = decide(a_record(old), a_record(new))
    assert isinstance(decision, kind), decision
    assert decision.reason


def test_the_same_event_at_two_times_happened_twice():
    first = a_record("The user ran a marathon.", "episodic", time_start="2023-05", time_end="2023-05")
    second = a_record("The user ran a marathon.", "episodic", time_start="2024-05", time_end="2024-05")
    assert isinstance(decide(first, second), KeepBoth)
    assert isinstance(decide(first, first), Merge)
