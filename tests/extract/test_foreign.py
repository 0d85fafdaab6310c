"""Tests of memlite.extract.foreign."""

import pytest

from memlite.extract.foreign import third_person


@pytest.mark.parametrize(
    ("lang", "said", "reads"),
    [
        ("de", "Ich geh Dienstag aufs Rathaus", "Ana geht Dienstag aufs Rathaus"),
        ("de", "gekündigt hab ich vorgestern", "gekündigt hat Ana vorgestern"),
        ("de", "ich arbeite nicht", "Ana arbeitet nicht"),
        ("de", "Meine Mutter wohnt in Köln", "Anas Mutter wohnt in Köln"),
        ("de", "Der Hund ist alt", "Der Hund ist alt"),
        ("fr", "J'ai couru 18 km", "Ana a couru 18 km"),
        ("fr", "Je ne mange pas de viande", "Ana ne mange pas de viande"),
        ("es", "ya firmé el depa", "Ana ya firmó el depa"),
        ("es", "aquí está el perro", "aquí está el perro"),
        ("pt", "falei com o médico", "Ana falou com o médico"),
        ("pt", "moro em Curitiba", "Ana mora em Curitiba"),
        ("pt", "aqui chove", "aqui chove"),
        ("zh", "我对花生过敏", "Ana对花生过敏"),
        ("zh", "我们去北京", "我们去北京"),
        ("ja", "私は医者です", "Anaは医者です"),
        ("nl", "ik woon hier", "ik woon hier"),
    ],
)
def test_third_person(lang, said, reads):
    assert third_person(said, "Ana", lang) == reads
