"""A second, simpler and stricter look at an object: what of it stands nowhere in its exchange.

It shares no code with the gate (`memlite/distill/grounding.py` and `memlite/grounding/`): a mistake made
there is not made here too. Everything is looked for in the plain text of the turns and the speakers' names.
"""

import re

from memlite.text.words import FUNCTION_WORDS

GLUE = frozenset().union(*FUNCTION_WORDS.values())
OPENERS = frozenset(
    """
    add added always another answer any ask asked asks avoid back better both bring build built buy call cause change
    changed check choose chose choice clean close closed compare copy correct create created cut date deadline decided
    decision drop dropped each either end every except explain explained explains feature few filter find first five fix
    fixed follow found four full gap give goal good half help idea implement implemented improve install instead
    invitation keep kept last later learn leave list look made main make merge most move moved name names need needs
    never new next none note nothing number old once one open option order other pay pick plan planned play possible
    prefer problem proposal propose proposed proposes put question raise ran read reason recommendation recommended
    reduce remove removed rename repeat replace replaced report request result results return reuse review rule run same
    save says see sell send sent set share show shows since single six skip start stay step stop still suggested
    suggestion suggests summary switch switched take ten test tested tests three time total translate translation try
    turn two update updated use used uses verified wait want wanted wants warning whether work works write writes
    written wrote
    """.split()
)
AROUND = " .,;:!?…()[]{}<>\"'`“”‘’„«»|=+-–—~#@$€£%&*/"
SHAPE = re.compile(r"[a-z][A-Z]|_|[^\W\d]\.\w|[^\W\d]/\w|\w\\\w")


def ungrounded(made, exchange):
    """Return what an object says that its exchange does not, each with the field it stands in; nothing is best."""
    turns = [turn.content for turn in exchange.turns]
    text = "\n".join([*turns, *(turn.speaker for turn in exchange.turns)])
    found = [f"core: {fault}" for fault in not_said(made.exchange_core, text)]
    detail = folded(made.specific_context)
    if detail and not any(detail in folded(turn) for turn in turns):
        found.append(f"context: {detail}")
    keys = [room.key for room in made.rooms]
    shaped = all(re.fullmatch(r"[^\W_A-Z]+(-[^\W_A-Z]+)*", key) for key in keys)
    if len(keys) > 3 or len(set(keys)) < len(keys) or not shaped:
        found.append(f"rooms: {keys}")
    for room in made.rooms:
        if room.type != "workflow":
            # Labels are often set in capitals: each word may open one.
            found += [f"room: {fault}" for fault in not_said(room.label.replace(" ", ". "), text)]
    return found


def not_said(said, text):
    """Every number, shaped token and name of a text that is not in the other as a whole."""
    missing = [number for number in re.findall(r"\d+", said) if not re.search(rf"(?<!\d){number}(?!\d)", text)]
    plain = unmarked(text)
    lowered = text.casefold()
    for chunk in re.split(r"[\s;,(){}\[\]<>\"“”=|\u3000-\u9fff\uff00-\uffef]+", said):
        token = re.sub(r":\d+([:-]\d+)?$", "", chunk.strip(AROUND))
        token = re.sub(r"['’]s$", "", token)
        if SHAPE.search(token) and not (stands(token, text) or stands(unmarked(token), plain)):
            missing.append(token)
    for match in re.finditer(r"(?<![\w./\\-])[^\W\d_\u3000-\u9fff]{2,}(?![^\W\u3000-\u9fff]|[/\\]|\.\w)", said):
        word = match[0]
        if not word[0].isupper() or stands(word, text) or word.casefold() in GLUE | OPENERS:
            continue
        opens = re.search(r"(?:^|[.!?:;…。！？\n–—-])[\s\"'“„«*(`]*$", said[: match.start()])
        if not opens or word[: max(3, len(word) - 4)].casefold() not in lowered:
            missing.append(word)
    return missing


def stands(token, text):
    """Say whether a token stands in a text whole, in any case."""
    token, text = token.casefold(), text.casefold()
    at = text.find(token)
    while at >= 0:
        if not letter(text[max(0, at - 1) : at]) and not letter(text[at + len(token) : at + len(token) + 1]):
            return True
        at = text.find(token, at + 1)
    return False


def letter(sign):
    """Say whether a sign goes on with a word; those of scripts without spaces end a word of another script."""
    return sign.isalnum() and not "\u3000" <= sign <= "\u9fff" and not "\uac00" <= sign <= "\ud7af"


def unmarked(text):
    """A text without marks of bold, italics and code, and without emoji."""
    return " ".join(re.sub(r"[*`_]|[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d]", "", text).split())


def folded(text):
    return " ".join(text.split())
