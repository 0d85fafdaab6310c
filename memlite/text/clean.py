"""Text that SQLite and JSON take: without NUL and without half surrogate pairs."""

from typing import Any


def clean(value: Any) -> Any:
    """Put U+FFFD where a text, or any text in a list or dict, holds a NUL or half a surrogate pair."""
    if isinstance(value, str):
        text = value.replace("\0", "\ufffd")
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {clean(key): clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean(item) for item in value]
    return value
