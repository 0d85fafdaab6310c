"""The distilled form of an exchange."""

from typing import Literal

from msgspec import Struct

from memlite.types.transcript import Style, ToolUse

RoomType = Literal["file", "concept", "workflow"]
FileAction = Literal["read", "modified", "created", "deleted", "discussed", "referenced"]
Engine = Literal["extractive", "gguf", "external"]


class Turn(Struct, frozen=True):
    """What one speaker said in an exchange."""

    role: Literal["user", "assistant"]
    content: str
    speaker: str = ""
    said_at: str | None = None

    @property
    def label(self) -> str:
        """The name to show: the speaker's where there is one, else the role."""
        return self.speaker or self.role


class Exchange(Struct, frozen=True):
    """A question and what answered it: the unit that is distilled and searched."""

    turns: tuple[Turn, ...]
    tools: tuple[ToolUse, ...] = ()
    style: Style = "assistant"
    project: str = ""
    cwd: str = ""

    @property
    def text(self) -> str:
        """The whole exchange, `label: content` a turn, joined by blank lines."""
        return "\n\n".join(f"{turn.label}: {turn.content}" for turn in self.turns)


class FileTouched(Struct, frozen=True):
    """A file an exchange names, and what was done with it."""

    path: str
    action: FileAction


class Room(Struct, frozen=True):
    """A topic that collects objects. `relevance` lies in 0 to 1."""

    type: RoomType
    key: str
    label: str
    relevance: float = 1.0


class Evidence(Struct, frozen=True):
    """Where a part of an object stands word for word: characters `start` to `end` of a turn's content."""

    field: Literal["exchange_core", "specific_context"]
    turn: int
    """0-based, in the exchange."""
    start: int
    end: int


class PalaceObject(Struct, frozen=True):
    """One exchange, distilled: what it was about, its one exact detail, its rooms, its files."""

    exchange_core: str
    specific_context: str
    rooms: tuple[Room, ...] = ()
    files: tuple[FileTouched, ...] = ()
    engine: Engine = "extractive"

    @property
    def distilled_text(self) -> str:
        """What is embedded: core and context."""
        return join_distilled(self.exchange_core, self.specific_context)


def join_distilled(exchange_core: str, specific_context: str) -> str:
    """Return the distilled text of an object."""
    return f"{exchange_core}\n{specific_context}".strip()


class Proposal(Struct, frozen=True):
    """What a model, here or elsewhere, would have an object say; a field it says nothing of is empty."""

    exchange_core: str = ""
    specific_context: str = ""
    rooms: tuple[Room, ...] = ()


class Settled(Struct, frozen=True):
    """What came of a proposal: the object to store, and for each proposed field what became of it."""

    object: PalaceObject
    outcomes: dict[str, str]
    """`exchange_core`, `specific_context`, `rooms` -> `improved`, `same`, or why the extractive value was kept."""
