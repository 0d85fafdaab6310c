"""Tests of memlite.extract.people."""

from memlite.extract.people import People


def people(*heard):
    known = People()
    known.turn()
    for text in heard:
        known.hear(text, "Ana")
    return known


def test_she_is_the_one_spoken_of():
    assert people("My wife has vertigo").resolved("she had to lie down") == "Ana's wife had to lie down"
    assert people("my sister Rita called").resolved("She's in Porto") == "Rita is in Porto"
    assert people("my dad came").resolved("he's got a bad shoulder") == "Ana's dad has got a bad shoulder"
    assert people("Marjorie said no").resolved("her son is ill") == "Marjorie's son is ill"


def test_who_is_not_known_stays_a_pronoun():
    assert people().resolved("she left") == "she left"
    assert people("my dad came").resolved("she left") == "she left"
    assert people("Bo said yes, Cy said no").resolved("he left") == "he left"


def test_an_earlier_message_does_not_say_who_he_is():
    known = people("my dad came")
    known.turn()
    assert known.resolved("he left") == "he left"
