"""Commands that keep a store safe: backup, restore, export, doctor, rekey."""

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click

from memlite import config
from memlite.cli import options, output
from memlite.cli.options import as_json, open_memory
from memlite.errors import UsageError
from memlite.memory import Memory
from memlite.types.findings import Examination, Finding
from memlite.types.report import BackupReport

MARKS = {"ok": "ok", "note": "note", "warning": "WARNING", "error": "ERROR"}
UNWELL = 4
a_file = click.Path(dir_okay=True, path_type=Path)


@click.command()
@click.argument("path", type=a_file)
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@as_json
def backup(path: Path, force: bool, as_json: bool) -> None:
    """Copy the store, and read the copy through.

    The store may be in use meanwhile. The copy is a store like any other, readable by you only; that of an encrypted
    store has the same key.

    \b
    Examples:
      memlite backup ~/backups/memory-2026-05-03.db
      memlite backup --force /mnt/stick/memory.db
    """
    report = open_memory().backup(path, force=force)
    if as_json:
        output.document(report)
    else:
        click.echo(f"{_held(report)} in {report.path} ({report.size_bytes / 1e6:,.1f} MB), read through")


@click.command()
@click.argument("path", type=a_file)
@as_json
def restore(path: Path, as_json: bool) -> None:
    """Put a backup in the place of the store.

    The backup at PATH is read through first. What the store holds now is kept beside it, under a name that is printed.

    \b
    Examples:
      memlite restore ~/backups/memory-2026-05-03.db
      memlite --db copy.db restore memory.salvaged.db
    """
    store = config.store_path(click.get_current_context().obj)
    report = options.with_key(path, lambda key: Memory.restore(store, path, key=key))
    if as_json:
        output.document(report)
        return
    click.echo(f"{_held(report)} restored to {report.path}")
    if report.safety_copy:
        output.note(f"what was there before is kept: {report.safety_copy}")


def _held(report: BackupReport) -> str:
    return f"{output.counted(report.messages, 'message')} of {output.counted(report.conversations, 'conversation')}"


@click.command()
@click.argument("path", type=click.Path(path_type=Path, allow_dash=True, dir_okay=False), default="-")
@click.option("--conversation", default="", metavar="NAME", help="Only the conversation of this name.")
@click.option("--project", default="", metavar="NAME", help="Only the conversations of this project.")
def export(path: Path, conversation: str, project: str) -> None:
    """Write everything the store holds as lines of JSON.

    They go to PATH or to stdout, and memlite import takes them. Equal stores give equal bytes; indexes and vectors are
    not in it, as they are made again. An export is not encrypted, whatever the store is.

    \b
    Examples:
      memlite export memory.jsonl
      memlite export --project app | gzip > app.jsonl.gz
    """
    memory = open_memory()
    with _private(path) as stream:
        report = memory.export_store(stream, conversation=conversation, project=project)
    output.note(", ".join(f"{count:,} {table}" for table, count in report.rows.items()) or "nothing to export")


@contextmanager
def _private(path: Path) -> Iterator[BinaryIO]:
    """Give a file that only its owner may read, in its place when it is whole; stdout for -."""
    if str(path) == "-":
        yield sys.stdout.buffer
        return
    part = path.with_name(f".{path.name}.part")
    try:
        # From the first byte on with mode 0600: everything that was ever said is in it.
        with os.fdopen(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(part, path)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}. Give another path, or free some space") from error
    finally:
        part.unlink(missing_ok=True)


@click.command()
@click.option("--fix", is_flag=True, help="Make again what is made of the text; read out what a damaged file holds.")
@click.option("--selftest", is_flag=True, help="Also try out the disk: write, kill, check, in a scratch file (5 s).")
@as_json
def doctor(fix: bool, selftest: bool, as_json: bool) -> None:
    """Look whether the store is well, and say what to do.

    Looking changes nothing. --fix makes indexes and vectors again and asks for objects that are missing; what was said
    is never touched. A file in which SQLite finds damage is not written to: what can be read goes into a new file.
    Ends with 4 when there is an error.

    \b
    Examples:
      memlite doctor
      memlite doctor --fix
      memlite doctor --selftest --json
    """
    path = config.store_path(click.get_current_context().obj)
    found = options.with_key(path, lambda key: Memory.examine(path, fix=fix, selftest=selftest, key=key))
    if as_json:
        output.document(found)
    else:
        click.echo("\n".join(_lines(found)))
    if found.worst == "error":
        click.get_current_context().exit(UNWELL)


def _lines(found: Examination) -> list[str]:
    lines = [f"store     {Path(found.path).absolute()}"]
    for one in found.findings:
        lines += _finding(one)
    lines += [f"fixed     {output.printable(done)}" for done in found.mended]
    if found.salvage:
        saved = found.salvage
        rows = ", ".join(f"{count:,} {table}" for table, count in saved.rows.items())
        lines.append(f"salvaged  into {saved.path}: {rows}")
        if saved.unread:
            lines.append(f"          not all could be read of: {', '.join(saved.unread)}")
        if saved.lost:
            lines.append(f"          left out, as they rest on what is lost: {output.reasons(saved.lost)}")
        lines.append(f"          -> look at it, then: memlite restore {shlex.quote(saved.path)}")
    return lines


def _finding(one: Finding) -> list[str]:
    shown = click.style(f"{MARKS[one.severity]:<10}", fg="red" if one.severity == "error" else None)
    lines = [f"{shown}{one.check}: {output.printable(one.message)}"]
    if one.remedy:
        lines.append(f"          -> {output.printable(one.remedy)}")
    return lines


@click.command()
@click.option("--decrypt", is_flag=True, help="Leave the store without a key.")
@click.option("--new-key-fd", type=int, metavar="N", help="Read the new key from this file descriptor.")
@click.option("--keyring", is_flag=True, help="Keep the new key in the system's keyring.")
def rekey(decrypt: bool, new_key_fd: int | None, keyring: bool) -> None:
    """Encrypt the store, or give it another key.

    The new key is asked for, or comes from a file descriptor; never from an argument, which everybody on the machine
    can read. Whoever loses it loses the store: nobody can open it. Backups keep the key they were made with.

    \b
    Examples:
      memlite rekey
      memlite rekey --new-key-fd 3 3< newkey.txt
      memlite rekey --decrypt
    """
    memory = open_memory()
    key = "" if decrypt else options.new_key(new_key_fd)
    memory.rekey(key)
    if keyring and key:
        memory.keep_key(key)
    click.echo(f"{memory.path} is {'no longer encrypted' if decrypt else 'encrypted with the new key'}")
