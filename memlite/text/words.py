"""Words, sentences and how much a word says.

How rare a word is decides what a distiller keeps. No corpus is needed to know it: the WordPiece vocabulary that the
embedding model needs anyway lists English words roughly by frequency, so the rank of a word is its Zipf rarity. A
word that the list does not hold is rare, or not English; the function words of a few other languages are listed here
so that they do not pass for rare ones.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain
from math import log

from memlite.text.slug import stem

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
"""Scripts written without spaces between words, as the inside of a character class."""

_CACHED = 16384
"""Words whose properties are remembered: more than a person uses, few enough to be small."""
_WORD = re.compile(rf"[{CJK}]+|[^\W{CJK}]+(?:['’.-][^\W{CJK}]+)*")
_CJK_CHAR = re.compile(rf"[{CJK}]")
_CJK_FUNCTION = re.compile(r"[\u3040-\u309f]+|.*[的了吗呢吧啊哦是我你他她们这那就也都很在有和不]")
"""Hiragana (endings and particles), and pairs with a Chinese function character."""
_IDENTIFIER = re.compile(r"\w*[a-z][A-Z]\w*|\w+_\w+|(?=.*\d)(?=.*[^\W\d])[\w.-]+|[\w-]+(?:\.[\w-]+)+")
_SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]+[\"'”’»)\]*_]*(?=\s)|[。！？]+[」』”）)]*|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|nr|mr|mrs|ms|dr|prof|st|sr|sra|jr|fig|inc|ltd|z\.\s?B|d\.\s?h|bzw|ca|usw|u\.\s?a"
    r"|p\.\s?ej|p\.\s?ex|núm|art|tel)|\b[A-Za-z]|(?<![\w.,])\d{1,2})\.$",
    re.IGNORECASE,
)

FUNCTION_WORDS = {
    "en": frozenset(
        """
            a about after all also am an and any are as at be been being but by can could did do does doing
            don't for from get go got had has have he her here him his how i i'd i'll i'm i've if in into is
            isn't it it's its just let let's like me more my no not now of off on only or our out over she
            should so some than that that's the their them then there there's these they they're this those to
            too up us very was we we'll we're were what what's when where which while who why will with would
            yes you you'll you're your
            """.split()
    ),
    "de": frozenset(
        """
            aber als am an auch auf aus bei bin bis da dann das dass de dem den der des die dir doch du ein eine
            einem einen einer er es für gibt habe haben hat ich ihr im in ist ja jetzt kann kein keine man mein
            mich mir mit nach nicht noch nur oder schon sein sich sie sind so um und uns von vor war was wenn
            wer wie wir wird zu zum zur über
            """.split()
    ),
    "fr": frozenset(
        """
            ai au aussi aux avec avez bien c'est ce ces cette comme d'un d'une dans de des du elle en est et
            être faire fait il ils j'ai je la le les leur lui ma mais me mes moi mon ne non nous on ont ou où
            par pas plus pour qu'il que qui sa sans se ses si son sont sur ta te toi ton tout tu un une vos
            votre vous y à ça était
            """.split()
    ),
    "es": frozenset(
        """
            a al algo así aunque con como cuando de del desde el ella en entonces era es eso esta este esto está
            están fue ha hace hasta hay la las le les lo los me mi más muy ni no nos o para pero por porque que
            qué se ser si sin sobre son su sus sí también te tengo tiene todo tu un una uno y ya yo
            """.split()
    ),
    "pt": frozenset(
        """
            a ao aos as até com como da das de dela dele depois do dos e ela ele em então era essa esse esta
            está eu foi há isso já la lhe mais mas me meu minha muito na nas não nem no nos nós o os ou para
            pela pelo por pra quando que quem se sem ser seu sim sua são só também te tem tenho tudo um uma você
            vc à é
            """.split()
    ),
}

_COMMON_RANK = 60
"""English words up to this rank carry nothing (`the` to `will`); the scale is logarithmic above it."""


def words(text: str) -> list[str]:
    """The words of a text, as written. A run of a script without spaces gives its overlapping pairs of characters."""
    if text.isascii():
        return _WORD.findall(text)
    found: list[str] = []
    for match in _WORD.finditer(text):
        run = match[0]
        if len(run) > 2 and _CJK_CHAR.match(run):
            found.extend(run[i : i + 2] for i in range(len(run) - 1))
        else:
            found.append(run)
    return found


def cjk_share(text: str) -> float:
    """The part of the letters that are written without spaces between words, 0 to 1."""
    letters = sum(map(str.isalpha, text))
    return len(_CJK_CHAR.findall(text)) / letters if letters else 0.0


@lru_cache(maxsize=_CACHED)
def is_identifier(word: str) -> bool:
    """Say whether a word looks like code, a version or a mixed code of letters and digits."""
    return _IDENTIFIER.fullmatch(word) is not None


def language(found: Iterable[str]) -> str:
    """Guess which listed language the words are in by its function words; English when nothing speaks for another."""
    counts = Counter(chain.from_iterable(map(_languages, found)))
    return max(FUNCTION_WORDS, key=lambda name: counts[name])


@lru_cache(maxsize=_CACHED)
def _languages(word: str) -> tuple[str, ...]:
    folded = word.casefold()
    return tuple(name for name, listed in FUNCTION_WORDS.items() if folded in listed)


@cache
def _ranks() -> dict[str, int]:
    """Rank of each whole English word in the vocabulary, from 1."""
    lines = files("memlite").joinpath("models/minilm/vocab.txt").read_text(encoding="utf-8").split("\n")
    whole = (line for line in lines[lines.index("the") :] if line.isalpha())
    return {word: rank for rank, word in enumerate(whole, 1)}


@lru_cache(maxsize=_CACHED)
def rarity(word: str, lang: str = "en") -> float:
    """How much a word says, 0 (a function word) to 1 (rare, unknown, a number or an identifier)."""
    folded = word.casefold().replace("’", "'")
    if folded in FUNCTION_WORDS[lang]:
        return 0.0
    if _CJK_CHAR.match(folded):
        return 0.3 if _CJK_FUNCTION.fullmatch(folded) else 0.4 * len(folded)
    if any(map(str.isdigit, folded)):
        return 1.0 if len(folded) > 1 else 0.6
    if lang != "en":
        return min(1.0, len(folded) / 7)
    rank = _ranks().get(folded) or _ranks().get(stem(folded))
    if rank is None:
        return 1.0
    return max(0.0, log(rank / _COMMON_RANK) / log(len(_ranks()) / _COMMON_RANK))


@lru_cache(maxsize=_CACHED)
def _word_cost(word: str) -> int:
    return 1 if word.casefold() in _ranks() or _CJK_CHAR.match(word) else 1 + (len(word) - 1) // 4


def cost(text: str) -> int:
    """About how many WordPiece tokens a text has (within a tenth on English talk about code).

    Two characters of a script without spaces count as one token: they say about as much, though the model sees two.
    """
    return sum(map(_word_cost, _PIECE.findall(text)))


_PIECE = re.compile(rf"[{CJK}]{{1,2}}|[^\W_{CJK}]{{1,40}}|[^\w\s]|_")


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of the sentences of `text[start:end]`, without surrounding space."""
    begin = start
    for match in _SENTENCE_END.finditer(text, start, end):
        stop = match.end()
        if match[0] == "." and _ABBREVIATION.search(text, max(begin, stop - 8), stop):
            continue
        yield from _trimmed(text, begin, stop)
        begin = stop
    yield from _trimmed(text, begin, end)


def parts(text: str, limit: int) -> Iterator[str]:
    """Yield a text in pieces of about `limit` tokens (see `cost`), cut between sentences; a longer sentence is one."""
    start, end, spent = 0, 0, 0
    for first, last in sentences(text, 0, len(text)):
        price = cost(text[first:last])
        if spent and spent + price > limit:
            yield text[start:end]
            start, spent = first, 0
        end, spent = last, spent + price
    if text[start:].strip():
        yield text[start:]


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    if piece.strip():
        yield start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


_CJK_TERM = re.compile(r"[\u30a1-\u30ff]{2,12}|[\u4e00-\u9fff\u3005]{2,}")
_CJK_SPLIT = re.compile("[的了吗呢吧是我你他她们这那就也很给把被让]+")


def cjk_terms(text: str) -> list[str]:
    """What may name a topic where words have no spaces: katakana words and runs of two to six ideographs."""
    runs = (piece for run in _CJK_TERM.findall(text) for piece in _CJK_SPLIT.split(run))
    return [piece for piece in runs if 2 <= len(piece) <= 12 and (len(piece) <= 6 or piece[0] < "\u3100")]
