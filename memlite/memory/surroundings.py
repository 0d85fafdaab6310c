"""What can be told of a store without opening it: who may read it, where it lies, whether its pages are all there."""

import os
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from memlite.store import encryption, raw
from memlite.types.findings import Finding

PAGE_SIZE_AT = 16
PAGES_AT = 28
# A store that cannot grow by a tenth, or by a few thousand messages, will be full one day soon.
LEAST_FREE = 100_000_000


def look(path: Path) -> list[Finding]:
    """Look at a store's file and its folder."""
    return [found for check in (_access, _link, _length, _left_over, _space) for found in check(path)]


def readable_by_others(path: Path) -> bool:
    """Tell whether others than the owner may read or write a file; Windows says that in a way not asked here."""
    return sys.platform != "win32" and bool(path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def _access(path: Path) -> Iterator[Finding]:
    files = [path, *raw.side_files(path)]
    open_to_all = [file for file in files if readable_by_others(file)]
    for file in open_to_all:
        mode = stat.filemode(file.stat().st_mode)
        yield Finding("access", "warning", f"others may read {file} ({mode})", f"chmod 600 {file}")
    folder = path.absolute().parent
    if sys.platform != "win32" and folder.stat().st_mode & stat.S_IWOTH and not folder.stat().st_mode & stat.S_ISVTX:
        yield Finding("access", "warning", f"others may replace files in {folder}", f"chmod o-w {folder}")
    if not os.access(path, os.W_OK) or not os.access(folder, os.W_OK):
        yield Finding("access", "warning", f"you may not write to {path} and its folder", "Check their permissions")
    elif not open_to_all:
        how = "encrypted" if encryption.needs_key(path) else "not encrypted"
        yield Finding("access", "ok", f"only you may read the store; it is {how}")


def _link(path: Path) -> Iterator[Finding]:
    if path.is_symlink():
        yield Finding("link", "note", f"{path} is a link; the store is {path.resolve()}")
    elif path.stat().st_nlink > 1:
        remedy = "Keep one name: a process that opens the other does not see this one's log"
        yield Finding("link", "warning", f"{path} is one file under {path.stat().st_nlink} names", remedy)


def _length(path: Path) -> Iterator[Finding]:
    """Compare the length with what the header says. While a log is there, that may lag behind."""
    if not encryption.is_plain(path) or raw.side_files(path):
        return
    with path.open("rb") as stream:
        head = stream.read(PAGES_AT + 4)
    page = int.from_bytes(head[PAGE_SIZE_AT : PAGE_SIZE_AT + 2], "big")
    expected = int.from_bytes(head[PAGES_AT:], "big") * (65_536 if page == 1 else page)
    if path.stat().st_size < expected:
        message = f"the file is cut off: {path.stat().st_size:,} bytes of {expected:,}"
        yield Finding("length", "error", message, "memlite restore BACKUP", mends=True)


def _left_over(path: Path) -> Iterator[Finding]:
    for side in raw.side_files(path):
        if side.name.endswith(("-wal", "-journal")) and side.stat().st_size:
            message = (
                f"{side.name} holds {side.stat().st_size:,} bytes: the store is in use, or its last user was killed"
            )
            yield Finding("log", "note", message, "Never delete it: it is a part of the store")


def _space(path: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(path.absolute().parent).free
    needed = max(LEAST_FREE, path.stat().st_size // 10)
    if free < needed:
        yield Finding("space", "warning", f"{free / 1e6:,.0f} MB are free on the disk", "Free some space")
    else:
        yield Finding("space", "ok", f"{free / 1e9:,.1f} GB are free on the disk")
