"""Keep: what looks after a store."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from msgspec import structs

from memlite import config
from memlite.memory import parts
from memlite.memory.api.opened import Opened
from memlite.models.base import Embedder
from memlite.segment import Rules
from memlite.types.export import ExportReport
from memlite.types.findings import Examination
from memlite.types.report import BackupReport, DistillReport, Status


class Keep(Opened):
    """Methods that look after a store."""

    def reindex(self, *, vectors: bool = False, progress: parts.working.Progress | None = None) -> DistillReport:
        """Make the keyword indexes again from the text, and the vectors that are missing; with `vectors`, all of them.

        `vectors` also takes the store over to another embedding model.

        :raises EmbedderMismatch: the store's vectors are another model's and `vectors` is False
        """
        return parts.keeping.reindex(self._store, self._embedder, self._rules, progress, vectors=vectors)

    def status(self) -> Status:
        """Return what the store holds and what still waits to be done."""
        return parts.keeping.status(self._store, self._embedder)

    def backup(self, path: str | Path, *, force: bool = False) -> BackupReport:
        """Copy the store, which may be in use, to `path`, and read the copy through; it has the store's key.

        :raises UsageError: there is a file already and `force` is False
        :raises StoreDamaged: the copy does not hold what the store held; it is deleted
        """
        target = Path(path).expanduser()
        return parts.backing.back_up(self._store, target, config.busy_timeout_ms(), force=force)

    def export_store(self, stream: BinaryIO, *, conversation: str = "", project: str = "") -> ExportReport:
        """Write everything the store holds as lines of JSON that `import_path` takes; or one conversation, or project.

        Equal stores give equal bytes. Keyword indexes and vectors are not in it: they are made again of the rest.
        """
        return parts.porting.export_store(self._store, stream, conversation=conversation, project=project)

    def rekey(self, key: str) -> None:
        """Encrypt the store with another key, an ordinary one for the first time; an empty key decrypts it.

        :raises StoreBusy: somebody else has the store open
        :raises StoreLocked: this build of SQLite cannot encrypt
        """
        self._store.rekey(key)

    def keep_key(self, key: str) -> None:
        """Let the system's keyring keep the key, so that the store opens without being told it.

        :raises UsageError: the package keyring is missing, or it finds no keyring on this system
        """
        parts.keys.keep_in_keyring(self.path, key)

    @classmethod
    def restore(cls, path: str | Path, backup: str | Path, *, key: str | None = None) -> BackupReport:
        """Put a backup in the place of the store at `path`, whatever its state; what was there is kept beside it.

        :raises StoreMissing: there is no backup
        :raises StoreDamaged: the backup is damaged or no store; nothing is changed
        :raises StoreTooNew: the backup was made by a newer memlite
        """
        source = Path(backup).expanduser()
        key = parts.keys.find_key(source) if key is None else key
        return parts.backing.restore(Path(path).expanduser(), source, key, config.busy_timeout_ms())

    @classmethod
    def examine(
        cls,
        path: str | Path,
        *,
        fix: bool = False,
        selftest: bool = False,
        embedder: Embedder | None = None,
        key: str | None = None,
    ) -> Examination:
        """Look whether a store agrees with itself, however damaged it is; with `fix` mend what is made of the text.

        A file in which SQLite finds damage is never written to: with `fix` what can be read goes into a new file.
        `selftest` also has processes write to a scratch file in the same folder for some seconds, and kills some.

        :raises StoreMissing: there is no file
        :raises StoreLocked: the file is encrypted, and no key or a wrong one was found
        :raises UsageError: that new file is there already
        """
        file = Path(path).expanduser()
        key = parts.keys.find_key(file) if key is None else key
        embedder = cls._embedder_at_hand(embedder)
        busy_timeout_ms = config.busy_timeout_ms()
        if fix:
            found = parts.doctor.mend(file, key, embedder, busy_timeout_ms, Rules())
        else:
            found = parts.doctor.look(file, key, embedder, busy_timeout_ms)
        tried = parts.selftest.torture(file) if selftest else ()
        return structs.replace(found, findings=(*found.findings, *tried))
