"""Tests of memlite.text.words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.text.slug import slug, stem
from memlite.text.words import cjk_share, cost, is_identifier, language, rarity, sentences, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't drop user_id, v2.4.7!", ["Don't", "drop", "user_id", "v2.4.7"]),
        ("pre-commit: a b", ["pre-commit", "a", "b"]),
        ("東京都に住む", ["東京", "京都", "都に", "に住", "住む"]),
        ("用JWT令牌", ["用", "JWT", "令牌"]),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text())
def test_every_word_stands_in_the_text(text: str) -> None:
    assert all(word in text for word in words(text))


def spans(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("e.g. this one. Next", ["e.g. this one.", "Next"]),
        ("am 25. und 26., ja. Gut", ["am 25. und 26., ja.", "Gut"]),
        ("ver 2.4.7 is out. ok", ["ver 2.4.7 is out.", "ok"]),
        ("今天好。明天见！再说？", ["今天好。", "明天见！", "再说？"]),
        ("Dr. Who came", ["Dr. Who came"]),
        ("a\n\nb", ["a", "b"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert spans(text) == expected


@given(st.text())
def test_sentences_lose_only_space(text: str) -> None:
    assert "".join("".join(spans(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("one", "other"),
    [("Queries", "query"), ("indexes", "index"), ("Tests", "test"), ("Igor's", "igor"), ("status", "status")],
)
def test_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_rarity_orders_function_common_and_rare_words() -> None:
    assert rarity("the") == 0.0
    assert rarity("the") < rarity("house") < rarity("serializer") <= 1.0
    assert rarity("4.8") == rarity("select_related") == 1.0


def test_another_language_keeps_its_words() -> None:
    assert rarity("die", "de") == 0.0
    assert rarity("die", "en") > 0.0
    assert rarity("Treppe", "de") > 0.5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("where did we put the file that you wrote", "en"),
        ("wo ist denn die Datei, die ich geschrieben habe", "de"),
        ("où est le fichier que tu as écrit pour nous", "fr"),
        ("dónde está el archivo que te mandé ayer", "es"),
        ("onde está o arquivo que você me mandou ontem", "pt"),
        ("", "en"),
    ],
)
def test_language(text: str, expected: str) -> None:
    assert language(words(text)) == expected


@pytest.mark.parametrize("word", ["user_id", "getUser", "v2", "8f31c2e", "pre.commit", "S7-1214"])
def test_identifiers(word: str) -> None:
    assert is_identifier(word)


@pytest.mark.parametrize("word", ["house", "House", "12"])
def test_no_identifiers(word: str) -> None:
    assert not is_identifier(word)


@pytest.mark.parametrize(
    "text", ["Auth Middleware", "auth-middleware", "auth_middleware", "authMiddleware", "auth middlewares"]
)
def test_spellings_of_a_topic_share_a_slug(text: str) -> None:
    assert slug(text) == "auth-middleware"


def test_slug_transliterates_latin_and_keeps_other_scripts() -> None:
    assert slug("Größe über São Paulo") == "grosse-uber-sao-paulo"
    assert slug("認証") == "認証"
    assert slug("!?") == ""


@given(st.text())
def test_slug_is_stable(text: str) -> None:
    made = slug(text)
    assert not made.startswith("-")
    assert "--" not in made


def test_cost_grows_with_text() -> None:
    assert cost("") == 0
    assert cost("the house") == 2
    assert cost("東京都に") == 2
    assert cost("a b c d") > cost("a b")


def test_cjk_share() -> None:
    assert cjk_share("東京") == 1.0
    assert cjk_share("abc") == cjk_share("") == 0.0
