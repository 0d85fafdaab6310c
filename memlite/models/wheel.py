"""Model files that come inside data-only wheels: where one lies, and whether it is the one we measured.

A wheel's package is located but never imported, so that its code does not run. A digest is checked before a model file
is used; what was checked is remembered by path, size and time, because hashing 23 MB costs 33 ms at every cold start.
"""

import hashlib
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from memlite.errors import ModelUnusable


def file_in_wheel(package: str, name: str, wheel: str) -> Path:
    """Return the path of the file `name` in the installed `package`, which the distribution `wheel` provides."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModelUnusable(f"the model {name} of {wheel} is not installed; next: pip install {wheel}")
    return Path(spec.submodule_search_locations[0]) / name


def check_digest(path: Path, expected: str, remember_in: Path | None = None) -> None:
    """Raise ModelUnusable unless the SHA-256 of the file is `expected` (`sha256:` and hex).

    With a folder to remember in, a file whose path, size and time are those of an earlier success is not read again.
    """
    try:
        stamp = _stamp(path, expected, remember_in)
        if stamp is not None and stamp.exists():
            return
        with path.open("rb") as file:
            found = f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
    except OSError as error:
        raise ModelUnusable(f"cannot read the model file {path} ({error.strerror}); next: reinstall it") from error
    if found != expected:
        raise ModelUnusable(f"the model file {path} is damaged: expected {expected}, found {found}; next: reinstall it")
    if stamp is not None:
        with suppress(OSError):  # a cache that cannot be written only makes the next start slower
            stamp.parent.mkdir(parents=True, exist_ok=True)
            stamp.touch()


def _stamp(path: Path, expected: str, folder: Path | None) -> Path | None:
    """Name the empty file whose existence says that this very file once had this digest."""
    if folder is None:
        return None
    status = path.stat()
    identity = f"{path.resolve()}\0{status.st_size}\0{status.st_mtime_ns}\0{expected}"
    return folder / f"verified-{hashlib.sha256(identity.encode(errors='surrogateescape')).hexdigest()[:32]}"
