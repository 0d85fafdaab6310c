"""What FTS5 sees: text prepared for the index, and a person's words as a MATCH expression that always parses.

FTS5's `porter unicode61` splits at everything that is neither letter nor digit, which serves English, `snake_case`,
paths and e-mail addresses. Three kinds of text need help, and get the same help when indexed and when searched:

* scripts written without spaces (Chinese, Japanese, Thai, ...): each character becomes a token, a word is a phrase;
* `getUserById`, `v2.4.7-hotfix`: the parts are appended, so that `user` and `2.4.7` find them, the whole stays found;
* full-width and ligature forms: NFKC makes them ordinary letters.

Every term is quoted, so AND, NOT, NEAR, a hyphen, a colon or a quote is text like any other.
"""

import re
import string
import unicodedata
from functools import lru_cache

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\U00020000-\U0003ffff"
)
UNSPACED_CHAR = re.compile(f"[{_UNSPACED}]")
UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_BOUNDARY = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Each byte as the kind of character it is: a, A or 0, "-" for what else an identifier holds, a space for the rest. A
# slash is among the rest: each component of a path is an identifier, however long the path.
_KINDS = {"a": string.ascii_lowercase, "A": string.ascii_uppercase, "0": string.digits, "-": "_.-+:@#"}
_SHAPES = bytes(
    next((ord(kind) for kind, chars in _KINDS.items() if chr(byte) in chars), ord(" ")) for byte in range(256)
)
_CHANGE = re.compile(rb"[A0](?:(?<=a[A0])|(?<=A0)|(?<=0)[aA]|(?<=A)Aa)")
_WORD = re.compile(r"[^\W_]+")
_QUOTED_OR_WORD = re.compile(r'"([^"]*)"|([^\s"]+)')
_APOSTROPHE = re.compile(r"['’]")
_VERSION = re.compile(r"v\d[\w.-]*", re.IGNORECASE)
_HEX = re.compile(r"(?=.*[0-9])(?=.*[a-f])[0-9a-f]{6,40}", re.IGNORECASE)
# Hashes, base64 and minified code have a boundary at every other character: splitting them only bloats the index.
MAX_IDENTIFIER, MAX_BOUNDARIES = 64, 8


def fold(text: str) -> str:
    """Return `text` in compatibility form, without NUL (which ends an FTS5 string)."""
    return text.replace("\0", " ") if text.isascii() else unicodedata.normalize("NFKC", text).replace("\0", " ")


def index_text(text: str) -> str:
    """Return `text` as it is put into an FTS5 index: unspaced scripts spaced, parts of identifiers appended."""
    folded = fold(text)
    parts = " ".join(dict.fromkeys(_BOUNDARY.sub(" ", run) for run in _identifiers(folded)))
    if not folded.isascii():
        folded = UNSPACED_CHAR.sub(r" \g<0> ", folded)
    return f"{folded}\n{parts}" if parts else folded


def _identifiers(text: str) -> list[str]:
    """Return the runs of identifier characters that change between cases or between letters and digits."""
    # Looked for in the text's shape, where re can skip to the next capital or digit: 10 us for 400 characters; a loop
    # over the text itself takes 34 us, a sixth of the time of an import. "?" stands for each character outside ASCII.
    shape = text.encode("ascii", "replace").translate(_SHAPES)
    found: list[str] = []
    end = 0
    for change in _CHANGE.finditer(shape):
        if change.start() < end:
            continue
        start = shape.rfind(b" ", end, change.start()) + 1 or end
        end = shape.find(b" ", change.end())
        end = len(shape) if end < 0 else end
        run = text[start:end]
        if len(run) <= MAX_IDENTIFIER and len(_BOUNDARY.findall(run)) <= MAX_BOUNDARIES:
            found.append(run)
    return found


def quote(text: str) -> str:
    """Return `text` as an FTS5 string; its tokens must then occur side by side."""
    # Not apsw.fts5query.quote: it leaves NOT and AND bare, and FTS5 then rejects them (apsw 3.54.1).
    return '"' + text.replace('"', '""') + '"'


def phrase(text: str) -> str:
    """Return the expression for `text` as one phrase, "" when it has no letter or digit."""
    folded = UNSPACED_CHAR.sub(r" \g<0> ", fold(text))
    return quote(" ".join(folded.split())) if _WORD.search(folded) else ""


def all_words(text: str) -> str:
    """Return the expression for all words of `text`, each whole and `"words in quotes"` side by side; "" without any.

    It takes no part of a word for the word, as `term` does: it says what is meant, not what may be meant.
    """
    found = (phrase(quoted or word) for quoted, word in _QUOTED_OR_WORD.findall(text))
    return " AND ".join(filter(None, found))


@lru_cache(maxsize=1024)
def parts(word: str) -> tuple[str, ...]:
    """Return what of a typed word counts as a match too: the parts of a compound, and of a run of unspaced script any
    two neighbouring characters, so that one absent word does not lose the rest."""
    folded = fold(word)
    found = _WORD.findall(_APOSTROPHE.sub("", UNSPACED_CHAR.sub(" ", _BOUNDARY.sub(" ", folded))))
    runs = UNSPACED_RUN.findall(folded)
    kept = [part for part in found if len(part) > 2] if len(found) > 1 or runs else []
    return (*kept, *(run[i : i + 2] for run in runs for i in range(max(1, len(run) - 1))))


def term(word: str) -> str:
    """Return the expression for one typed word, "" when it has no letter or digit.

    A plain word is itself. A compound (`v2.4.7`, `getUserById`, `src/db/pool.py`) is the whole, or its split form, or
    any part of three letters or more; `v2.4.7` is also 2.4.7; a hash also matches what it is the beginning of.
    """
    folded = fold(word)
    options = dict.fromkeys([phrase(folded), phrase(_BOUNDARY.sub(" ", folded))])
    if _VERSION.fullmatch(folded):
        options[phrase(folded[1:])] = None
    if _HEX.fullmatch(folded):
        options[f"{quote(folded)} *"] = None
    options.update(dict.fromkeys(map(phrase, parts(word))))
    kept = [option for option in options if option]
    return kept[0] if len(kept) == 1 else f"({' OR '.join(kept)})" if kept else ""
