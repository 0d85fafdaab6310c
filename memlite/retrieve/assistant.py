"""Whether the answer to a question is something the assistant said.

Its reply is then worth its length in the context; else what the user told is. A question says so by who did the saying:
`what did you suggest`, `a lista que você me deu`, `deine Empfehlung`, `the third option`. Not by any `you`: what the
user told it (`what did I tell you`) is the user's, and a request (`what do you suggest?`) asks for something new.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from memlite.text.phrases import any_of

_SAID_EN = r"""
    suggested|recommended|said|told|mentioned|listed|advised|proposed|gave|given|explained|described|wrote|written
    |answered|replied|provided|came|found|showed|shown|shared|drafted|made|chose|chosen|picked|taught|warned|named
    |quoted|promised|claimed|offered|outlined|translated|summari[sz]ed|generated|calculated|estimated|compared|created
    |planned|used|put|changed|added|fixed|ran|did|agreed|called|introduced|cited|referred|walked|helped|pointed|thought
"""
_THINGS_EN = r"""
    suggestions?|recommendations?|advice|answers?|repl(?:y|ies)|responses?|explanations?|list|tips?|proposals?
    |summar(?:y|ies)|drafts?|instructions|examples?|estimates?|warnings?|translations?|calculations?|itinerary|outline
    |analysis|recipes?|ideas?|poems?|stor(?:y|ies)|scripts?|essays?|letters?
"""
_SAID_DE = r"""
    (?:vorgeschlagen|empfohlen|gesagt|genannt|erwahnt|geraten|aufgelistet|erklart|gegeben|geschrieben|geantwortet
    |gezeigt|erzahlt|gemacht|berechnet|geandert|gefunden)
"""
# `I told you said`, `the list I gave you made`: there the user did the saying, and `you` heard it.
_HEARING = (
    "(?<!told )(?<!tell )(?<!gave )(?<!give )(?<!sent )(?<!asked )(?<!ask )(?<!showed )(?<!shown )(?<!show )(?<!if )"
)
_SAYS = {
    "en": rf"""
        (?:did|had|have|didn't|haven't) you\b
        (?:\s(?:just|already|once|ever|also|again|originally|first|last|previously))?
        (?! (?:know|remember|recall|forget|get|got|see|hear|like|enjoy|understand|notice
        |and|receive|sleep|mean|an?|the|any
        |to|in)\b) [a-z]+
        |{_HEARING}you(?:'ve|'d| have| had)?
        (?: (?:just|already|once|also|originally|first|last|previously|earlier|even))?
        \s(?:{_SAID_EN})
        |{_HEARING}your (?:[a-z]+ )?(?:{_THINGS_EN})
        |(?:the|my) (?:ai |coding )?(?:assistant|chatbot|bot|ai)(?:'s (?:{_THINGS_EN})| (?:{_SAID_EN})
        | (?:suggest|recommend|say|tell|mention|propose|explain|list))
        |asked you (?:to|for)
        |(?:by|from|according to) (?:(?:the|my) (?:assistant|chatbot|ai)|you|chatgpt)
        |(?:chatgpt|copilot|claude|gemini) (?:{_SAID_EN}|suggest|recommend|say|tell|mention|propose|explain|list)
        |(?:first|second|third|fourth|fifth|sixth|last|\d+(?:st|nd|rd|th)) (?:suggestion|option|tip|recommendation
        |alternative|bullet(?: point)?)\b(?! (?:i|we|he|she|they)\b)
        |(?:item|step|example|number|entry|idea|place) (?:on|in|of|from) (?:the|that) list""",
    "pt": r"""
        (?:voce|vc|tu) (?:ja |tambem )?(?:(?:me|nos|lhe) )?(?:suger|recomend|disse|falou|mencion|indic|aconselh|explic
        |list|deu|propos|escreve|passou|mandou|citou|contou|respond|fez|criou|mostrou|ensinou)[a-z]*
        |(?:me )?(?:sugeri|recomenda|di|disse|fala|menciona|indica|aconselha|explica|lista|propuse|escreve|conta
        |responde|mostra|fize|cria|de)ste(?:-me)?
        |(?:tuas?|suas?|teus?|seus?) (?:sugest\w+|recomenda\w+|conselhos?|respostas?|dicas?|lista|propostas?|explica\w+)
        |(?:primeira|segunda|terceira|quarta|ultima) (?:sugestao|opcao|dica)""",
    "es": r"""
        (?:me |nos )?(?:sugeri|recomenda|diji|menciona|indica|aconseja|explica|enumera|propusi|escribi|conta|respondi
        |mostra|ensena|hici|crea|di)ste
        |has (?:ya )?(?:sugerido|recomendado|dicho|mencionado|dado|propuesto|explicado|aconsejado|escrito|indicado)
        |usted (?:me )?(?:sugiri|recomend|dijo|mencion|explic|propuso|aconsej|dio)[a-z]*
        |tus? (?:sugerencias?|recomendaci\w+|consejos?|respuestas?|lista|propuestas?|explicaci\w+)
        |(?:primera|segunda|tercera|cuarta|ultima) (?:sugerencia|opcion)""",
    "de": rf"""
        (?:(?:hast|hattest) du|haben sie)\b[^?,]*\s{_SAID_DE}|du\b[^?,]*\s{_SAID_DE}\s(?:hast|hattest)
        |(?:sagtest|meintest|empfahlst|nanntest|erwahntest|schriebst|schlugst) du
        |du (?:sagtest|meintest|empfahlst|nanntest|erwahntest)
        |dein(?:e[mnrs]?)? (?:[a-z]+ )?(?:vorschl\w+|empfehlung\w*|rat|ratschl\w+|tipps?|antwort\w*|liste|erklarung\w*)
        |(?:erste|zweite|dritte|vierte|letzte)[nrs]? (?:vorschlag|option|empfehlung|tipp)""",
    "fr": r"""
        (?:tu (?:m'|me |nous )?(?:as|avais)|vous (?:m'|nous )?(?:avez|aviez)
        |(?:m'|me )?(?:as-tu|avais-tu|avez-vous|aviez-vous))(?: deja)?
        \s(?:sugger|recommand|dit|conseill|propos|mentionn|expliqu|donn|list|ecrit|repond|cite|indiqu|parle)[a-z]*
        |(?:ta|tes|ton|votre|vos) (?:suggestions?|recommandations?|conseils?|reponses?|liste|propositions?
        |explications?)
        |(?:premiere|deuxieme|troisieme|derniere) (?:suggestion|option)""",
}
_RECALLING = r"""
    \b(?:remind me (?:again )?(?:of |about )?(?:the|what|which|who|how|where|when)
    |(?:our|the (?:last|previous|earlier|past|first|recent|other))(?: [a-z]+)? (?:chat|conversation|discussion))\b
"""
# Where the asking clause says one of these, it asks for what the user told or has.
_OWN = any_of(
    r"""
    \b(?:my|mine|(?:did|do|have|had|was|am) i|i(?:'ve| have| had)? (?:said|told|mentioned|decided|asked|chose|picked
    |planned|promised|wanted|need(?:ed)?|bought|have|had|did|was|am|should|must))\b
    """
)


class Cue(NamedTuple):
    """Why the answer is the assistant's, "" where it is not, and where the question says so."""

    why: str = ""
    spans: Sequence[tuple[int, int]] = ()


@cache
def _says(lang: str) -> re.Pattern[str]:
    return any_of(rf"\b(?:{_SAYS[lang]})\b")


@cache
def _recalling() -> re.Pattern[str]:
    return any_of(_RECALLING)


def _ends(found: re.Match[str]) -> list[tuple[int, int]]:
    """Return where the saying stands: `hast du` and `empfohlen`, not what is between."""
    opening, last = " ".join(found[0].split(" ")[:2]), found[0].rpartition(" ")[2]
    return [(found.start(), found.start() + len(opening)), (found.end() - len(last), found.end())]


def cue(text: str, languages: Iterable[str], asking: int) -> Cue:
    """Return what in a folded text, in one of some languages, asks for the assistant's words.

    :param asking: where the question word stands
    """
    said = next(filter(None, (list(_says(lang).finditer(text)) for lang in languages)), None)
    if said:
        spans = [span for found in said for span in _ends(found)]
        return Cue(f"asks for what the assistant said: {said[0][0]!r}", spans)
    recalling = _recalling().search(text)
    # `remind me what I decided` asks for what is the user's own.
    if recalling and not _OWN.search(text, max(asking, recalling.start())):
        return Cue(f"asks for what a conversation with it held: {recalling[0]!r}", [recalling.span()])
    return Cue()
