"""Which types of record could hold the answer to a question.

Profile is what somebody is like, episodic what happened or will, fact what is so. What happened may be kept as a fact
too (of 818 labelled claims in the past tense 386 are), so that a question in the past asks for both, unless it gives or
asks for a time. A question that says nothing of this names none, and then any type will do.
"""

import re
from functools import cache

from memlite.text.phrases import any_of
from memlite.types.records import RecordType

_PROFILE = {
    "en": r"""
        favou?rites?|prefer\w*|(?<!would )(?<!look )(?<!looks )(?<!looked )(?<!is )(?<!was )(?<!feel )like[sd]?
        (?! to (?:know|hear)\b)|love[sd]?|hate[sd]?|enjoy\w*|dislike\w*|allerg\w*|hobb(?:y|ies)|habits?|usual(?:ly)?
        |routine|personality|traits?|interest(?:s|ed)|fan of|good at|bad at|afraid|scared|vegetarian|vegan|diet|identity
        |attitude|opinion|think (?:of|about)|always|never|often|typically|normally
        |would (?!you\b|it\b|that\b)\w+""",
    "de": r"""
        lieblings\w+|mag|mogen|magst|liebst|liebe|liebt|hass\w+|bevorzug\w+|normalerweise|gewohnlich|gewohnheit\w*
        |gerne?|am liebsten|hobbys?|allerg\w+|immer|nie|angst""",
    "fr": r"""
        aim\w+|prefer\w+|detest\w+|ador\w+|favori\w*|loisirs?|habitudes?|d'habitude|allerg\w+|toujours|jamais|peur""",
    "es": r"""
        gust[ao]\w*|odi[ao]\w*|encant\w+|prefer\w+|prefier\w+|favorit[oa]s?|aficion\w*|costumbres?|suel[oe]s?|alergi\w+
        |siempre|nunca|miedo""",
    "pt": r"""
        gost\w+|odei\w+|ador\w+|prefer\w+|prefir\w+|favorit[oa]s?|passatempos?|hobby|habitos?|costum\w+|alergi\w+
        |sempre|nunca|medo""",
}
_EPISODIC = {
    "en": r"""
        did|didn't|went|happen\w*|plan(?:s|ned|ning)?|going to|gonna|will|attend\w*|visit\w*|bought|trip|events?|ago
        |(?:has|have|had|i've) (?:\w+ )?(?:been|gone|done|seen|met|made|read|bought|\w+[^e]ed)
        |(?:was|were) \w+ing|(?:i|we|he|she|they) (?:met|made|saw|left|took|got|\w+[^e]ed)""",
    "de": r"""
        (?:habe?|hat|hast|haben|hatte|hattest|bin|ist|sind) (?:[^?]* )?(?:\w*ge\w{2,}(?:t|en)|\w+iert)|passier\w*|war
        |warst|waren|werde|wird|geplant|plan\w*|vor\s""",
    "fr": r"""
        (?:ai|as|a|avons|avez|ont|avait|avais|suis|sommes|est|sont|ai-je|as-tu|avons-nous|a-t-\w+) (?:\w+ )?
        (?:\w+[eiu]e?s?|fait|dit|ecrit|pris|mis|offert|ouvert)|passe|prevu\w*|vais|allons|va""",
    "es": r"""
        paso|ocurrio|fui|fue|fuimos|hice|hizo|hicimos|voy a|vamos a|va a|plan\w*
        |\w{3,}(?:aste|iste|aron|ieron|amos|imos)|compre|conoci|visite|viaje|empece|empezo|compro|visito""",
    "pt": r"""
        aconteceu|fui|foi|fomos|fiz|fez|fizemos|vou|vai|vamos|plan\w*|\w{3,}(?:ei|ou|aram|eram|iram|amos|emos)
        |conheci|vi|comeceu""",
}
_FACT = {
    "en": r"is|are|am|what'?s|who'?s|where'?s|does|do|has|have|lives?|works?|owns?|uses?|called|names?",
    "de": r"ist|sind|bin|hei(?:ss|ß)\w*|hat|habe|haben|wohn\w+|arbeit\w+|leb\w+|kostet|benutz\w+|verwend\w+",
    "fr": r"est|sont|suis|ai|as|a|habit\w+|viv\w+|vis|travaill\w+|appelle\w*|s'appelle|coute|utilis\w+|fait",
    "es": r"es|son|soy|esta|estan|viv\w+|trabaj\w+|llama\w*|tiene\w*|tengo|hay|cuesta|usa\w*|uso",
    "pt": r"e|sao|sou|esta|estao|mor[ao]\w*|viv\w+|trabalh\w+|chama\w*|tem|tenho|custa|usa\w*|uso|fica",
}
_WORDINGS: dict[RecordType, dict[str, str]] = {"profile": _PROFILE, "episodic": _EPISODIC, "fact": _FACT}


@cache
def _wording(type: RecordType, lang: str) -> re.Pattern[str]:
    return any_of(rf"\b(?:{_WORDINGS[type][lang]})(?!\w)")


def expected_types(text: str, lang: str, *, dated: bool) -> tuple[RecordType, ...]:
    """Return the types a folded text asks for. `dated` says that it gives a time or asks for one."""
    found: list[RecordType] = ["profile"] if _wording("profile", lang).search(text) else []
    happened = _wording("episodic", lang).search(text) is not None
    if dated or happened:
        found.append("episodic")
    if not dated and (happened or (not found and _wording("fact", lang).search(text))):
        found.append("fact")
    return tuple(found)
