"""A text between two lines that nothing in it can pass for, so that a model is given it as data.

The lines are tildes, longer than any run of tildes in the text, so nothing in it can end it.
"""

import re

MOST_TILDES = 20
"""In a row, of those that the text has: the fence is longer, and must not be longer than the text."""
_TILDES = re.compile("~+")


def fenced(text: str) -> str:
    """Return a text between lines that nothing in it can pass for."""
    text = _TILDES.sub(lambda run: run[0][:MOST_TILDES], text)
    longest = max(map(len, _TILDES.findall(text)), default=0)
    fence = "~" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"
