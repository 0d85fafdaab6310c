"""What speakers are called in a record."""

from collections.abc import Sequence

from memlite.extract.voice import Voice
from memlite.text.words import cjk_share, language, words
from memlite.types.records import Heard, Window

_ROLES = {
    "en": ("the user", "the assistant"),
    "de": ("der Nutzer", "der Assistent"),
    "fr": ("l'utilisateur", "l'assistant"),
    "es": ("el usuario", "el asistente"),
    "pt": ("o usuário", "o assistente"),
    "zh": ("用户", "助手"),
    "ja": ("ユーザー", "アシスタント"),
}
_NO_NAMES = frozenset(["", "user", "assistant", "human", "ai", "model"])
_KANA = "\u3040", "\u30ff"


def language_of(messages: Sequence[Heard]) -> str:
    """The language most of a window is in; `zh` or `ja` where it is written without spaces."""
    text = "\n".join(message.content[:600] for message in messages)
    if cjk_share(text) > 0.25:
        kana = sum(_KANA[0] <= char <= _KANA[1] for char in text)
        return "ja" if kana * 10 > len(text) else "zh"
    return language(words(text))


def name_of(message: Heard, lang: str) -> str:
    """The speaker's name, or what the role is called."""
    if message.speaker.casefold() not in _NO_NAMES:
        return message.speaker
    return _ROLES[lang][message.role == "assistant"]


def voice_of(message: Heard, window: Window, lang: str) -> Voice:
    """Who `I` and `you` are in a message. Among more than two people `you` may be anybody."""
    me = name_of(message, lang)
    others = {name_of(one, lang) for one in window.messages} - {me}
    if not others and window.style == "assistant":
        others = {_ROLES[lang][message.role == "user"]}
    return Voice(me, others.pop() if len(others) == 1 else "")
