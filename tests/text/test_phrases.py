"""Tests of memlite.text.phrases."""

import pytest

from memlite.text.phrases import is_filler, shows_secret


@pytest.mark.parametrize(
    "text",
    [
        "the key is sk-abcdefghijklmnop1234",
        "AKIAIOSFODNN7EXAMPLE",
        "DB_PASSWORD=hunter2hunter2",
        "my password is hunter2",
        "token: 9f8e7d6c5b4a",
        "postgres://ana:hunter2@db/prod",
        "-----BEGIN RSA PRIVATE KEY-----",
        "密码是 hunter2",
        "meine PIN ist 4711",
    ],
)
def test_secrets(text: str) -> None:
    assert shows_secret(text)


@pytest.mark.parametrize(
    "text",
    [
        "the token budget is small",
        "reset the password please",
        "https://host/a:b",
        "keyboard",
        "ask-me-anything",
        "pins",
    ],
)
def test_no_secrets(text: str) -> None:
    assert not shows_secret(text)


@pytest.mark.parametrize(
    "text", ["thanks!", "Ok, great, thank you so much.", "Danke schön!", "好的，", "ありがとう！", "Perfeito"]
)
def test_filler(text: str) -> None:
    assert is_filler(text)


@pytest.mark.parametrize("text", ["thanks to the cache", "no camera", "Sofia", "ok at 15:00", "好的方案是缓存"])
def test_no_filler(text: str) -> None:
    assert not is_filler(text)
