"""What people say around what they tell: greetings, thanks, lead-ins, who speaks, and what must not be copied.

English first, with the commonest of Portuguese, Spanish, German, French, Chinese and Japanese: a language that is not
listed loses only the fine tuning, never its words.
"""

import re
from functools import lru_cache

from memlite.text.talk import calls

_EDGE = ' ,;:–—-"'
_ENDED = ".!?…:。！？："
"""After one of these the last word was meant to be the last."""


def any_of(alternatives: str) -> re.Pattern[str]:
    """Return a pattern written over several lines, whose breaks and indents mean nothing."""
    return re.compile("".join(line.strip() for line in alternatives.splitlines()), re.IGNORECASE)


_FILLER = any_of(
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
_CJK_FILLER = any_of(
    r"""
    (?:谢谢|多谢|太好了?|好嘞|好啊|对了|真的|加油|好的|好|嗯+|是的|对|没问题|不客气|你好|您好|哈哈+|行|可以|明白了?|了解|ありがとう(?:ございます)?|はい|うん
    |了解(?:です|〜)?|こんにちは|おはよう(?:ございます)?|すみません|なるほど|いいね|そうだね|おお|えー|すごい|やった|お疲れ様(?:です)?)[\s、，。！？!?,.〜~]*
    """
)


def is_filler(text: str) -> bool:
    """Say whether a clause says nothing."""
    return len(text) < 50 and (_FILLER.fullmatch(text) or _CJK_FILLER.fullmatch(text)) is not None


OPENER = any_of(
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

THROAT_CLEARING = any_of(
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

AGREEING = any_of(r"(?:exactly|same here|me too|true|yeah|yep|yup|ikr)\b(?!,)")
"""How a sentence begins that only agrees."""


_FIRST_PERSON = any_of(
    r"""
    (?:i|i'm|i've|i'd|i'll|my|we|our|we're|we've|me|eu|meu|minha|nós|nosso|yo|mi|mis|ich|mein\w*|wir|unser\w*|je|j'ai
    |mon|ma|mes|nous|notre|我们?|私.?|僕.?|俺.?)$
    """
)


_SECOND_PERSON = any_of(r"(?:you|your|yours|you're|you've|you'll|you'd|y'all|ya)$")


@lru_cache(maxsize=16384)
def is_first_person(word: str) -> bool:
    """Say whether a word is a speaker's for himself."""
    return _FIRST_PERSON.match(word) is not None


@lru_cache(maxsize=16384)
def is_second_person(word: str) -> bool:
    """Say whether a word is for the one spoken to."""
    return _SECOND_PERSON.match(word) is not None


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
QUESTION = re.compile(r"[?？]\s*[\"'”’)*_\U0001f000-\U0001faff]*\s*$")

_SECRET = any_of(
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


def trimmed(text: str, called: tuple[str, ...] = ()) -> str:
    """A clause without greeting, filler, lead-in and the names it calls; "" when nothing else was there."""
    if is_filler(text):
        return ""
    text = _opened(text)
    if call := calls(called):
        while (bare := _opened(call.sub("", text))) != text:
            text = bare
    if is_filler(text):
        return ""
    ended = text.rstrip()[-1:] in _ENDED
    text = text.strip(_EDGE)
    while len(head := text.rpartition(" ")) == 3 and head[0] and _hangs(head[0], head[2], ended=ended):
        ended = ended or head[2].casefold().rstrip("!.") in TAILS
        text = head[0].rstrip(_EDGE)
    return text


def _opened(text: str) -> str:
    """A clause without its lead-in."""
    while (opener := OPENER.match(text)) and opener.end() < len(text):
        text = text[opener.end() :]
    return text


def _hangs(before: str, last: str, *, ended: bool) -> bool:
    """Say whether the last word of a clause was left hanging by a cut, or only keeps the talk going."""
    word = last.casefold().rstrip("!.")
    return (not ended and word in LOOSE_ENDS) or (before[-1] in ",." and word in TAILS)
