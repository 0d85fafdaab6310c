"""The first person of German, Portuguese, Spanish and French turned into the third, for the commonest verbs.

A verb is only touched where the pronoun stands beside it, or, where the language leaves the pronoun out, at the head of
a clause. Any other stays as it was said.
"""

import re
from functools import cache
from typing import NamedTuple


class Grammar(NamedTuple):
    """How a language speaks of `I`."""

    pronoun: str
    before: str
    """What may stand between pronoun and verb."""
    verbs: dict[str, str]
    """First person -> third."""
    endings: tuple[tuple[str, str], ...]
    """The same by ending, for verbs that are not listed; the first that fits."""
    inverts: bool
    """The pronoun may follow its verb."""
    drops: bool
    """A clause may begin with the verb alone."""
    mine: str
    """What is `my`."""
    of_mine: str
    """How `my` and the word after it are written; `{name}`, `{word}`."""


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split(">") for pair in text.split())


_GRAMMARS = {
    "de": Grammar(
        "ich",
        "",
        _pairs(
            """
            habe>hat hab>hat bin>ist werde>wird kann>kann will>will muss>muss darf>darf soll>soll mag>mag weiß>weiß
            möchte>möchte war>war hatte>hatte wollte>wollte konnte>konnte musste>musste würde>würde würd>würde
            hätte>hätte
            nehme>nimmt nehm>nimmt gebe>gibt geb>gibt lasse>lässt lass>lässt fahre>fährt fahr>fährt esse>isst ess>isst
            lese>liest les>liest sehe>sieht seh>sieht spreche>spricht sprech>spricht schlafe>schläft trage>trägt
            trag>trägt
            halte>hält halt>hält laufe>läuft lauf>läuft treffe>trifft treff>trifft vergesse>vergisst helfe>hilft
            helf>hilft
            wasche>wäscht arbeite>arbeitet warte>wartet miete>mietet rechne>rechnet ging>ging kam>kam fand>fand
            dachte>dachte wusste>wusste
            """
        ),
        (("te", "te"), ("de", "det"), ("e", "t"), ("", "t")),
        True,
        False,
        r"mein(?:e[rmns]?)?",
        "{name}s {word}",
    ),
    "fr": Grammar(
        r"j['’]|je",
        r"(?:ne\s+|n['’]|me\s+|m['’]|y\s+|en\s+|l['’]|le\s+|la\s+|les\s+|lui\s+)*",
        _pairs(
            """
            ai>a suis>est vais>va veux>veut peux>peut dois>doit sais>sait fais>fait viens>vient prends>prend mets>met
            vois>voit dis>dit pars>part avais>avait étais>était voudrais>voudrait pourrais>pourrait ferai>fera
            serai>sera
            aurai>aura irai>ira viendrai>viendra prendrai>prendra
            """
        ),
        (("erai", "era"), ("rai", "ra"), ("ais", "ait"), ("e", "e"), ("is", "it")),
        False,
        False,
        "mon|ma|mes",
        "{word} de {name}",
    ),
    "es": Grammar(
        "yo",
        r"(?:no\s+|ya\s+|me\s+|lo\s+|la\s+|los\s+|las\s+|le\s+|se\s+)*",
        _pairs(
            """
            tengo>tiene soy>es estoy>está voy>va quiero>quiere puedo>puede necesito>necesita prefiero>prefiere hago>hace
            digo>dice pongo>pone salgo>sale vengo>viene sé>sabe he>ha había>había era>era fui>fue hice>hizo tuve>tuvo
            estuve>estuvo dije>dijo puse>puso pude>pudo vine>vino uso>usa vivo>vive trabajo>trabaja creo>cree
            llevo>lleva
            odio>odia amo>ama toco>toca estudio>estudia cojo>coge
            """
        ),
        (("aré", "ará"), ("eré", "erá"), ("iré", "irá"), ("é", "ó"), ("í", "ió")),
        False,
        True,
        "mi|mis",
        "{word} de {name}",
    ),
    "pt": Grammar(
        "eu",
        r"(?:não\s+|já\s+|me\s+|só\s+|também\s+|o\s+|a\s+|os\s+|as\s+|lhe\s+)*",
        _pairs(
            """
            tenho>tem sou>é estou>está tô>está vou>vai quero>quer posso>pode preciso>precisa prefiro>prefere faço>faz
            digo>diz
            ponho>põe saio>sai venho>vem sei>sabe fui>foi fiz>fez tive>teve estive>esteve disse>disse pus>pôs pude>pôde
            vim>veio uso>usa moro>mora trabalho>trabalha acho>acha levo>leva odeio>odeia amo>ama toco>toca estudo>estuda
            gosto>gosta adoro>adora tiro>tira deixo>deixa compro>compra fico>fica consigo>consegue era>era tinha>tinha
            """
        ),
        (
            ("arei", "ará"),
            ("erei", "erá"),
            ("irei", "irá"),
            ("quei", "cou"),
            ("guei", "gou"),
            ("ei", "ou"),
            ("i", "iu"),
        ),
        False,
        True,
        "meus?|minhas?",
        "{word} de {name}",
    ),
}


_NO_VERBS = frozenset("aqui aquí allí ahí así café cafés porqué también bebé ali assim quasi".split())
"""What ends like a verb of the first person at the head of a clause and is none."""
_CJK_I = {"zh": re.compile("我(?![们們])"), "ja": re.compile("(?:私|僕|俺|わたし|ぼく)(?=[はがのもにを、])")}


def third_person(text: str, name: str, lang: str) -> str:
    """Put a name for the first person; texts of other languages come back as they are."""
    if lang in _CJK_I:
        return _CJK_I[lang].sub(name, text)
    grammar = _GRAMMARS.get(lang)
    if grammar is None:
        return text
    patterns = _patterns(lang)
    text = patterns.mine.sub(lambda found: grammar.of_mine.format(name=name, word=found["word"]), text)
    if grammar.inverts:
        text = patterns.inverted.sub(lambda found: _inverted(found, name, grammar), text)
    given = patterns.subject.sub(lambda found: _subject(found, name, grammar), text)
    if given == text and grammar.drops and (head := patterns.head.match(text)):
        verb = third(head["verb"].lower(), grammar, listed=len(head["verb"]) < 4 or head["verb"].lower() in _NO_VERBS)
        if verb != head["verb"].lower() or head["verb"].lower() in grammar.verbs:
            return f"{name} {head['between'].lower()}{verb}{text[head.end() :]}"
    return given


class _Patterns(NamedTuple):
    subject: re.Pattern[str]
    inverted: re.Pattern[str]
    head: re.Pattern[str]
    mine: re.Pattern[str]


@cache
def _patterns(lang: str) -> _Patterns:
    grammar = _GRAMMARS[lang]
    return _Patterns(
        re.compile(rf"\b(?:{grammar.pronoun})\s*\b(?P<between>{grammar.before})(?P<verb>[^\W\d_]+)", re.IGNORECASE),
        re.compile(rf"\b(?P<verb>[^\W\d_]+)\s+(?:{grammar.pronoun})\b", re.IGNORECASE),
        re.compile(rf"(?P<between>{grammar.before})(?P<verb>[^\W\d_]+)\b(?=\s)", re.IGNORECASE),
        re.compile(rf"\b(?:{grammar.mine})\s+(?P<word>[^\W\d_]+)", re.IGNORECASE),
    )


def third(verb: str, grammar: Grammar, *, listed: bool = False) -> str:
    """The third person of a verb in the first; the verb itself where it is not known to be one."""
    if verb in grammar.verbs or listed:
        return grammar.verbs.get(verb, verb)
    return next((verb.removesuffix(end) + new for end, new in grammar.endings if verb.endswith(end)), verb)


def _subject(found: re.Match[str], name: str, grammar: Grammar) -> str:
    return f"{name} {found['between']}{third(found['verb'].lower(), grammar)}"


def _inverted(found: re.Match[str], name: str, grammar: Grammar) -> str:
    verb = found["verb"]
    known = verb.lower() in grammar.verbs or verb.endswith("e")
    if not known or verb.lower() in ("die", "wie", "ohne"):
        return found[0]
    made = third(verb.lower(), grammar)
    return f"{name} {made}" if verb[0].isupper() else f"{made} {name}"
