"""The words by which people say that something is so, is so no longer, or is now otherwise, in several languages.

English first, with German, French, Spanish, Portuguese, Chinese and Japanese. All are looked for in every record, whose
language is not stored: hardly any of these phrases means something else in another language.
"""

import re
from collections.abc import Mapping


def _words(*alternatives: str) -> re.Pattern[str]:
    """Return a pattern of whole words, written over several lines whose breaks and indents mean nothing."""
    lines = ("".join(line.strip() for line in part.splitlines()) for part in alternatives)
    return re.compile(rf"(?<!\w)(?:{'|'.join(lines)})(?!\w)", re.IGNORECASE)


ENDED = re.compile(
    _words(
        r"""no longer|not any ?more|stopped|quit|gave up|has given up|dropped|got rid of|used to|ceased|abandoned
        |cancell?ed|removed|uninstalled|sold|broke up with|is over|deprecated""",
        r"nicht (?:mehr|länger)|kein\w* \w+ mehr|aufgehört|aufgegeben|abgeschafft|war früher",
        r"ne \w+ plus|n['’]\w+ plus|arrêté d[e']|cessé d[e']|a abandonné",
        r"ya no|dejó de|dejé de|ha dejado de|dejaron de",
        r"já não|não \w+ mais|deixou de|deixei de|parou de|parei de",
    ).pattern
    + r"|\b(?:not|n['’]t)\b[^.;]*\bany ?more\b|不再|已经不|もう\w*ない|やめ(?:た|ました)",
    re.IGNORECASE,
)
"""What is told held, and does not."""
NEGATED = _words(
    r"not|never|cannot|\w+n['’]t|no",
    r"nicht|nie|keine?[nmrs]?",
    r"pas|jamais",
    r"nunca|jamás",
    r"não|jamais",
)
CHANGED = re.compile(
    _words(
        r"""now|actually|currently|instead(?: of)?|these days|nowadays|as of|from now on|moved|switched|changed|migrated
        |upgraded|downgraded|bumped|raised|lowered|increased|reduced|replaced|renamed|rescheduled|postponed|updated
        |corrected|turns out|anymore|since then|rather than|promoted|converted|went from""",
        r"""jetzt|inzwischen|mittlerweile|neuerdings|stattdessen|statt|anstatt|eigentlich|gewechselt|umgestellt|umgezogen
        |geändert|erhöht|gesenkt|ersetzt|verschoben|nun""",
        r"""maintenant|désormais|plutôt|à la place|au lieu de|en fait|changé|passée?s?|remplacée?|déménagé|augmentée?
        |réduite?|reportée?""",
        r"""ahora|actualmente|en lugar de|en vez de|en realidad|cambió|cambiado|cambiamos|cambié|pasó|pasamos|migramos
        |subió|subimos|bajó|bajamos|mudó|reemplazó|reemplazado""",
        r"""agora|atualmente|em vez de|na verdade|mudou|mudamos|mudei|passou|passamos|trocou|trocamos|troquei|migramos
        |aumentou|aumentamos|reduziu|reduzimos|substituiu""",
    ).pattern
    + r"|现在|改(?:成|为|用|到)|换(?:成|到|了)|搬到|其实|今は|現在|変(?:え|わ)|切り替え|引っ越し",
    re.IGNORECASE,
)
"""What is told is news against something said before."""
PLANNED = re.compile(
    _words(
        r"""will|won['’]t|plans?|planning|planned|going to|wants?|wanted|would|might|(?-i:may)|could|should
        |considering|considers|considered|thinking (?:of|about)|hopes?|hoping|wish(?:es)?|if|whether|evaluat\w+|debating
        |trying|maybe|perhaps
        |dreams? of|intends?|recommend\w*|suggest\w*|asked|asks|offered|tomorrow|next (?:week|month|year)""",
        r"will|wird|werde|würde|möchte|plant|planen|überlegt|vielleicht|könnte|sollte|falls|hofft|vor ?hat",
        r"veut|voudrait|va (?=\w+(?:er|ir|re)\b)|prévoit|pense à|peut-être|pourrait|devrait|si|espère|envisage",
        r"quiere|quisiera|va a|planea|piensa|quizás?|tal vez|podría|debería|si|espera",
        r"quer|queria|vai|pretende|planeja|pensa em|talvez|poderia|deveria|espera",
    ).pattern
    + r"|打算|计划|想要|可能|如果|つもり|予定|たい(?:です|と)|かもしれ",
    re.IGNORECASE,
)
"""What is told is not so, or not yet."""
PAST = _words(
    r"""used to|previously|formerly|earlier|in the past|back then|at (?:the|that) time|before that|originally|once|lived
    |years ago|as a (?:child|kid|student|teenager)|grew up|ex-\w+|former|until|was|were|had been|worked""",
    r"früher|damals|einst|ehemals|ursprünglich|wohnte|arbeitete|war|bis",
    r"autrefois|avant|à l['’]époque|auparavant|habitait|travaillait|vivait|était",
    r"antes|antiguamente|en aquel entonces|vivía|trabajaba|era|estaba|solía",
    r"antigamente|naquela época|morava|trabalhava|vivia|costumava|estava",
)
"""What is told was so at a time that is over."""
FILLER = frozenset(
    """
    now currently actually just recently finally still already also really officially again today lately instead
    anymore even only exactly about around roughly approximately always usually
    jetzt inzwischen mittlerweile derzeit noch schon eigentlich gerade nun aktuell maintenant actuellement désormais
    toujours encore ahora actualmente todavía aún ya agora atualmente ainda já
    """.split()
)
"""Adverbs that make no other claim of one."""

_STOP = (
    r"(?=\s+(?:and|but|with|since|because|for|from|until|after|before|when|where|which|who|while|during|instead|rather"
    r"|these|now|anymore|again|as of|so|to be|to work|last|this|in \d{4}|in (?:the )?(?:week|spring|summer|autumn|fall"
    r"|winter)|in (?:January|February|March|April|May|June|July|August|September|October|November|December)|on \d"
    r"|on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
    r"|und|aber|mit|seit|weil|wegen|statt|et|mais|avec|depuis|parce|pour|y|pero|con|desde|porque|para|e|mas|com|por)"
    r"\b|[,.;:!?()，。；！？]|$)"
)
_VALUE = rf"(?P<value>\S(?:[^,;:!?()，。；！？])*?)\.?{_STOP}"

ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "home": (
        r"(?:lives?|living|resid(?:es?|ing)|is based|are based|based|settled(?: down)?|stays|rents?(?: a| an)?"
        r" (?:\w+ ){0,2}(?:flat|apartment|house|room|studio))(?: (?:now|currently|again))? (?:in|at|near)",
        r"(?:moved|relocated|emigrated|moves|relocates)(?: (?:back|away|permanently|over|house|home))?"
        r"(?: from [\w' -]+?)? (?:to|into|in)",
        r"(?:wohnt|lebt|wohne|lebe)(?: (?:jetzt|nun|inzwischen|derzeit|seit \S+(?: \S+)?))? in",
        r"(?:ist|bin|sind)(?: (?:von \S+|im \S+(?: \d{4})?|\w+))?? nach(?= [\w -]+ (?:um)?gezogen)|zog nach|zieht nach",
        r"(?:habite|vit|vis|réside)(?: (?:maintenant|désormais|actuellement))? (?:à|au|en|aux)",
        r"(?:(?:a|ai) déménagé|s['’]est installée?|(?:a|ai) emménagé)(?: de \w+)? (?:à|au|en|aux|pour)",
        r"(?:vive|vivo|reside)(?: (?:ahora|actualmente))? en",
        r"(?:se (?:ha )?mud(?:ó|ado)|me mudé|se trasladó)(?: de \w+)? (?:al?|para)",
        r"(?:mora|moro|vive|reside)(?: (?:agora|atualmente))? (?:em|no|na)",
        r"(?:(?:se )?mudou(?:-se)?|mudei(?:-me)?)(?: de \w+)? (?:para(?: [oa])?|pra)",
        r"(?:现在)?住在|搬(?:到|去)了?|に(?=住ん)",
    ),
    "employer": (
        r"(?:works?|working|is employed)(?: (?:now|currently|remotely|full[- ]time|part[- ]time))?"
        r"(?: as an? [\w -]+?)? (?:at|for)",
        r"(?:joined|started (?:working )?at|(?:has|got|took|accepted|started) (?:a )?(?:new )?(?:job|position|role)"
        r"(?: as an? [\w -]+?)? (?:at|with))",
        r"arbeitet(?: (?:jetzt|nun|inzwischen|als \w+))? (?:bei|für)",
        r"travaille(?: (?:maintenant|désormais|comme \w+))? (?:chez|pour)",
        r"trabaja(?: (?:ahora|actualmente|como \w+))? (?:en|para)",
        r"trabalha(?: (?:agora|atualmente|como \w+))? (?:na|no|em|para)",
        r"(?:现在)?在(?=\S+工作)",
    ),
    "role": (
        r"(?:works?|working)(?: (?:now|currently))? as (?:an?|the)",
        r"(?:was|got|has been|is) promoted to|became (?:an?|the)",
        r"arbeitet (?:jetzt )?als|travaille (?:maintenant )?comme|trabaja (?:ahora )?(?:como|de)"
        r"|trabalha (?:agora )?como",
    ),
    "age": (
        r"is(?: now)?(?= \S+ years?[ -]old)|turned|turns(?= \d)",
        r"ist(?: jetzt)?(?= \d+ Jahre)|tiene(?= \d+ años)|a(?= \d+ ans)|tem(?= \d+ anos)",
    ),
}
"""What somebody has one of at a time, by the phrases that stand before it."""
PATTERNS = {
    name: re.compile(rf"(?P<before>.*?)(?<!\w)(?:{'|'.join(phrases)})\s?{_VALUE}", re.IGNORECASE)
    for name, phrases in ATTRIBUTES.items()
}

_V = (
    r"(?P<value>\S(?:[^,;!?()，。；！？])*?)\.?"
    r"(?=\s+(?:and|but|since|because|until|after|before|when|which|while|so"
    r"|und|weil|et|parce|y|porque|e)\b|[,;!?()，。；！？]|$)"
)
SETTINGS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        # Changed by somebody, from something or not.
        r".*?(?<!\w)(?:changed|set|bumped|raised|lowered|increased|reduced|moved|upgraded|downgraded|switched|updated"
        r"|renamed|migrated|pushed|postponed|rescheduled|shifted|cut|extended|shortened|doubled|halved|converted)"
        rf"(?: back| up| down)? (?P<name>.+?)(?: from (?P<from>.+?))? (?:to|at) {_V}",
        rf".*?(?<!\w)replaced (?P<name>)(?P<from>.+?) (?:with|by) {_V}",
        # Was changed.
        r"(?P<name>.+?) (?:was|were|is|are|has been|have been|got)? ?(?:now )?(?:changed|set|bumped|raised|lowered"
        r"|increased|reduced|moved|upgraded|switched|updated|renamed|migrated|pushed|postponed|rescheduled|shifted|cut"
        r"|extended|shortened|went|goes|rose|fell|dropped|grew)(?: back| up| down)?(?: from (?P<from>.+?))?"
        rf" (?:to|at) {_V}",
        r"(?P<name>.+?) (?:wurde|wird|ist)(?: (?:jetzt|nun))?(?: von (?P<from>.+?))? auf"
        r" (?P<value>.+?) (?:erhöht|gesenkt|gesetzt|geändert|verschoben|umgestellt|verkürzt|verlängert)",
        rf"(?P<name>.+?) (?:est passée?|a été changée?|passe)(?: de (?P<from>.+?))? à {_V}",
        rf"(?P<name>.+?) (?:pasó|cambió|subió|bajó|se cambió|pasa|ha pasado)(?: de (?P<from>.+?))? (?:al?|para) {_V}",
        rf"(?P<name>.+?) (?:passou|mudou|subiu|caiu|foi alterad[oa])(?: de (?P<from>.+?))? (?:para|a) {_V}",
        # Is.
        rf"(?P<name>(?:(?! is | are ).)+?) (?:is|are|equals|costs?|weighs?|measures?|remains?|stays? at"
        r"|(?:runs|starts|begins|opens|closes|happens|takes place)(?: at| on| every)"
        r"|runs on|listens on)"
        rf"(?: now| currently| actually| still)?(?: set to| at| on)? {_V}",
        rf"(?P<name>(?:(?! ist ).)+?) (?:ist|sind|beträgt|liegt bei|kostet|läuft auf|heißt)"
        rf"(?: jetzt| nun| inzwischen)? {_V}",
        rf"(?P<name>(?:(?! est ).)+?) (?:est|sont|coûte|s['’]appelle)(?: maintenant| désormais)?(?: de)? {_V}",
        rf"(?P<name>(?:(?! es ).)+?) (?:es|son|está en|cuesta|se llama)(?: ahora)?(?: de)? {_V}",
        rf"(?P<name>(?:(?! é ).)+?) (?:é|são|está em|custa|se chama)(?: agora)?(?: de)? {_V}",
        r"(?P<name>\S+?)(?:现在)?(?:是|改为|改成|为)(?P<value>[^，。；]+)",
        r"(?P<name>\S+?)は(?:今|現在)?(?P<value>[^、。]+?)(?:です|になった|になりました|だ)?[。]?$",
    )
)
"""A named thing and the value it has, or had before."""
DISPLACED = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?:instead of|rather than|in place of|replacing|(?:moved|switched|migrated|changed|went|converted|upgraded"
        r"|away|over|back) from|replaced|replaces|ditched|dropped in favou?r of|left)"
        r" (?P<value>.+?)(?= (?:to|with|by|for|in|on|and|because|as|at|since|after|last|this)\b|[,.;!?()]|$)",
        r"(?:statt|anstatt|anstelle von|von)"
        r" (?P<value>[\w.-]+)(?= (?:auf|zu|nach|umgestiegen|gewechselt|umgestellt)\b|[,.;!?()]|$)",
        r"(?:au lieu d[e']|à la place d[e']|plutôt que|passée?s? d[e']|remplacé) ?(?P<value>[\w.-]+)",
        r"(?:en lugar de|en vez de|cambi\w+ de|pas\w+ de|migr\w+ de|reemplaz\w+) (?P<value>[\w.-]+)",
        r"(?:em vez de|no lugar de|troc\w+(?: [oa])?|mud\w+ de|pass\w+ de|migr\w+ de|substitu\w+) (?P<value>[\w.-]+)",
        r"从(?P<value>[\w.-]+?)(?:换|改|搬|迁)|(?P<value2>[\w.-]+?)から",
    )
)
"""What gave way, named by the claim that tells what took its place."""
