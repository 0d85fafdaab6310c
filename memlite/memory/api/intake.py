"""In: what puts text into a store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import BinaryIO

from memlite.memory import parts
from memlite.memory.api.opened import Opened
from memlite.text.clean import clean
from memlite.types.report import ImportReport

DEFAULT_CONVERSATION = "default"


class Intake(Opened):
    """Methods that store text."""

    def add(
        self,
        messages: Iterable[Mapping[str, object]],
        *,
        conversation: str = DEFAULT_CONVERSATION,
        project: str = "",
        title: str = "",
        allow_reimport: bool = False,
    ) -> ImportReport:
        """Store messages; they are durable and findable by keyword on return, and wait to be distilled.

        Each is `{"role" or "speaker": ..., "content": ..., "timestamp"?: ..., "id"?: ...}`. Messages that the
        conversation holds already are not stored again, nor are those that were forgotten, unless `allow_reimport`
        lets them come back.
        """
        return parts.files.add_messages(
            self._store,
            self._rules,
            messages,
            conversation=clean(conversation),
            project=clean(project),
            title=clean(title),
            allow_reimport=allow_reimport,
        )

    def import_path(
        self,
        path: str | Path,
        *,
        subagents: bool = False,
        allow_reimport: bool = False,
        progress: parts.files.Progress | None = None,
    ) -> ImportReport:
        """Import a transcript, or every transcript under a folder; what is stored already is not stored again.

        `subagents` takes in sub-agents' transcripts too, `allow_reimport` what was forgotten. `progress` is called with
        (path, files done, files in all).

        :raises BadTranscript: there is nothing at the path
        """
        return parts.files.import_path(
            self._store,
            self._rules,
            Path(path).expanduser(),
            subagents=subagents,
            allow_reimport=allow_reimport,
            progress=progress,
        )

    def import_stream(self, stream: BinaryIO, *, name: str = "stdin", allow_reimport: bool = False) -> ImportReport:
        """Import a transcript from a seekable stream; `name` stands in for a conversation id it does not give.

        :raises BadTranscript: it is in no format that memlite reads
        """
        return parts.files.import_stream(self._store, self._rules, stream, name, allow_reimport=allow_reimport)
