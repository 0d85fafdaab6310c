"""Whether the exchange bears out a text word by word.

Words fall into three classes. What is more than a word (a number, a version, a path, an identifier) must have been
said whole, as written. A capitalised word is a name until it is known for something else, and a name must have been
said; its case may differ only where the word in lower case is no ordinary one: `redis` may become `Redis`, `may` never
`May`. All other words are counted: glue of the exchange's own language is free, and of the rest only a small share may
be new, in whatever inflection they come.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from memlite.grounding.said import CHUNK, NUMBER, WORD, Said, chunks_of, fold, joined
from memlite.text.words import CJK, FUNCTION_WORDS, rarity, words

MAX_UNSAID = 0.2
"""The share of a core's words that nobody said: verbs that report, words that resolve a pronoun."""
MAX_TOGETHER = 2
"""How many of them may follow each other: three are a clause of the writer's own. (3 of 550 gold cores have three.)"""

_EXACT = re.compile(r"\d|_|\w[./\\@:]\w|[a-z][A-Z]|[A-Z]{2}[a-z]|^[/~]\w|\\")
"""What makes a chunk more than a word: a digit, an underscore, a capital, dot or slash inside."""
_DIGIT = re.compile(r"\d")
_QUANTITY = re.compile(r"(\d+(?:[.,]\d+)*)([a-zA-Zµ°]{1,4})")
_LINE = re.compile(r"(?<=\w):(\d+)(?:[:-](\d+))?$")
_SLASH = re.compile(r"[\\/]")
_QUOTED = re.compile(
    r"\"([^\"]+)\"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|`([^`]+)`|「([^」]+)」|『([^』]+)』|(?<!\w)'([^']{2,}?)'(?!\w)"
)
_AROUND = " .,;:!?。、，"
_BEFORE_NAME = " \"'`“„«([*_"
_STARTS = ".!?:;…—–-。！？：；→>"
"""After one of these a capital says nothing."""
_ORDINARY = 0.5
"""Rarity below which a word in lower case is an ordinary one: `will`, `mark`, `apple`."""
_OPENERS = frozenset(
    """
    a add added all also always another answer any ask asked asks avoid back better both bring build built buy call
    cause change changed check choose chose choice clean close closed compare copy correct create created cut date
    deadline decided decision do done don't drop dropped each either end every except explain explained explains feature
    few filter find first five fix fixed follow for found four from full gap get give goal good half help how if idea
    implement implemented improve in install instead invitation it keep kept last later learn leave list look made
    main make merge more most move moved name names need needs never new next no none not note nothing now number
    of old on once one only open option order other out pay pick plan planned play possible prefer problem proposal
    propose proposed proposes put question raise ran read reason recommendation recommended reduce remove removed rename
    repeat replace replaced report request result results return reuse review rule run same save says see sell send sent
    set share show shows since single six skip so some start stay step stop still suggested suggestion suggests
    summary switch switched take ten test tested tests the then they this three time to total translate translation
    try turn two update updated use used uses verified wait want wanted wants warning we what when where whether which
    why will with work works write writes written wrote yes
    """.split()
)
"""English words that open a sentence and are nobody's name. Another new word there may be one."""
_CJK_RUN = re.compile(f"[{CJK}]+")
_KATAKANA = re.compile(r"[\u30a1-\u30fa\u30fc]{2,}")
_HIRAGANA = re.compile(r"[\u3040-\u309f]")
_IDEOGRAPHS = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]{2,}")
_LETTERS_OF = [
    re.compile(f"[{letters}]")
    for letters in (
        *("A-Za-z\u00c0-\u024f", "\u0370-\u03ff", "\u0400-\u052f"),  # Latin, Greek, Cyrillic
        *(
            "\u0590-\u05ff",
            "\u0600-\u06ff\u0750-\u077f",
            "\u0900-\u097f",
            "\u0e00-\u0e7f",
        ),  # Hebrew, Arabic, Nagari, Thai
        *("\u3040-\u30ff", "\u3400-\u4dbf\u4e00-\u9fff", "\uac00-\ud7af"),  # kana, ideographs, Hangul
    )
]


def quote_fault(text: str, said: Said) -> str:
    """Say whether a text quotes what nobody said."""
    for match in _QUOTED.finditer(text):
        quoted = joined(match[match.lastindex or 0]).strip(_AROUND)
        if quoted and not said.holds(quoted):
            return "quotation not said"
    return ""


def words_fault(text: str, said: Said) -> str:
    """Say which kind of word of a text the exchange does not bear out."""
    new: list[str] = []
    """Each word that counts; "" for one that was said."""
    for match in CHUNK.finditer(text):
        chunk = next(chunks_of(match[0]), "")
        if _EXACT.search(chunk):
            fault = exact_fault(chunk, said)
            new.append("")
        else:
            fault = _names_fault(text, match, said)
            folded = [fold(word) for word in WORD.findall(match[0])]
            new += ["" if said.has_word(word) else word for word in folded if not said.is_free(word)]
        if fault:
            return fault
    if max((len(run) for run in _runs_of(new)), default=0) > MAX_TOGETHER:
        return _strange(list(filter(None, new)), said)
    for run in () if text.isascii() else _CJK_RUN.findall(text):
        if not _CJK_RUN.search(said.joined):
            return "another language"
        if _names_nobody(run, said):
            return "name not said"
        pairs = [pair for pair in words(run) if rarity(pair) > 0.3 and not _HIRAGANA.search(pair)]
        new += ["" if pair in said.joined else pair for pair in pairs]
    unsaid = list(filter(None, new))
    if len(unsaid) > max(1, MAX_UNSAID * len(new)):
        return _strange(unsaid, said)
    return "another language" if _is_foreign(unsaid, said) else ""


def _runs_of(new: Sequence[str]) -> Iterator[list[str]]:
    """The new words that follow each other."""
    return (list(run) for is_new, run in groupby(new, key=bool) if is_new)


def _strange(unsaid: Sequence[str], said: Said) -> str:
    return "another language" if _is_foreign(unsaid, said) else "words not said"


def label_fault(label: str, said: Said) -> str:
    """Say which kind of word of a room's label was not said. It has no glue, so all of them must have been."""
    for chunk in chunks_of(label):
        if _EXACT.search(chunk):
            if fault := exact_fault(chunk, said):
                return fault
        elif not all(map(said.has_word, WORD.findall(chunk))):
            return "words not said"
    return "" if all(run in said.joined for run in _CJK_RUN.findall(label)) else "words not said"


def exact_fault(chunk: str, said: Said) -> str:
    """Say whether a path, identifier, version or number was not said."""
    if chunk in said.chunks:
        return ""
    chunk = chunk.removesuffix("'s").removesuffix("’s")
    if not _DIGIT.search(chunk) and said.holds(chunk):
        return ""
    if NUMBER.fullmatch(chunk):
        return "" if chunk in said.numbers else "number not said"
    if quantity := _QUANTITY.fullmatch(chunk):
        number, unit = quantity.groups()
        return "" if number in said.numbers and said.holds(f"{number} {unit}") else "number not said"
    if line := _LINE.search(chunk):
        known = all(number in said.numbers for number in line.groups() if number)
        return exact_fault(chunk[: line.start()], said) if known else "number not said"
    if _is_of_path(chunk, said):
        return ""
    return "path not said" if _SLASH.search(chunk) else _parts_fault(chunk, said)


def _is_of_path(chunk: str, said: Said) -> bool:
    """Say whether a chunk is a path that was said, its end or a folder it lies in."""
    ends, folder = ("/" + chunk, "\\" + chunk), chunk.rstrip("/") + "/"
    return any(path == chunk or path.endswith(ends) or path.startswith(folder) for path in said.paths)


def _parts_fault(chunk: str, said: Said) -> str:
    """Check `30-second` and `2-4` by their parts. Anything else of several parts is one thing."""
    parts = re.split(r"[-–+]", chunk)
    if len(parts) > 1 and NUMBER.fullmatch(parts[0]):
        known = all(part in said.numbers if _DIGIT.search(part) else said.has_word(part) for part in parts if part)
        return "" if known else "number not said"
    if chunk.isalpha() and chunk.casefold() in said.folded and rarity(chunk) >= _ORDINARY:
        return ""
    return "identifier not said"


def _names_fault(text: str, chunk: re.Match[str], said: Said) -> str:
    for match in WORD.finditer(text, chunk.start(), chunk.end()):
        if match[0][0].isupper() and not _is_named(match[0], opens=_opens(text, match.start()), said=said):
            return "name not said"
    return ""


def _opens(text: str, start: int) -> bool:
    """Say whether a sentence may begin here."""
    before = text[:start].rstrip(_BEFORE_NAME)
    return not before or before[-1] in _STARTS


def _is_named(word: str, *, opens: bool, said: Said) -> bool:
    """Say whether a capitalised word was said, or is none but for its place."""
    bare = word.removesuffix("'s").removesuffix("’s")
    if word in said.tokens or bare in said.tokens:
        return True
    folded = fold(word)
    if opens and (folded in _OPENERS or said.has_glue(folded) or said.has_word(word)):
        return True
    if "-" in word:
        return all(_is_named(part, opens=opens, said=said) for part in word.split("-") if part[:1].isupper())
    return folded in said.folded and rarity(folded) >= _ORDINARY


def _names_nobody(run: str, said: Said) -> bool:
    """Say whether a run of an unspaced script holds a loanword, or two ideographs side by side, that nobody wrote."""
    spelled = set(_KATAKANA.findall(run))
    if spelled and not spelled <= set(_KATAKANA.findall(said.joined)):
        return True
    new = "".join([character if character not in said.joined else " " for character in run])
    return _IDEOGRAPHS.search(new) is not None


def _is_foreign(unsaid: Sequence[str], said: Said) -> bool:
    """Say whether the new words are of a script or a language that nobody used."""
    if len(list(_of_other_languages(unsaid, said))) > 1:
        return True
    letters = "".join(unsaid)
    return any(script.search(letters) and not script.search(said.joined) for script in _LETTERS_OF)


def _of_other_languages(unsaid: Sequence[str], said: Said) -> Iterator[str]:
    """The function words of languages that are not the exchange's."""
    others = [listed for name, listed in FUNCTION_WORDS.items() if name not in said.languages]
    return (word for word in unsaid if any(word in listed for listed in others))
