"""Places a question or a claim is bound to: `in Berlin`, `at the office`, `no escritório`; not `in May`.

A preposition, and behind it either a word for a kind of place or a name. A name tells nothing about itself, so what is
often behind a preposition without being a place (months, languages of people and of machines) is listed.
"""

import re
from functools import cache

from memlite.text.words import is_identifier

_NOUNS = {
    "en": """
        airport apartment attic backyard bakery balcony bank bar barn basement bathroom bay beach bedroom bookshop
        bookstore bridge cabin cafe cafeteria campsite campus canteen castle cellar church cinema city clinic club coast
        college cottage countryside desert dock downtown factory farm flat forest gallery garage garden gym hall harbor
        harbour home hospital hostel hotel house island kitchen lab lake library lighthouse lobby lodge mall marina
        market mosque mountains? museum neighbou?rhood office park playground pool porch production pub restaurant river
        school shed shop stadium staging station store studio supermarket temple theater theatre town university valley
        village warehouse work workshop yard zoo""",
    "de": """
        Apotheke Arbeit Bad Bahnhof Berge?n? Bibliothek B[uü]ro B[aä]ckerei Caf[eé] Dorf Fitnessstudio Flughafen Garage
        Garten Haus Hause Hotel Insel Keller Kino Kirche Klinik Krankenhaus K[uü]che Laden Markt Meer Museum Park Praxis
        Restaurant Schule See Stadt Strand Supermarkt Theater Uni Universit[aä]t Wald Werkstatt Wohnung Zoo""",
    "fr": """
        a[eé]roport appartement atelier biblioth[eè]que bureau caf[eé] campagne cin[eé]ma cuisine [eé]cole [eé]glise
        garage gare h[oô]pital h[oô]tel jardin lac magasin maison march[eé] mer montagne mus[eé]e parc piscine plage
        restaurant supermarch[eé] th[eé][aâ]tre travail universit[eé] usine village ville zoo""",
    "es": """
        aeropuerto apartamento biblioteca bosque cafeter[ií]a caf[eé] campo casa cine ciudad cocina escuela estaci[oó]n
        f[aá]brica garaje gimnasio hospital hotel iglesia isla jard[ií]n lago mercado monta[nñ]a museo oficina parque
        piscina piso playa pueblo restaurante supermercado taller teatro tienda trabajo universidad zoo""",
    "pt": """
        academia aeroporto aldeia apartamento biblioteca caf[eé] campo casa cidade cinema cozinha escola escrit[oó]rio
        esta[cç][aã]o f[aá]brica floresta garagem gin[aá]sio hospital hotel igreja ilha jardim lago loja mercado
        montanha museu oficina parque piscina praia restaurante s[ií]tio supermercado teatro trabalho universidade
        zool[oó]gico""",
}
_IN = {
    "en": r"in|at|near|inside|outside|around",
    "de": r"in|im|bei|beim|am|an|auf|nach|zu",
    "fr": r"(?<!dit )(?<!parlé )(?<!donné )(?<!écrit )(?<!offert )à|au|aux|en|dans|chez|près d[eu]",
    "es": r"en|cerca de",
    "pt": r"em|n[oa]s?|numa?|perto d[eoa]",
}
_THERE = {
    "en": r"(?:go|goes|going|went|gone|been|mov\w+|fl[ey]w?|flying|driv\w+|drove|travel\w*|trips?|visits?|return\w*"
    r"|back|c[oa]me|heading|headed|way) to",
    "de": r"(?!)",
    "fr": r"(?!)",
    "es": r"(?:fui|fue|fuimos|fueron|fuiste|viaj\w+|voy|vamos|va|ir|mud\w+|volv\w+|lleg\w+|viaje) (?:al?|para)",
    "pt": r"(?:fui|foi|fomos|foram|viaj\w+|vou|vamos|vai|ir|mud\w+|volt\w+|cheg\w+|viagem) (?:ao?|à|para [ao]?|pra)",
}
_DETERMINER = (
    r"(?:(?:the|my|our|his|her|their|your|an?|this|that|der|dem|den|die|das|einem|einer|mein\w*|unser\w*|dein\w*|sein\w*"
    r"|ihr\w*|le|la|les|un|une|mon|ma|notre|son|sa|el|los|las|una|mi|nuestr[oa]|su|o|a|meu|minha|nosso|nossa)\s"
    r"|l['’]|[A-ZÀ-Þ][\w-]*['’]s\s)?"
)
_NAME = r"(?!The\b)[A-ZÀ-Þ][\w&-]*[\w](?!['’]s)\b"
_NAMED = rf"{_NAME}(?:[ -](?:(?:of|de|da|do|del|la|am|upon)\s)?{_NAME}){{0,3}}"
_THE_NAMED = (
    r"(?:the|die|den|der|dem|les|los|las|el|la)\s(?:Netherlands|Philippines|Alps|Dolomites|Azores|Bahamas|Maldives"
    r"|Rockies|Highlands|US|USA|UK|UAE|EU|Hague|Bronx|Algarve|Schweiz|Türkei"
    r"|(?:[A-ZÀ-Þ]\w+\s){1,2}(?:Sea|Ocean|Islands?|Mountains?|Coast|Kingdom|Republic|Desert|Valley|Canyon"
    r"|Forest|Park|River))\b"
)
_NO_PLACE = frozenset(
    """
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday christmas easter halloween thanksgiving ramadan hanukkah diwali spring summer autumn
    winter q1 q2 q3 q4 i
    english spanish french german portuguese chinese japanese italian korean russian arabic dutch
    finnish swedish norwegian danish polish greek turkish hebrew hindi czech ukrainian latin
    python java javascript typescript rust go ruby kotlin swift bash sql html css json yaml markdown excel word
    januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag
    frühling sommer herbst winter weihnachten ostern urlaub rente ordnung zukunft letzter letzten deutsch englisch
    portugiesisch spanisch französisch natal páscoa navidad pascua noël pâques
    """.split()
)


@cache
def _pattern(lang: str) -> re.Pattern[str]:
    """Compile on first use: most commands look for no places."""
    noun = "|".join(_NOUNS[lang].split())
    modifiers = r"(?:[\w'’-]+\s){0,2}?" if lang == "en" else r"(?:[\w'’-]+\s){0,1}?"
    kind = rf"{_DETERMINER}(?P<kind>{modifiers}(?:{noun}))\b"
    return re.compile(
        rf"\b(?:(?i:{_IN[lang]})|(?i:{_THERE[lang]}))\s(?:(?P<named>{_THE_NAMED}|{_NAMED})|{kind})(?!['’.]\w)"
    )


def places(text: str, lang: str = "en") -> tuple[str, ...]:
    """Return the places a text names behind a preposition, without `the` and `my`, in order.

    :param lang: `en`, `de`, `fr`, `es` or `pt`
    """
    found = dict[str, None]()
    for match in _pattern(lang).finditer(text):
        name = match["named"] or match["kind"]
        first = name.split()[0].casefold()
        if first not in _NO_PLACE and not is_identifier(name):
            found[name] = None
    return tuple(found)
