"""How many tokens a text costs, without the model that will read it."""

import re

NAME = "memlite-estimate-1"
"""The tokenizer's name where counts are shown."""

_PIECE = re.compile(r"[A-Za-z]+|[0-9]|\s*\n\s*|[^\sA-Za-z0-9]")
_LETTERS_A_TOKEN = 4


def estimate(text: str) -> int:
    """Return an estimate that errs to the high side for byte-pair vocabularies of 32,000 tokens and more.

    A word costs a token for every four letters begun, a digit and a sign one each, a character outside ASCII as many
    as it has bytes, less one: no such vocabulary needs more for running text.
    """
    total = 0
    for piece in _PIECE.findall(text):
        if piece.isascii():
            total += -(-len(piece) // _LETTERS_A_TOKEN) if piece.isalpha() else 1
        else:
            total += max(1, len(piece.encode("utf-8", "surrogatepass")) - 1)
    return total


def cut(text: str, budget: int) -> str:
    """Return the longest beginning of `text`, to a word's end, whose estimate is within `budget`."""
    if estimate(text) <= budget:
        return text
    ends = [match.end() for match in re.finditer(r"\S+", text)]
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate(text[: ends[middle - 1]] + " …") <= budget:
            low = middle
        else:
            high = middle - 1
    return f"{text[: ends[low - 1]]} …" if low else ""
