"""What is known of a file from its first bytes: which keys its first JSON values have, however they are laid out.

A head is cut anywhere, and lines may be broken. So a value is walked event by event, and the keys seen before the break
count: `{"type":"user","message":{"role":"us` is known to have `type` and `message.role`.
"""

from collections.abc import Iterator
from functools import cached_property
from io import BytesIO
from itertools import islice

import ijson

from memlite.importers.encoding import encoding_of, repair

HEAD_BYTES = 1 << 18
"""Large enough to reach the conversation behind the questions in a LoCoMo sample (60 KB)."""
_MAX_LINES = 64
_MAX_DEPTH = 8
_BUFFER = 4096
"""ijson spells out the path of every event in a buffer: a small one keeps a file of brackets from filling memory."""


class Shape(dict[str, object]):
    """The paths in a JSON value, as ijson writes them, with the scalars that stand there."""

    complete = False
    """Whether the value ends where the text ends."""

    def has(self, *paths: str) -> bool:
        """Tell whether any of the paths is there."""
        return any(path in self for path in paths)


class Head:
    """The first bytes of a file."""

    def __init__(self, data: bytes) -> None:
        self.text = repair(data.decode(encoding_of(data), "replace")).strip()

    @property
    def is_empty(self) -> bool:
        """Tell a file that says nothing."""
        return not self.text

    @property
    def looks_like_json(self) -> bool:
        """Tell what could be a transcript of some program from prose (`[sic]`), code and binaries."""
        return bool(self.record) or len(self.whole) > 1

    @cached_property
    def whole(self) -> Shape:
        """The file as one JSON value."""
        return _shape(self.text)

    def lines(self) -> Iterator[Shape]:
        """Yield the values of the first lines, where each line is one value."""
        lines = (line for line in self.text.split("\n") if line.strip())
        return map(_shape, islice(lines, _MAX_LINES))

    @cached_property
    def record(self) -> Shape:
        """The first object that stands on one line, or that its line begins."""
        return next((shape for shape in self.lines() if shape and not shape.has("item")), Shape())


def _shape(text: str) -> Shape:
    shape = Shape()
    try:
        for path, value in _paths(text):
            shape[path] = value
        shape.complete = True
    except ijson.JSONError:
        pass  # cut off, broken, or followed by more: what was seen until then counts
    return shape


def _paths(text: str) -> Iterator[tuple[str, object]]:
    for prefix, event, value in ijson.parse(BytesIO(text.encode()), buf_size=_BUFFER):
        if prefix.count(".") > _MAX_DEPTH:
            return
        if event == "map_key":
            yield f"{prefix}.{value}" if prefix else value, None
        elif event in ("string", "number", "boolean") and prefix:
            yield prefix, value
        elif event == "start_array":
            yield f"{prefix}.item" if prefix else "item", None
