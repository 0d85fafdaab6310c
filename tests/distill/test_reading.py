"""An exchange as the rules read it."""

from hypothesis import given
from hypothesis import strategies as st

from memlite.distill import distil
from memlite.distill.core import FLOOR, PEER_FLOOR, choose, render
from memlite.distill.reading import read
from memlite.types.palace import Exchange, Turn


def said(*contents, speakers=("", ""), style="assistant"):
    roles = ("user", "assistant")
    return Exchange(tuple(Turn(roles[i % 2], text, speakers[i % 2]) for i, text in enumerate(contents)), style=style)


def test_what_nobody_wrote_is_not_read():
    reading = read(said("<system-reminder>zanzibar</system-reminder>The pool hangs.", "It holds five connections."))
    assert all("zanzibar" not in content for content in reading.contents)
    assert [clause.turn for clause in reading.found] == [0, 1]
    assert reading.about.user_turns == {0}


def test_people_have_their_names_and_assistants_none():
    people = read(said("My ferry leaves at nine.", "Mine at ten.", speakers=("Nadia", "Ilias"), style="peers"))
    assert (people.labels, people.floor) == (["Nadia: ", "Ilias: "], PEER_FLOOR)
    alone = read(said("My ferry leaves at nine.", "Noted.", speakers=("Nadia", "")))
    assert (alone.labels, alone.floor) == (["", ""], FLOOR)
    assert people.budget > alone.budget


def test_an_empty_exchange_gives_nothing_to_choose_from():
    reading = read(Exchange(()))
    assert (reading.contents, reading.found, reading.weighed, reading.labels) == ([], [], [], [])


@given(st.lists(st.text(max_size=120), max_size=4), st.sampled_from(["assistant", "peers"]))
def test_the_object_of_the_rules_is_made_of_it(contents, style):
    exchange = said(*contents, speakers=("Ana", "Bo"), style=style)
    reading = read(exchange)
    assert len(reading.contents) == len(reading.labels) == len(contents)
    core = render(choose(reading.weighed, reading.budget, reading.floor), reading.labels, reading.budget)
    assert not core or core == distil(exchange).exchange_core
