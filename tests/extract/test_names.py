"""Tests of memlite.extract.names."""

from memlite.extract.names import language_of, name_of, voice_of
from memlite.extract.voice import Voice
from memlite.types.records import Heard, Window

ASKS = Heard(0, "user", "how do I sort this list?", "")
ANSWERS = Heard(1, "assistant", "use sorted() with a key", "assistant")


def test_who_has_no_name_is_called_by_the_role():
    window = Window((ASKS, ANSWERS))
    assert name_of(ASKS, "en") == "the user"
    assert name_of(ANSWERS, "de") == "der Assistent"
    assert voice_of(ASKS, window, "en") == Voice("the user", "the assistant")
    assert voice_of(ANSWERS, window, "en") == Voice("the assistant", "the user")
    assert voice_of(ASKS, Window((ASKS,)), "en") == Voice("the user", "the assistant")


def test_among_three_you_may_be_anybody():
    three = tuple(Heard(ply, "user", "hi", name) for ply, name in enumerate(("Ana", "Bo", "Cy")))
    assert voice_of(three[0], Window(three, style="peers"), "en") == Voice("Ana", "")
    assert voice_of(three[0], Window(three[:2], style="peers"), "en") == Voice("Ana", "Bo")


def test_language():
    assert language_of([Heard(0, "user", "我对花生过敏，下周去北京")]) == "zh"
    assert language_of([Heard(0, "user", "私はそばアレルギーです")]) == "ja"
    assert language_of([Heard(0, "user", "ich habe das nicht gewusst und bin nicht da")]) == "de"
    assert language_of([ASKS]) == "en"
