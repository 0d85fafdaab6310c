"""Every exception memlite raises. Each names the thing, the cause and the next step, and knows its exit code."""


class MemliteError(Exception):
    """Base of all memlite errors; the command prints the message and exits with `exit_code`."""

    exit_code = 1


class UsageError(MemliteError):
    """The caller asked for something that cannot be understood, such as a date no form fits."""

    exit_code = 2


class NotFound(MemliteError):
    """An id that the store does not hold."""

    exit_code = 2


class StoreMissing(MemliteError):
    """There is no store at the path."""

    exit_code = 3


class StoreDamaged(MemliteError):
    """The file is not a memlite store, or SQLite finds it malformed."""

    exit_code = 4


class StoreLocked(StoreDamaged):
    """The file opens only with a key, and none or a wrong one was given; a file of noise looks the same."""


class StoreTooNew(MemliteError):
    """The store was written by a newer memlite."""

    exit_code = 4


class StoreBusy(MemliteError):
    """Another process held the write lock longer than the busy timeout."""

    exit_code = 5


class ModelUnusable(MemliteError):
    """A model file is missing, damaged or not what it claims to be."""

    exit_code = 6


class EmbedderMismatch(ModelUnusable):
    """The store's vectors were made by another embedding model."""


class BadTranscript(MemliteError):
    """A file that no importer can read."""

    exit_code = 2
