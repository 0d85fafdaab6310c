"""Encrypted files, by SQLite3 Multiple Ciphers where it is installed: ChaCha20-Poly1305, a key from a passphrase.

It takes the place of the ordinary build of apsw (the extra `encrypted`) and encrypts every page: of the file, its log
and its journal. Whether a file is encrypted shows in its first bytes, so an ordinary store needs no key and takes none.
"""

from pathlib import Path

import apsw

from memlite.errors import StoreLocked

PLAIN = b"SQLite format 3\0"
AVAILABLE = hasattr(apsw, "mc_version")
"""Whether this build of apsw can read and write encrypted files."""
HOW_TO_INSTALL = (
    "this build of SQLite cannot encrypt. Install the one that can: "
    "pip uninstall apsw, then pip install --force-reinstall apsw-sqlite3mc"
)
HOW_TO_GIVE = "Give the key at the prompt, by --key-fd, in MEMLITE_KEY or in the system's keyring"


def is_plain(path: Path) -> bool:
    """Tell an ordinary SQLite file by its first bytes. Of one that may not be read SQLite itself will tell more."""
    try:
        with path.open("rb") as stream:
            return stream.read(len(PLAIN)) == PLAIN
    except PermissionError:
        return True


def needs_key(path: Path) -> bool:
    """Tell a file that only a key can open: it holds something, and that is no plain SQLite."""
    return path.is_file() and path.stat().st_size > 0 and not is_plain(path)


def unlock(con: apsw.Connection, path: Path, key: str) -> None:
    """Give a connection the key of its file, before anything else reads it; an empty file becomes an encrypted one.

    :raises StoreLocked: the key is missing or wrong, or this build of SQLite cannot encrypt
    """
    locked = needs_key(path)
    if not locked and (not key or is_plain(path)):
        return
    if not key:
        raise StoreLocked(f"{path} is encrypted, or no SQLite file, or its beginning is damaged. {HOW_TO_GIVE}")
    require(path)
    con.pragma("key", key)
    try:
        con.execute("select count(*) from sqlite_schema").fetchall()  # only reading shows whether the key fits
    except apsw.NotADBError as error:
        raise StoreLocked(f"the key does not open {path}, or the file is damaged. {HOW_TO_GIVE}") from error


def change_key(con: apsw.Connection, key: str) -> None:
    """Encrypt every page of a file with another key, in one transaction that a crash undoes.

    The file leaves the write-ahead log for as long: pages in the old key, or in none, must not stay behind in a log.
    """
    mode = con.pragma("journal_mode")
    con.pragma("journal_mode", "delete")
    con.pragma("rekey", key)
    con.pragma("journal_mode", mode)


def require(path: Path) -> None:
    """Raise StoreLocked where this build of SQLite cannot encrypt."""
    if not AVAILABLE:
        raise StoreLocked(f"{path} needs a key, but {HOW_TO_INSTALL}")
