"""Commands that bring text in: init, add, import."""

import io
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import structs

from memlite import config, importers
from memlite.cli import options, output
from memlite.cli.keep import summary
from memlite.cli.options import as_json, open_memory
from memlite.errors import UsageError
from memlite.importers.encoding import encoding_of, repair
from memlite.importers.generic import SOURCE as GENERIC
from memlite.memory import DEFAULT_CONVERSATION, Memory
from memlite.memory.files import total
from memlite.text import clock
from memlite.text.digest import digest
from memlite.text.times import now
from memlite.types.report import DistillReport, ImportReport

Messages = list[Mapping[str, object]]

allow_reimport = click.option("--allow-reimport", is_flag=True, help="Let come back what was forgotten.")
no_distill = click.option("--no-distill", is_flag=True, help="Store only; memlite distill does the rest later.")


@click.command()
@click.option("--encrypt", is_flag=True, help="Encrypt it with a key: asked for, from --key-fd, or in MEMLITE_KEY.")
@click.option("--keyring", is_flag=True, help="Keep the key in the system's keyring.")
@click.pass_obj
def init(db: str | None, encrypt: bool, keyring: bool) -> None:
    """Make a store.

    The file is readable by you only. A store that is there already stays as it is. Whoever loses the key of an
    encrypted store loses the store.

    \b
    Examples:
      memlite init
      memlite --db project.db init
      memlite --db secret.db init --encrypt --keyring
    """
    path = config.store_path(db)
    there = path.exists()
    if path.parent == config.data_dir():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = None if there or not encrypt else options.key_for_new_store()
    memory = open_memory(create=True, key=key)
    if key and keyring:
        memory.keep_key(key)
    click.echo(f"there is a store at {path} already" if there else f"made a store at {path}")
    output.note("next: memlite import PATH, or memlite add TEXT")


@click.command()
@click.argument("text", nargs=-1, type=options.text)
@click.option(
    "--conversation", type=options.text, default="", help="The conversation it belongs to. Default: one of its own."
)
@click.option("--project", type=options.text, default="", help="The project it belongs to.")
@click.option("--title", type=options.text, default="", help="A title for the conversation.")
@click.option("--role", type=click.Choice(["user", "assistant"]), help="Who says it. Default: user")
@click.option("--speaker", type=options.text, default="", help="Who says it, by name.")
@click.option("--at", type=options.text, default="", metavar="TIME", help="When it was said (ISO-8601). Default: now")
@no_distill
@allow_reimport
@as_json
def add(
    text: tuple[str, ...],
    conversation: str,
    project: str,
    title: str,
    role: str | None,
    speaker: str,
    at: str,
    no_distill: bool,
    allow_reimport: bool,
    as_json: bool,
) -> None:
    """Store a message, or messages from stdin.

    Stdin may hold messages as JSON or JSONL, {"role" or "speaker", "content", "timestamp"?, "conversation"?}; any
    other text is one message.

    \b
    Examples:
      memlite add "The staging database moved to port 6543."
      memlite add --conversation standup --speaker Nadia < notes.txt
      jq -c .messages[] export.json | memlite add --project app
    """
    about = {"role": role, "speaker": speaker, "timestamp": at}
    note, messages = _given(" ".join(text) if text else None, about)
    memory = open_memory()
    where = conversation or note or DEFAULT_CONVERSATION
    report = memory.add(messages, conversation=where, project=project, title=title, allow_reimport=allow_reimport)
    _finish(memory, report, distill=not no_distill, as_json=as_json)


def _given(text: str | None, about: Mapping[str, str | None]) -> tuple[str, Messages]:
    """Return messages to store, and for plain text the conversation it makes up by itself.

    A note is not the next line of the last one, and the same note twice is one note, whenever it was typed.
    """
    found = text if text is not None else _from_stdin(about)
    if not isinstance(found, str):
        return "", found
    note = f"note-{digest(found, about['speaker'] or '', about['timestamp'] or '')}"
    return note, [{"id": note, **_one_message(found, about)}]


def _one_message(text: str, about: Mapping[str, str | None]) -> Mapping[str, object]:
    if not text.strip():
        raise UsageError("there is no text. Give it as an argument or on stdin")
    given = {name: value for name, value in about.items() if value}
    at = about["timestamp"]
    if at and clock.parse(at) == clock.UNKNOWN:
        raise UsageError(f"cannot read --at {at!r} as a time. Write it as 2026-05-03T10:00:00+02:00")
    if not ("role" in given or "speaker" in given):
        given["role"] = "user"
    return {"timestamp": now(), **given, "content": text}


def messages_on_stdin() -> Messages:
    """Return the messages on stdin; text that is no messages is one, of the user's."""
    found = _from_stdin({})
    return [{"role": "user", "content": found}] if isinstance(found, str) else found


def _from_stdin(about: Mapping[str, str | None]) -> Messages | str:
    """Return the messages on stdin, or its text when it holds anything else."""
    if sys.stdin.isatty():
        raise UsageError("there is no text. Give it as an argument or on stdin")
    data = sys.stdin.buffer.read()
    found = importers.detect(io.BytesIO(data))
    text = repair(data.decode(encoding_of(data), "replace"))
    if found is None:
        return text
    if found.source != GENERIC:
        raise UsageError(f"stdin is a transcript of {found.source}. Import it with: memlite import -")
    if any(about.values()):
        raise UsageError("the messages on stdin say themselves who spoke and when. Leave out --role, --speaker, --at")
    return _parse(text, lines=found.layout == "jsonl")


def _parse(text: str, *, lines: bool) -> Messages:
    """Return the messages in JSON text; all or none, since a hook must learn that it wrote nonsense."""
    parts = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()] if lines else [(1, text)]
    messages: Messages = []
    for number, part in parts:
        try:
            value = msgspec.json.decode(part, type=dict[str, Any] | list[dict[str, Any]])
        except msgspec.DecodeError as error:
            raise UsageError(
                f"stdin line {number} is no message ({error}). Nothing is stored; to store the rest: memlite import -"
            ) from error
        messages += value if isinstance(value, list) else [value]
    return messages


@click.command("import")
@click.argument(
    "paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(exists=True, allow_dash=True, path_type=Path)
)
@no_distill
@click.option("--subagents", is_flag=True, help="Take in the transcripts of sub-agents too.")
@allow_reimport
@as_json
def import_(paths: tuple[Path, ...], no_distill: bool, subagents: bool, allow_reimport: bool, as_json: bool) -> None:
    """Import transcripts from files and folders.

    Formats are told by their content. Folders are searched; - is stdin. What is stored already is not stored again,
    so the same command brings a store up to date.

    \b
    Examples:
      memlite import ~/.claude/projects
      memlite import chat.jsonl notes.json
    """
    memory = open_memory()
    with output.progress() as bars:
        show = (lambda path, done, total: bars("import", done, total)) if bars else None
        settings = {"subagents": subagents, "allow_reimport": allow_reimport}
        report = total([_import_one(memory, path, settings, show) for path in paths])
    _finish(memory, report, distill=not no_distill, as_json=as_json)


def _import_one(
    memory: Memory, path: Path, settings: Mapping[str, bool], show: Callable[[str, int, int], None] | None
) -> ImportReport:
    if str(path) == "-":
        given = io.BytesIO(sys.stdin.buffer.read())
        return memory.import_stream(given, allow_reimport=settings["allow_reimport"])
    return memory.import_path(path, progress=show, **settings)


def _finish(memory: Memory, report: ImportReport, *, distill: bool, as_json: bool) -> None:
    """Say what was stored, then distil. The report comes out also when distilling fails: the text is stored by then."""
    if not as_json:
        click.echo("\n".join(_lines(report)))
    done: DistillReport | None = None
    try:
        if distill:
            with output.progress() as bars:
                done = memory.distill(progress=bars)
    finally:
        if as_json:
            output.document({**structs.asdict(report), "distill": done})
    if done and not as_json:
        click.echo(summary(done))


def _lines(report: ImportReport) -> list[str]:
    skipped = sum(report.skipped.values())
    lines = [
        f"{output.counted(report.records_in, 'record')}: {report.stored:,} stored, {report.duplicate:,} duplicate, "
        f"{skipped:,} skipped",
        f"new: {output.counted(report.conversations, 'conversation')}, {output.counted(report.exchanges, 'exchange')}",
    ]
    if report.exchange_ids:
        lines.append(f"show it with: memlite show {report.exchange_ids[-1]}")
    if report.skipped:
        lines.append(f"skipped: {output.reasons(report.skipped)}")
    if report.dropped:
        lines.append(f"not kept of stored records: {output.reasons(report.dropped)}")
    return [*lines, *output.issues(report.issues)]
