"""What an exchange says, laid out so that an output can be held against it.

A model's sentence is trusted word by word, and a word counts as said only where it stands whole: `cat` is not in
`catalog`, `5` not in `15`, `v2` not in `v2.4`. So numbers, words and what stands between blanks are collected once for
an exchange, each as written, and every later question is a look into a set.

What tools injected, the middle of a very long message (see `clauses.readable`) and sentences that show a credential
count as not said: nothing may rest on them.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from memlite.text.clauses import readable
from memlite.text.phrases import shows_secret
from memlite.text.slug import stem
from memlite.text.words import CJK, FUNCTION_WORDS, sentences
from memlite.types.palace import Exchange

WORD = re.compile(rf"[{CJK}]+|(?<![^\W{CJK}])[^\W\d_{CJK}][^\W_{CJK}]*(?:['’-][^\W\d_{CJK}]+)*")
"""A word of prose, or a run of a script without spaces. It begins with a letter."""
CHUNK = re.compile(rf"[^\s\"`“”‘’„«»‹›「」『』<>|;,(){{}}\[\]=*、，。：；！？（）【】→⇒…!?{CJK}]+")
"""What stands between blanks, brackets, quotation marks and the characters of a script without spaces."""
NUMBER = re.compile(rf"(?<![^\W{CJK}])(?<!\d[.,:/])(?:\d{{4}}-\d\d(?:-\d\d)?|\d+(?:[.,:/]\d+)*)(?!\d)")
"""A number, a time of day or a date, whole. Digits behind a letter belong to a name (`v2`, `utf8`)."""
_OF_WORD = re.compile(rf"[^\W{CJK}]")
_YEAR_OF = re.compile(r"(\d{4})-\d\d")
_LINE_OF = re.compile(r":\d+(?:[:-]\d+)?$")
_EDGE = ".:-–—…'’#&@~+%$€£"
_MARKUP = re.compile(r"\*\*|`|(?<!\w)[*_]+(?=\w)|(?<=\w)[*_]+(?!\w)")
_INFLECTED = re.compile(r"(?<=\w{3})(?:ings?|edly|ed|ers?|e|ly|ments?|ations?|ions?|ies|y|es|s|en)$")
_DOUBLED = re.compile(r"([bdglmnprt])\1$")
NEGATION = re.compile(
    r"not|never|no|cannot|without|\w+n[’']t|dont|doesnt|didnt|cant|wont|isnt|nicht|keine?[nmrs]?|nie|ohne"
    r"|pas|jamais|sans|nunca|sin|não|sem"
)
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[.;:!?,\n—–]")
_DENIED = re.compile(rf" (?:{NEGATION.pattern})(?= ([^\W_][^ ]* [^\W_][^ ]*) )")
_SHARED = 0.3
"""A language is one of the exchange's when its function words are this share of those of the commonest."""


class Said(Struct, frozen=True):
    """The words of an exchange. Sets hold them as written, except `folded` and `roots`."""

    contents: tuple[str, ...]
    """Each turn's content, same length, with what does not count as said blanked out."""
    joined: str
    """All of it and the speakers' names, a line each, without markup: here quotations are looked for."""
    chunks: frozenset[str]
    paths: tuple[str, ...]
    """Chunks with a slash, without line numbers."""
    numbers: frozenset[str]
    tokens: frozenset[str]
    folded: frozenset[str]
    roots: frozenset[str]
    listing: str
    """Every folded word once, each behind a blank: for looking up how words begin."""
    languages: tuple[str, ...]
    """Those listed languages whose function words it uses."""
    sequence: str
    """The words and marks in order, folded, with a blank around each."""
    denied: dict[str, int]
    """Two words that stand right behind a negation, and how often they do."""

    def has_glue(self, folded: str) -> bool:
        """Say whether a word is a function word of the exchange's own language."""
        return any(folded in FUNCTION_WORDS[name] for name in self.languages)

    def is_free(self, folded: str) -> bool:
        """Say whether a word is glue that need not have been said, and was not."""
        return folded not in self.folded and self.has_glue(folded)

    def has_word(self, word: str) -> bool:
        """Say whether a word was said, in whatever case or inflection, or every part of one with hyphens."""
        folded = fold(word)
        if folded in self.folded or root(folded) in self.roots or self._begins(folded):
            return True
        return "-" in word and all(map(self.has_word, filter(None, word.split("-"))))

    def _begins(self, folded: str) -> bool:
        """Say whether some word said begins as this one does: endings differ, in every language in another way."""
        cased = folded[:1].upper() != folded[:1]
        kept = len(folded) - (3 if cased else 2)
        return kept >= (5 if cased else 2) and f" {folded[:kept]}" in self.listing

    def holds(self, part: str) -> bool:
        """Say whether a part stands somewhere as whole words."""
        at = self.joined.find(part)
        while at >= 0:
            before, after = self.joined[at - 1 : at] if at else "", self.joined[at + len(part) : at + len(part) + 1]
            if not (sticks(before, part[:1]) or sticks(part[-1:], after)):
                return True
            at = self.joined.find(part, at + 1)
        return False


def sticks(left: str, right: str) -> bool:
    """Say whether two characters side by side belong to one word."""
    return bool(_OF_WORD.match(left) and _OF_WORD.match(right))


def fold(word: str) -> str:
    """Return a word without case and possessive."""
    return word.casefold().replace("’", "'").removesuffix("'s")


@lru_cache(maxsize=16384)
def root(folded: str) -> str:
    """Return what the English inflections of a word share, near enough: `implemented` and `implement` are one."""
    bare = _INFLECTED.sub("", stem(folded))
    return _DOUBLED.sub(r"\1", bare)


@lru_cache(maxsize=8)
def said_in(exchange: Exchange) -> Said:
    """Collect what an exchange says. The last few are kept: one is asked about field by field."""
    contents = tuple(_without_secrets(readable(turn.content)) for turn in exchange.turns)
    lines = (*contents, *{turn.speaker for turn in exchange.turns})
    text = "\n".join(lines)
    chunks = frozenset(chunks_of(text))
    tokens = set(WORD.findall(text))
    tokens.update([part for token in tokens if "-" in token for part in token.split("-")])
    folded = frozenset(map(fold, tokens))
    order = sequence("\n".join(contents))
    return Said(
        contents=contents,
        joined="\n".join(map(joined, lines)),
        chunks=chunks,
        paths=tuple(_LINE_OF.sub("", chunk) for chunk in chunks if "/" in chunk or "\\" in chunk),
        numbers=_numbers(text),
        tokens=frozenset(tokens),
        folded=folded,
        roots=frozenset(map(root, folded)),
        listing=" " + " ".join(folded),
        languages=_languages(text),
        sequence=order,
        denied=Counter(_DENIED.findall(order)),
    )


def sequence(text: str) -> str:
    """Return the words and marks of a text in order, folded, with a blank around each."""
    return " " + " ".join(["." if token == "\n" else token for token in _TOKEN.findall(text.casefold())]) + " "


def joined(text: str) -> str:
    """Return a text in one line and without markup, as quotations of it are compared."""
    return " ".join(_MARKUP.sub("", text).split())


def chunks_of(text: str) -> Iterator[str]:
    """Yield what stands between blanks, without the punctuation around it."""
    return filter(None, [chunk.strip(_EDGE) for chunk in CHUNK.findall(text)])


def _numbers(text: str) -> frozenset[str]:
    found = set(NUMBER.findall(text))
    found.update([match[1] for number in found if (match := _YEAR_OF.match(number))])
    return frozenset(found)


def _languages(text: str) -> tuple[str, ...]:
    counts = Counter(text.casefold().split())
    spoken = {name: sum([counts[word] for word in listed if word in counts]) for name, listed in FUNCTION_WORDS.items()}
    least = max(1.0, _SHARED * max(spoken.values()))
    return tuple(name for name, count in spoken.items() if count >= least) or (("en",) if text.isascii() else ())


def _without_secrets(content: str) -> str:
    """Blank out every sentence that shows a credential, alone or together with the one before."""
    if not shows_secret(content):
        return content
    spans = list(sentences(content, 0, len(content)))
    for (start, _), (_, end) in (*zip(spans, spans, strict=True), *zip(spans, spans[1:], strict=False)):
        if shows_secret(content[start:end]):
            content = content[:start] + " " * (end - start) + content[end:]
    return content
