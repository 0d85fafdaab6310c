"""Tests of memlite.extract.keywords."""

from memlite.extract.keywords import MOST, keywords


def test_names_identifiers_and_telling_words():
    found = keywords("Ana moved src/cache.py of billing-relay to Redis in May 2023.", "en", ("Ana",))
    assert found[0] == "Ana"
    assert any("src/cache.py" in term for term in found)
    assert any("Redis" in term for term in found)
    assert not any("2023" in term or "May" in term for term in found)


def test_few_and_without_roles():
    found = keywords("the user bought apples, pears, plums, cherries, quinces, medlars and figs.", "en", ("the user",))
    assert 1 <= len(found) <= MOST
    assert "the user" not in found


def test_scripts_without_spaces():
    assert "花生过敏" in " ".join(keywords("李雷对花生过敏。", "en", ("李雷",)))
