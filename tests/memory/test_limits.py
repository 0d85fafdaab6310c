"""Numbers of any size, and names of any shape: what is not there is not found, and nothing breaks."""

import pytest

from memlite.errors import NotFound, UsageError

HUGE = (2**31, 2**63 - 1, 2**63, 2**70)
NAMES = [
    "x" * 300,
    "100%",
    "a_b",
    "%_%",
    'it\'s "quoted"',
    "'; drop table message; --",
    "zero\0byte",
    "line\nbreak",
    "\ud83d",
]


@pytest.mark.parametrize("count", HUGE)
def test_counts_of_any_size(pool, count):
    for text in ("pool", ""):
        everything = pool.search(text, limit=1000, since="1900").hits
        assert pool.search(text, limit=count, since="1900").hits == everything
        assert pool.search(text, limit=5, offset=count, since="1900").hits == ()
        for order in ("newest", "oldest"):
            assert len(pool.search(text, limit=count, sort=order, since="1900").hits) == len(everything)
    assert pool.search("pool", limit=count, group="conversation").hits
    assert len(pool.records(limit=count)) == len(pool.records(limit=None))
    assert not pool.records(limit=5, offset=count)
    assert pool.context("pool", budget=count).text


@pytest.mark.parametrize("id", [0, -1, 999_999, *HUGE[1:], -(2**70)])
def test_ids_of_any_size_are_not_there(pool, id):
    for call in (pool.get, pool.history, pool.revert):
        with pytest.raises(NotFound, match=str(id)):
            call(id)
    with pytest.raises(NotFound):
        pool.forget(exchange=id)
    with pytest.raises(NotFound):
        pool.forget(record=id)


def test_counts_below_zero_are_refused(pool):
    for call in (pool.search, pool.records):
        with pytest.raises(UsageError):
            call("pool", limit=-1)


@pytest.mark.parametrize("name", NAMES)
def test_names_of_any_shape_are_found_again_and_nothing_else_is(memory, talk, name):
    memory.add(
        talk("Where is the spare key of the shed?", "Under the third pot."), conversation="other", project="other"
    )
    memory.add(talk("Where is the spare key of the barn?", "Behind the beam."), conversation=name, project=name)
    memory.distill()
    for given in ({"conversation": name}, {"project": name}):
        (hit,) = memory.search("spare key", **given).hits
        assert "barn" in hit.text
    assert memory.forget(conversation=name).messages == 2
    assert [hit.conversation.external_id for hit in memory.search("spare key").hits] == ["other"]
    for filter in ("project", "source", "conversation", "file", "room", "speaker"):
        memory.search("spare key", **{filter: name})
        memory.records(**{filter: name} if filter in ("project", "conversation", "speaker") else {})
