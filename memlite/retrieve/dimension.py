"""Which dimension a question asks for, by the word it asks with: `when` a time, `wozu` a purpose, `quem` a person.

The question word stands at the head of a clause, behind what only leads in (`do you remember`, `peux-tu me dire`), or
at the very end (`you moved there when?`). Its language need not be known: no question word of one of the five languages
asks for another dimension in another. Accents are folded first, since who types a question often leaves them out.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from memlite.text.phrases import any_of
from memlite.types.query import AnswerDim

_FOLD = str.maketrans(
    "áàâãäåéèêëíìîïóòôõöúùûüçñÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑ’‘",
    "aaaaaaeeeeiiiiooooouuuucnAAAAAEEEEIIIIOOOOOUUUUCN''",
)

# What may stand between `what` and the noun that tells what is asked: `what is the exact date`, `qual foi a data`.
_WHAT_IS = (
    r"(?:what(?:'?s| is| was| are| were)|qual (?:e|foi|era|sera)|cual (?:es|fue|era)|quelle? (?:est|etait)"
    r"|was (?:ist|war)|wie (?:ist|war|lautet)) (?:(?:the|an?|my|our|his|her|their|[oa]|el|la"
    r"|le|mi|su|meu|minha|mon|ma|das|der|die|mein\w*|[\w-]+'s?) |l'){0,2}(?:[\w-]+ )?"
)
_WHICH = r"(?:what|which|welche[mnrs]?|quel(?:le)?s?|que|qual|quais|cual(?:es)?) "

_DIMENSIONS: dict[AnswerDim, str] = {
    "time": rf"""
        when(?:'?s)?|wann|quand|cuando|quando|how long|wie lange|combien de temps|cuanto tiempo|quanto tempo
        |how many (?:days|weeks|months|years|hours)(?= [^?]*\b(?:ago|since|until|passed|elapsed|between)\b)
        |wie spat|(?:um )?wie ?viel uhr
        |{_WHICH}(?:exact )?(?:time|day|date|year|month|week|weekday|season|decade|tag|datum|jahr|monat|woche|uhrzeit
        |wochentag|jour|date|annee|mois|heure|semaine|saison|dia|fecha|ano|mes|hora|horas|semana|data)
        |{_WHAT_IS}(?:date|deadline|birthday|birthdate|anniversary|datum|geburtstag|frist|anniversaire|fecha|cumpleanos
        |plazo|data|aniversario|prazo)
        """,
    "location": rf"""
        where(?:abouts|'?s)?|wo|woher|wohin|(?<!\S )(?:d')?ou(?= \w)|a?donde|a?onde
        |{_WHICH}(?:cit(?:y|ies)|countr(?:y|ies)|towns?|villages?|states?|places?|locations?|address|regions?
        |neighbou?rhoods?|streets?|venues?|continent|islands?|stadt|stadte|land|ort|dorf|stra(?:ss|ß)e|viertel|villes?
        |pays|endroit|lieu|quartier|rue|ciudad(?:es)?|pais(?:es)?|lugar(?:es)?|sitio|barrio|calle|pueblo|cidades?|rua
        |bairro)
        |{_WHAT_IS}(?:address|location|hometown|birthplace|adresse|anschrift|direccion|endereco|morada)
        """,
    "reason": rf"""
        why|how come|warum|wieso|weshalb|weswegen|pourquoi|por ?que
        |what (?:made|makes|caused|causes|motivated|motivates|led|drove|prompted|inspired|inspires|convinced)
        |(?:because of|due to) what|{_WHICH}(?:reasons?|grund|raisons?|razon|motivo|razao)
        |{_WHAT_IS}(?:reasons?|cause|motivation|grund|ursache|raison|razon|motivo|causa|razao)
        """,
    "purpose": rf"""
        what for|wozu|wofur|pour quoi faire|a quoi (?:sert|servait|servent)|(?:para|pra) que|to what end
        |(?:what|which)(?= [^?]*(?<!apply)(?<!applied)(?<!look)(?<!looking)(?<!ask)(?<!asking)(?<!asked)(?<!wait)
        (?<!waiting)(?<!search)(?<!searching)(?<!pay)(?<!paid)(?<!vote)(?<!known)(?<!famous)(?<!great)(?<!good)
        (?<!best)(?<!responsible)(?<!grateful)(?<!thankful)(?<!care)(?<!awarded)(?<!stand) for ?[?!.]*$)
        |{_WHICH}(?:purpose|aim|zweck|ziel|but|objectif|fin|objetivo|proposito|finalidade)
        |{_WHAT_IS}(?:purpose|aim|intention|point of|zweck|but|objectif|objetivo|proposito|finalidade)
        """,
    "person": rf"""
        who(?:m|se|'?s)?|wer|wen|wem|wessen|qui|quien(?:es)?|quem
        |{_WHICH}(?:of (?:my|our|the) )?(?:person|people|friends?|colleagues?|co-?workers?|relatives?|teammates?
        |neighbou?rs?|guests?|classmates?|kolleg\w+|freund\w*|person|personne|ami[es]*|collegues?|amig[oa]s?|persona
        |pessoas?|colegas?)
        """,
    "number": rf"""
        how (?:many|much|old|often|far|tall|big|large|heavy|fast|frequently|high|deep|wide|expensive)
        |wie ?viele?|wie (?:oft|alt|hoch|gro(?:ss|ß)|gross|weit|teuer|schwer|viele)|combien|cuant[oa]s?|quant[oa]s?
        |{_WHICH}(?:number|percentage|amount|price|size|age|port|nummer|prix|montant|nombre|edad|precio|numero|idade
        |preco)
        |{_WHAT_IS}(?:number|amount|price|costs?|total|budget|percentage|salary|age|weight|height|distance|count|fee
        |rent
        |port|balance|discount|preis|betrag|anzahl|alter|prix|montant|nombre|age|precio|numero|edad|presupuesto
        |preco|idade|valor|orcamento)
        """,
    "content": r"""
        what(?:'?s)?|which|how|was|welche[mnrs]?|wie|que|quoi|quel(?:le)?s?|qu'\w+|comment|cual(?:es)?|como|qual|quais
        |o que|did|does|do|is|are|were|has|have|had|would|will|should|ist|sind|habe|hat|hast|est-ce|tem|tiene
        """,
}  # in this order: `how much` before `how`, `was` of `was kostet` and of `was it` last
# Lazy, so that `para que` asks for a purpose, and is no `que` behind `para`.
_BEFORE = (
    r"(?:(?:and|but|so|then|also|or|exactly|und|aber|et|mais|y|pero|e|mas) )??"
    r"(?:(?:in|at|on|for|with|from|to|since|until|till|by|of|about|around|near|an|um|ab|bis|seit|mit|zu|fur|von|aus|nach"
    r"|bei|a|au|de|depuis|jusqu'a|avec|pour|chez|dans|en|con|para|por|desde|hasta|hace|com|em|ate|ha|il y a"
    r"|durante) )??"
)
_AFTER = r"(?<=\bremind me )|(?<=\btell me )|(?<=\bremember )|(?<=\bknow )|(?<=\bwonder )|(?<=\bwondering )"
_LEAD = r"""
    [\s¿¡]*(?:(?:hey|hi|hello|ok|okay|so|well|um|please|pls|quick question|just curious|btw|by the way|sorry|hallo|salut
    |bonjour|hola|ola|oi)\b
    |(?:(?:can|could|would|will) you (?:please )?)?(?:please )?(?:remind|tell|show) me\b(?: again)?(?: of| about)?
    |(?:do|did|don't) you (?:happen to |still )*(?:remember|recall|know)\b
    |i (?:can't|cannot|don't|do not|no longer) (?:quite |really )?(?:remember|recall|know)\b
    |i(?:'ve| have)? forgot(?:ten)?\b
    |i(?:'m| am| was)? (?:just )?wonder(?:ing)?\b(?: if you (?:can|could) (?:please )?(?:remind|tell) me)?
    |i(?:'d| would) (?:like|love) to (?:know|hear)\b|i (?:want|need) to (?:know|remember)\b|any idea\b
    |refresh my memory(?: on| about)?
    |(?:kannst|konntest) du mir (?:bitte |noch ?mal )*sagen\b|wei(?:ss|ß)t du(?: noch)?\b
    |erinnerst du dich(?: noch)?(?: daran)?\b|sag(?: mir)?(?: bitte| noch ?mal)*\b|ich wei(?:ss|ß) nicht(?: mehr)?\b
    |(?:est-ce que )?tu (?:te souviens|te rappelles|sais)\b|(?:sais-tu|te souviens-tu|dis-moi|rappelle-moi)\b
    |(?:peux-tu|tu peux) me (?:dire|rappeler)\b|je ne (?:sais|me souviens) plus\b
    |(?:te acuerdas|recuerdas|sabes|dime|recuerdame)\b(?: de)?|(?:me )?puedes (?:decir|recordar)(?:me)?\b
    |no (?:me acuerdo|recuerdo|se)\b(?: de)?
    |(?:voce |vc |tu )?(?:se )?(?:lembra|lembras|lembras-te|sabe|sabes)\b(?: de)?
    |(?:voce |vc )?(?:pode|podes|poderia) me (?:dizer|lembrar)\b(?: de)?|(?:me )?(?:diz|diga|lembra|lembre)(?:-me)?\b
    |nao (?:me )?(?:lembro|sei)\b(?: mais)?(?: de)?
    )[\s,:!.?…-]*
"""
_UNSPACED: dict[AnswerDim, str] = {
    "time": "什么时候|何时|哪[天年]|几[号月点]|いつ|何[時日月年]",
    "location": "哪里|哪儿|在哪|どこ",
    "reason": "为什么|为何|なぜ|どうして",
    "purpose": "何のため|为了什么",
    "person": "谁|誰|だれ",
    "number": "多少|几[个次岁]|いくつ|いくら|何[人回歳個]",
}
_MAY_BEGIN_A_CLAUSE = frozenset("when quando quand cuando".split())
_INVERTED = re.compile(
    r" (?:is|are|was|were|did|do|does|will|would|has|have|had|can|could|should|exactly)\b", re.IGNORECASE
)


class Asked(NamedTuple):
    """What is asked for, and where the words that ask stand."""

    dim: AnswerDim
    start: int
    end: int


def folded(text: str) -> str:
    """Return a text without accents, each character where it was."""
    return text if text.isascii() else text.translate(_FOLD)


@cache
def _lead() -> re.Pattern[str]:
    return any_of(_LEAD)


@cache
def _head() -> re.Pattern[str]:
    dims = "|".join(f"(?P<{dim}>{_joined(words)})" for dim, words in _DIMENSIONS.items())
    return re.compile(rf"(?:^|(?<=[,;:.!?¿¡–—(])\s*|{_AFTER}){_BEFORE}(?:{dims})(?![\w-])", re.IGNORECASE)


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{dim}>{words})" for dim, words in _UNSPACED.items()))


@cache
def _tail() -> re.Pattern[str]:
    dims = "|".join(f"(?P<{dim}>{_joined(words)})" for dim, words in _DIMENSIONS.items() if dim != "content")
    return re.compile(rf"\b(?:{dims}|(?P<where>ou))\s?[?]+$", re.IGNORECASE)


def _joined(alternatives: str) -> str:
    return "".join(line.strip() for line in alternatives.splitlines())


def lead_in(text: str) -> int:
    """Return where the question proper begins in a folded text."""
    begin = 0
    while begin < len(text) and (found := _lead().match(text, begin)):
        begin = found.end()
    return begin


def asked_for(text: str) -> Asked:
    """Return which dimension a folded text asks for; its content where no word tells."""
    begin = lead_in(text)
    heads = _heads(text[begin:].rstrip())
    asked = next(heads, None)
    if asked is None:
        found = _tail().search(text) or (None if text.isascii() else _unspaced().search(text))
        if found is None:
            return Asked("content", begin, begin)
        dim = found.lastgroup or "content"
        return Asked(_dim("location" if dim == "where" else dim), *found.span())
    word = text[begin:][asked.start : asked.end].strip(" ¿¡(").casefold()
    if word in _MAY_BEGIN_A_CLAUSE and not _INVERTED.match(text, begin + asked.end):
        # `When I was in Rome, what did I eat?` asks behind the clause.
        asked = next(heads, asked)
    return Asked(asked.dim, begin + asked.start, begin + asked.end)


def _heads(text: str) -> Iterator[Asked]:
    return (Asked(_dim(found.lastgroup or ""), *found.span()) for found in _head().finditer(text))


def _dim(name: str) -> AnswerDim:
    return next(dim for dim in _DIMENSIONS if dim == name)
