"""The closed word lists of the distiller: what to drop, what to look for, how to name a kind of work.

English first, with the commonest of Portuguese, Spanish, German, French, Chinese and Japanese: a language that is not
listed loses only the fine tuning, never its words.
"""

import re
from functools import lru_cache

from memlite.text.slug import slug


def _any(alternatives: str) -> re.Pattern[str]:
    """A pattern written over several lines, whose breaks and indents mean nothing."""
    return re.compile("".join(line.strip() for line in alternatives.splitlines()), re.IGNORECASE)


_FILLER = _any(
    r"""
    (?:(?:oh|ah|haha+|lol|wow|woah|whoa|yay|phew|ufa|hmm+|hi|hello|hey|hiya|morning|good (?:morning|evening
    |afternoon|night)
    |thanks?|thank you|thx|ty|cheers|please|pls|sorry|congrat(?:ulation)?s|welcome(?: back)?|bye|take care|see you
    |talk soon|good luck|fingers crossed|no worries|no problem|you're welcome|you are welcome|my pleasure
    |of course|sure
    |certainly|absolutely|definitely|exactly|ok(?:ay)?|k|yes|yep|yeah|yup|no|nope|nah|right|great|perfect|nice|cool
    |awesome|amazing|excellent|good|fine|well|so|and|but|done|got it|makes sense|sounds good|will do|go ahead
    |do it|deal
    |agreed|understood|indeed|love it|brilliant|super|top|good (?:question|point|idea|catch|call|one)
    |great (?:question|point|idea|catch|job|work|news)|that's (?:great|awesome|right|a great (?:question|idea|point))
    |you(?:'re| are)(?: absolutely| totally| completely)? right|my (?:bad|apologies)|i (?:apologi[sz]e|see|understand)
    |long time no (?:talk|see|chat)|take a look(?: at (?:this|it))?|look at this|check (?:this|it) out|keep it up
    |(?:i )?can't wait|i'll keep (?:you|ya) posted|keep me posted|(?:have|stay) (?:fun|safe)|missed you
    |same here|me too
    |(?:your )?(?:kind )?words? means? (?:a lot|so much|the world)(?: to me)?|what's (?:up|new)(?: with you)?
    |how are you
    |how (?:have you been|was it|about you)|anything (?:new|fun)|(?:that|it|this)(?:'s| is| was| sounds?
    | looks?)(?: so| really)?
    (?: great| awesome| amazing| good| nice| cool| gorgeous| lovely| beautiful| wonderful| fantastic| true| fun
    | perfect)
    |(?:hi|hello|hey|thanks|thank you|congrats|wow|dear)[, ]+(?-i:[A-Z][a-z]+)
    |i(?:'m| am)? (?:totally |completely |100% )?agree|lots? (?:of things )?(?:has|have)(?: been)? (?:going on
    |happened)
    |let me know|hope (?:that|this) helps|anything else|i'm here|feel free|fine with me|works for me
    |fair enough|i give in|so much|again|everyone|all|too|then|man|there
    |a lot|very much
    |olá|oi|bom dia|boa (?:tarde|noite)|obrigad[oa]|perfeito|ótimo|certo|combinado|claro|sim|não|beleza|valeu|fechado
    |hola|buenos días|buenas(?: tardes| noches)?|gracias|perfecto|vale|genial|sí|de acuerdo|trato hecho|pura vida
    |hallo|moin|guten (?:morgen|tag|abend)|danke(?: schön)?|bitte|gern(?:e)?|prima|klar|ja|nein|alles klar|genau
    |bonjour|salut|bonsoir|coucou|merci(?: beaucoup)?|parfait|d'accord|oui|non|très bien|avec plaisir
    )[\s,.!?;:…)–—-]*)+
    """
)
_CJK_FILLER = _any(
    r"""
    (?:谢谢|多谢|太好了?|好嘞|好啊|对了|真的|加油|好的|好|嗯+|是的|对|没问题|不客气|你好|您好|哈哈+|行|可以|明白了?|了解|ありがとう(?:ございます)?|はい|うん
    |了解(?:です|〜)?|こんにちは|おはよう(?:ございます)?|すみません|なるほど|いいね|そうだね|おお|えー|すごい|やった|お疲れ様(?:です)?)[\s、，。！？!?,.〜~]*
    """
)


def is_filler(text: str) -> bool:
    """Say whether a clause says nothing."""
    return len(text) < 50 and (_FILLER.fullmatch(text) or _CJK_FILLER.fullmatch(text)) is not None


OPENER = _any(
    r"""
    (?:ok(?:ay)?|yes|yeah|yep|yup|well|so|oh|ah|woah|whoa|yay|congrats|congratulations|hi|hello|hey|hmm+|right
    |great|perfect|nice|cool|awesome|wow|sure
    |thanks?(?: (?:you|so much|a lot|again))*|good|excellent|exactly|absolutely|certainly|of course|haha+|lol|anyway
    |also|now|then|actually|basically|please|pls|alright|got it|makes sense|sounds good|morning
    |good (?:morning|evening|afternoon)|(?:good|great) (?:question|point|idea|catch|call)|by the way|btw|in that case
    |as (?:you|i) said|in short
    |it turns out|to be honest|as far as i (?:know|can see)|you(?:'re| are)(?: absolutely)? right
    |olá|oi|bom dia|boa (?:tarde|noite)|sim|certo|então|ótimo|hola|buenas|vale|sí|hallo|moin|ja|genau|bonjour
    |salut|oui
    |alors|d'accord)(?:[,.!:;…–—]+\s+|\s+[,–—-]\s+)
    |(?:hi|hello|hey|dear|thanks|thank you|congrats|olá|oi|hola|hallo|liebe[rs]?|bonjour|salut|good (?:morning
    |evening|afternoon))
    ,?\s(?-i:[A-Z][\w-]+)[,.!:;–—-]+\s+
    |(?:ok(?:ay)?|so|well|oh|and|but|then|also|now|please|pls|yeah|yes|hmm+|just|actually|basically|anyway)\s+(?!that\b)
    |(?:(?:can|could|would|will) you(?: please| just| also| maybe)*|i(?:'d| would) like (?:you )?to|i want you to
    |i need you to|let's|help me(?: to)?)\s+
    """
)
"""What may be cut from the front of a clause, again and again. Not a `no`: it may be the whole answer."""

THROAT_CLEARING = _any(
    r"""
    (?:now |first,? |next,? |perfect[!.]? |great[!.]? |good[!.]? |excellent[!.]? )*
    (?:let me|let's|let us|i'll|i will|i'm going to|i need to|we need to)
    (?: (?:now|first|also|just|try to|go ahead and|start by|quickly))*\s
    (?:check|look|see|help|examine|explore|start|begin|take|read|search|find|analy[sz]e|review|verify|think|get
    |continue
    |proceed|understand|run|try|investigate|update|fix|create|add|commit|show|implement|write|do|test)\b
    |would you like|do you want me|is there anything|let me know|feel free|hope (?:this|that) helps|happy to help
    |here(?:'s| is| are) (?:the|a|an|what|how|my|your|some)\b.{0,60}:?$|if you(?:'d like| have any| want| need)
    |shall i
    |should i (?:go|proceed|continue)|what would you like|(?:is|was) there (?:anything|something) (?:else|specific)
    |thank you|i apologi[sz]e|you(?:'re| are)(?: absolutely| totally| completely)? right
    |i(?:'m| am) (?:so |really |very )?(?:glad|happy|sorry|proud|excited)(?: (?:to hear|for you|you))?[^,;:]{0,25}$
    |(?:claro|com certeza)[!,]\s|posso ajudar|quer que eu|queres que|espero que ajude|avisa-me|me avis[ae]|quieres que
    |avísame|espero que|soll ich|sag bescheid|voulez-vous|veux-tu que|dites-moi|n'hésite
    |需要我|要我|还有什么|希望|お役に立て|しましょうか|教えてください
    """
)
"""How an assistant's sentence begins that only announces, offers or thanks. (A person's `let's` is a request.)"""

_CUES = {
    "decision": _any(
        r"""
        (?:decid|cho[os]s|agree|instead|rather|prefer|settle|switch|keep|stay|must|never|always|only$|not$|rule|should
        |don't|won't|default|limit|cap$|schedul|book(?:ed|ing)$|postpon|cancel|approv|reject|plan|use[sd]?$
        |escolh|usar|fica|nunca|sempre|só$|elegi|siempre|solo$|mejor|melhor|entschied|nehm|lieber|immer$|nie$
        |nur$|bleibt
        |statt$|plutôt|jamais|toujours|choisi|gard|seulement
        |决定|改成|改为|不要|必须|换成|にす|にし|決め|だけ|必ず|やめ)
        """
    ),
    "result": _any(
        r"""
        (?:fixed|done|added|created|removed|deleted|updated|renamed|moved|replaced|implement|refactor|wrote
        |written|merged
        |deployed|released|committed|pass(?:ed|ing)|fail|green|work(?:s|ing|ed)$|found|changed|set$|sent$
        |finish|started
        |bought|got$|went$|won$|lost$|broke|now$|results?$|total$|measured|ran$|tested|installed|configured
        |generated|signed
        |costs?$|takes?$|took$|made$|met$
        |feit[oa]|criad|adicionad|corrigid|mud|paguei|comprei|hech[oa]|cread|añad|arreglad|cambi|erledigt
        |gemacht|gebaut
        |geändert|eingetragen|gekauft|fait|ajouté|corrigé|changé|acheté
        |完成|修复|修好|添加|改了|通过|失败|した|でき|直し)
        """
    ),
    "cause": _any(
        r"""
        (?:because|since$|cause|due$|reason|root$|therefore|otherwise|problem|issue|bug$|error|exception|wrong
        |missing|leak
        |crash|timeout|conflict|means$|solution|porque|debido|weil$|wegen|deshalb|sonst|fehler|damit|car$|donc$
        |sinon|erreur
        |因为|所以|原因|错误|由于|ため|から|ので|エラー)
        """
    ),
    "hedge": _any(
        r"(?:maybe|perhaps|probably|might|could|possibly|generally|typically|usually|talvez|quizás?|vielleicht|peut)$"
    ),
}
_CUES["chat"] = _any(r"(?:lol|lmao|haha+|rofl|kkk+|rsrs+|jaja+|mdr|xd|ｗｗ+|哈哈)$")
_CUES["turn"] = _any(
    r"""
    (?:decid|decision|conclu|advice|recommend|drop|use|keep|go$|going|went|settled|agreed|switch|replac|cause
    |culprit|reason
    |bug$|fix|problem|issue|turn|move|chose|stay|from$|instead|longer|resolv|fim$|final|result|nehmen|entschied
    |stattdessen
    |lag$|garde|lieu|[^\x00-\x7f])
    """
)
_FIRST_PERSON = _any(
    r"""
    (?:i|i'm|i've|i'd|i'll|my|we|our|we're|we've|me|eu|meu|minha|nós|nosso|yo|mi|mis|ich|mein\w*|wir|unser\w*|je|j'ai
    |mon|ma|mes|nous|notre|我们?|私.?|僕.?|俺.?)$
    """
)


_SECOND_PERSON = _any(r"(?:you|your|yours|you're|you've|you'll|you'd|y'all|ya)$")

_CONCLUSION = _any(
    r"""
    \b(?:decided|decision|conclusion|my (?:advice|recommendation) (?:has changed|is)|i(?:'d| would) (?:drop
    |go with|recommend)
    |(?:we|i)(?:'ll| will| now) (?:use|keep|go with|stay with|drop)|(?:going|went|go) with|settled on|agreed (?:on|to)
    |switch(?:ed|ing)? (?:to|from)|replaced? .{1,40} (?:with|by)|(?:root |real |actual )?cause (?:was|is)\b|root cause
    |the (?:culprit|reason|bug|fix|problem|issue) (?:was|is)|cause:|fixed by|turns? out|turned out|so (?:we|i
    |it) (?:now )?
    (?:drop|use|keep|move|chose|stay)\w*|from [\w.-]+(?: \w+)? to [\w.-]*\d|instead of|no longer
    |decidi(?:mos|do|r)|resolvemos|no fim|decid(?:ido|imos)|al final|resultó|wir nehmen|entschieden|stattdessen|lag an
    |on garde|finalement|au lieu)\b|(?:决定|改成|改为|换成|根本原因|原因是|結局|に決め|に変更|原因は)
    """
)


def concludes(text: str) -> bool:
    """Say whether a sentence says how it ended: what was decided, what the cause was, what became what.

    Only one with the cue `turn` can, and four sentences in five need no search.
    """
    return _CONCLUSION.search(text) is not None


AGREEING = _any(r"(?:exactly|same here|me too|true|yeah|yep|yup|ikr)\b(?!,)")
"""How a sentence begins that only agrees."""


@lru_cache(maxsize=16384)
def is_second_person(word: str) -> bool:
    """Say whether a word is for the one spoken to."""
    return _SECOND_PERSON.match(word) is not None


@lru_cache(maxsize=16384)
def cues(word: str) -> tuple[str, ...]:
    """What a word in a clause is a sign of."""
    return tuple(cue for cue, pattern in _CUES.items() if pattern.match(word))


@lru_cache(maxsize=16384)
def is_first_person(word: str) -> bool:
    """Say whether a word is a speaker's for himself."""
    return _FIRST_PERSON.match(word) is not None


TAILS = frozenset("lol lmao haha hahaha yep yup yeah btw pls please thx thanks :d".split())
"""What may be cut from the back of a clause, behind a mark."""

LOOSE_ENDS = frozenset(
    """
    and but or so because with the a an to of for that which i've we've it's pls please e y
    und et mas pero aber mais
    weil que
    """.split()
)
"""What a cut leaves hanging at the end of a clause."""
MID_PHRASE = LOOSE_ENDS | frozenset("on in at by from my your his her their our is are was were".split())
"""Where a span taken out of a sentence must not end; a whole sentence may (`the fix is in`)."""

QUESTION = re.compile(r"[?？]\s*[\"'”’)*_\U0001f000-\U0001faff]*\s*$")

_SECRET = _any(
    r"""
    \b(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abpr]|hf|npm|ya29)[-_.][\w-]{8,}|\bA(?:KIA|SIA)[A-Z0-9]{12,}
    |\beyJ[\w-]{8,}\.[\w-]{6,}|\bAIza[\w-]{20,}|-----BEGIN [A-Z ]*PRIVATE KEY|://[^\s/:@]+:[^\s/@]+@
    |(?:password|passwd|passwort|passphrase|secret|token|api[_-]?key|access[_-]?key|senha|contraseña|mot de passe
    |pwd|pin|cvv|iban)\b[\"']?\s*(?:is|ist|é|es|est|[:=]|:=|=>)\s*[\"']?\S{3,}|密码(?:是|[:：])\s*\S+|パスワードは\s*\S+
    """
)
_SECRET_HINTS = (
    *"""
    sk- sk_ pk- pk_ rk- rk_ sk. pk. rk. ghp gho ghs github_pat glpat xox hf_ hf- hf. npm_ npm- npm. akia asia
    eyj aiza ya29
    :// passw passphrase secret token apikey api_key api-key accesskey access_key access-key senha contraseña
    pwd cvv iban
    密码 パスワード
    """.split(),
    "private key", "mot de passe",
    "pin ", "pin:", "pin=", "pin\n", "pin\t", 'pin"', "pin'",
)  # fmt: skip


def shows_secret(text: str) -> bool:
    """Say whether a text shows a credential: it is never the detail of an object, and never in its core.

    The hints cost a twentieth of the pattern, and most texts have none.
    """
    lowered = text.lower()
    return any(hint in lowered for hint in _SECRET_HINTS) and _SECRET.search(text) is not None


_WORKFLOWS = {
    "deployment": "deploy rollout rollback",
    "release": "releas changelog",
    "code-review": "code-review pull-request review-pr pr$",
    "debugging": "debug traceback stack-trace root-cause segfault",
    "migration": "migrat backfill migrac migrier",
    "testing": "pytest jest$ rspec unit-test test-suite test-fail test-pass test-coverage write-test",
    "refactoring": "refactor",
    "documentation": "docstring documentation readme",
    "git-commit": "git-commit git-add git-push git-rebase git-merge git-stash commit$ committ",
    "installation": "pip-install npm-install brew-install apt-install cargo-add uv-add npm-add yarn-add installation",
    "ci-pipeline": "github-action gitlab-ci ci$",
    "performance-tuning": "profiler benchmark optimiz optimis",
    "planning": "roadmap sprint milestone backlog kickoff",
    "trip-planning": "itinerar flight hotel hostel airbnb",
    "proofreading": "proofread rephras cover-letter",
    "translation": "translat ubersetz traduz traduc 翻译 翻訳",
}
"""Kinds of work by how a word begins (`$`: all of it), or by that and how the next one begins."""
WORKFLOW_KEYS = frozenset(_WORKFLOWS)
_SIGNS = [(*sign.partition("-")[::2], key) for key, signs in _WORKFLOWS.items() for sign in signs.split()]
_FIRSTS = tuple({first for first, _, _ in _SIGNS})


def workflow(word: str, following: str) -> str:
    """The kind of work that a word, or it with the one after it, speaks of, or ""."""
    return next((key for rest, key in _workflow_signs(word) if slug(following).startswith(rest)), "")


@lru_cache(maxsize=16384)
def starts_workflow(word: str) -> bool:
    """Say whether a word may speak of a kind of work: nearly none does."""
    return bool(_workflow_signs(word))


@lru_cache(maxsize=16384)
def _workflow_signs(word: str) -> tuple[tuple[str, str], ...]:
    """What must follow a word for which kind of work; nothing for most words."""
    whole = slug(word) + "$"
    if not whole.startswith(_FIRSTS):
        return ()
    return tuple((rest, key) for first, rest, key in _SIGNS if whole.startswith(first))
