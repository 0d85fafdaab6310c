"""Where the key of an encrypted store comes from when nobody hands it over: the environment, then the system's keyring.

Never from an argument: what is on a command line can be read by everybody on the machine, and stays in its history.
"""

import os
from importlib.util import find_spec
from pathlib import Path

from memlite import config
from memlite.errors import UsageError
from memlite.store import encryption

SERVICE = "memlite"
"""The name under which the system's keyring shows the keys of stores."""


def find_key(path: Path) -> str:
    """Return the key of the store at `path`, or "" where it needs none or none is found."""
    if not encryption.needs_key(path):
        return ""
    return config.key() or _from_keyring(path)


def keep_in_keyring(path: Path, key: str) -> None:
    """Let the system's keyring keep the key of a store.

    :raises UsageError: the package keyring is missing, or it finds no keyring on this system
    """
    if find_spec("keyring") is None:
        raise UsageError("the package keyring is not installed. Install it with: pip install keyring")
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.set_password(SERVICE, os.path.realpath(path), key)
    except KeyringError as error:
        raise UsageError(f"this system's keyring takes no key: {error}. Use MEMLITE_KEY or --key-fd") from error


def _from_keyring(path: Path) -> str:
    if find_spec("keyring") is None:
        return ""
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(SERVICE, os.path.realpath(path)) or ""
    except KeyringError:
        # No keyring on this system: then the key is not there, which the user is told with the ways to give it.
        return ""
