"""Golden files: what users and scripts may rely on. `MEMLITE_UPDATE_GOLDEN=1 pytest tests/cli` writes them anew."""

import os
from pathlib import Path

GOLDEN = Path(__file__).parents[1] / "golden"
BY_NAME = {
    *("skipped", "dropped", "projects", "sources", "failed", "kept", "refused"),
    "matched",  # of a record: what it matched -> how well
    *("exchange_core", "specific_context", "rooms"),  # of a report: what became of the field -> how often
}
"""Objects whose keys are data."""


def check(name, text):
    path = GOLDEN / name
    if os.environ.get("MEMLITE_UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, f"{name} changed: if that is meant, see tests/cli/golden.py"


def shape(value, key=""):
    """Return the keys of a JSON value and the types of what stands there, without the values."""
    if isinstance(value, dict):
        if key in BY_NAME:
            return {"<name>": join([shape(item) for item in value.values()])}
        return {name: shape(item, name) for name, item in sorted(value.items())}
    if isinstance(value, list):
        return [join([shape(item) for item in value])] if value else []
    return "null" if value is None else type(value).__name__


def join(shapes):
    """Return one shape that covers all; keys that some lack are marked with `?`."""
    kinds = {str: [], dict: [], list: []}
    for each in shapes:
        kinds[type(each)].append(each)
    parts = []
    if kinds[dict]:
        names = sorted({name for each in kinds[dict] for name in each})
        parts.append(
            {
                name + ("" if all(name in each for each in kinds[dict]) else "?"): join(
                    [each[name] for each in kinds[dict] if name in each]
                )
                for name in names
            }
        )
    if kinds[list]:
        items = [item for each in kinds[list] for item in each]
        parts.append([join(items)] if items else [])
    parts += sorted(set(kinds[str]))
    return parts[0] if len(parts) == 1 else parts
