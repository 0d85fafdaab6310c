"""Model files that come inside data-only wheels: where one lies, and whether it is the one we measured.

A wheel's package is located but never imported, so that its code does not run. A digest is checked before a model file
is used; what was checked is remembered by path, size and time, because hashing 23 MB costs 33 ms at every cold start.
"""

from importlib.util import find_spec
from pathlib import Path

from memlite.errors import ModelUnusable
from memlite.models.stamp import digest, recall, remember, stamp


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
        verified = stamp(path, remember_in, "verified", expected)
        if recall(verified, str) == expected:
            return
        found = digest(path)
    except OSError as error:
        raise ModelUnusable(f"cannot read the model file {path} ({error.strerror}); next: reinstall it") from error
    if found != expected:
        raise ModelUnusable(f"the model file {path} is damaged: expected {expected}, found {found}; next: reinstall it")
    remember(verified, expected)
