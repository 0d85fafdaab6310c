"""What was found out about a file once, remembered by the file's path, size and time.

Hashing a model file, reading its header and trying it out cost from a tenth of a second to a minute. Each finding is a
small file of its own in a cache folder, named after what it was found out about: a file that changed has another stamp,
and what is known of its former self is never looked at again. Whatever is wrong with the folder only costs the time.
"""

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

Finding = TypeVar("Finding")


def stamp(path: Path, folder: Path | None, kind: str, *also: str) -> Path | None:
    """Name the place in `folder` of a finding of this kind about this very file; `also` is what else it depends on."""
    if folder is None:
        return None
    status = path.stat()
    identity = "\0".join((str(path.resolve()), str(status.st_size), str(status.st_mtime_ns), *also))
    return folder / f"{kind}-{hashlib.sha256(identity.encode(errors='surrogateescape')).hexdigest()[:32]}"


def recall(place: Path | None, kind: type[Finding]) -> Finding | None:
    """Return what is remembered there, or None where that is nothing, or nothing of this kind."""
    if place is None:
        return None
    try:
        return msgspec.json.decode(place.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def remember(place: Path | None, finding: Any) -> None:
    """Remember a finding, where there is a place for it."""
    if place is None:
        return
    with suppress(OSError):  # a cache that cannot be written only makes the next start slower
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(msgspec.json.encode(finding))


def digest(path: Path) -> str:
    """Return `sha256:` and the hex digest of the file."""
    with path.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
