"""Tests of memlite.extract.signs."""

from memlite.extract.signs import Setting, Wording, signs, stands_alone, told

SETTING = Setting("user", coding=False, lang="en", me="Ana", place=0, sentences=1)


def of(content, **changes):
    wording = {"kind": "prose", "told": [told(content, "en")], "echo": 0.0, "flags": frozenset[str]()}
    return set(signs(Wording(content, **{**wording, **changes}), SETTING))


def test_what_words_say():
    found = of("Ana never paid 40 euros for `cache_dir`")
    assert {"begins with speaker", "negation", "past", "verb", "identifier", "numbers 1", "user, negation"} <= found
    assert "hypothetical" not in found
    assert "hypothetical" in of("Ana might leave if it rains")
    assert "vague 2" in of("Ana put it on that")


def test_what_does_not_stand_alone():
    assert not stands_alone(of("It was tough"))
    assert stands_alone(of("It was in Porto"))
    assert stands_alone(of("It was tough", flags=frozenset(["timed"])))
    assert stands_alone(of("The exam was tough"))


def test_how_it_begins():
    assert "begins with it" in of("It is late")
    assert "begins with order" in of("Use the cache")
    assert "begins with name" in of("Halvorsen moved the date")
    assert "begins with number" in of("40 tests passed")


def test_where_it_stands_and_how_it_was_made():
    assert "user, echo 4" in of("Ana slept", echo=0.9)
    assert {"led", "user, led"} <= of("Ana slept", flags=frozenset(["led"]))
    assert "pieces 2" in of("Ana slept, Bo left", told=[told("Ana slept", "en"), told("Bo left", "en")])
