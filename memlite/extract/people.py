"""Who `he` and `she` are: the last one spoken of who can be meant.

Only people are resolved, and only where a claim begins with the pronoun: `it` and `they` are wrong more often than not.
"""

import re

from memlite.extract.voice import possessive

_SHE = (
    "wife mother mom mum mama sister daughter aunt auntie grandmother grandma granny girlfriend niece girl lady woman"
)
_HE = "husband father dad papa brother son uncle grandfather grandpa boyfriend nephew boy guy man grandson"
_ANY = (
    "boss friend partner colleague neighbor neighbour cousin teacher doctor landlord manager dog cat baby kid roommate"
)
_GENDER = {word: gender for gender, words in (("she", _SHE), ("he", _HE), ("", _ANY)) for word in words.split()}
_KIN = re.compile(
    rf"\b(?i:my|our)\s+((?:\w+\s+)?(?:{'|'.join(_GENDER)})(?:[- ]in[- ]law)?)\b(?:,?\s+([A-Z][a-zà-ÿ]+)\b)?",
)
_CALLED = re.compile(r"\b([A-Z][a-zà-ÿ]+),?\s+\(?(?i:my|our)\s+((?:\w+\s+)?\w+)")
_TITLED = re.compile(r"\b((?:[Dd]r|Mr|Mrs|Ms|Miss|Madame|Señora?|Frau|Herr|Dona|Seu)\.?\s+[A-Z][\w'-]+)")
_DOES = re.compile(
    r"(?<![\w'’-])([A-Z][a-zà-ÿ]{2,})\s+(?:says?|said|thinks?|thought|wants?|wanted|asked|asks|told|called|calls"
    r"|hates?|loves?"
    r"|likes?|lives|lived|works|worked|came|comes|went|knows|got|brings|brought|gave|took|insists|promised|just)\b"
)
_NAME = re.compile(r"(?<![\w.'’-])([A-ZÀ-Þ][a-zà-ÿ]{2,})\b")
_PRONOUN = re.compile(r"(?P<who>he|she|his|her)(?P<short>['’](?:s|ll|d))?\s+(?=\S)", re.IGNORECASE)
_NOBODY = frozenset(
    """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September
    October November December Christmas Easter The This That They There Then What When Where Which Who How Why But And
    Yes Yeah Not Also Just For God English German French Spanish She He His Her Its Our You Your
    """.split()
)
_VERBS_SHORT = {"s": "is", "ll": "will", "d": "would"}


def _gender(kin: str) -> str:
    """The pronoun for `wife` or `brother-in-law`, or ""."""
    return next((_GENDER[word] for word in re.split(r"[ -]", kin.casefold()) if word in _GENDER), "")


class People:
    """Those spoken of so far in a window, the latest last."""

    def __init__(self) -> None:
        self._known: list[tuple[str, str]] = []
        self._before = 0
        self.names: set[str] = set()

    def turn(self) -> None:
        """Begin a message: who was spoken of before it is known, but `he` is one it speaks of itself."""
        self._before = len(self._known)

    def hear(self, text: str, speaker: str) -> None:
        """Remember whom a text speaks of. `speaker` is the name to put for `my`."""
        if text.islower() and "my " not in text and "our " not in text:
            return
        found = [(name.start(), name[1], "") for name in (*_TITLED.finditer(text), *_DOES.finditer(text))]
        found += [
            (kin.start(), kin[2] or f"{possessive(speaker)} {kin[1]}", _gender(kin[1])) for kin in _KIN.finditer(text)
        ]
        found += [(name.start(), name[1], _gender(name[2])) for name in _CALLED.finditer(text)]
        known = {name for name, _ in self._known}
        found += [(name.start(), name[1], "") for name in _NAME.finditer(text) if name[1] in known]
        for _, name, gender in sorted(found):
            if name not in _NOBODY:
                self.names.add(name)
                self._note(name, gender or dict(self._known).get(name, ""))

    def _note(self, name: str, gender: str) -> None:
        if (name, gender) not in self._known[self._before :]:
            self._known.append((name, gender))

    def resolved(self, text: str) -> str:
        """Put the name for a pronoun a text begins with."""
        pronoun = _PRONOUN.match(text)
        if not pronoun:
            return text
        who = pronoun["who"].casefold()
        gender = "she" if who in ("she", "her") else "he"
        near = self._known[self._before :]
        certain = [name for name, known in near if known == gender]
        maybe = [name for name, known in near if not known]
        if not certain and len(maybe) != 1:
            return text
        name = (certain or maybe)[-1]
        said = possessive(name) if who in ("his", "her") else name
        rest = text[pronoun.end() :]
        if not pronoun["short"]:
            return f"{said} {rest}"
        short = _VERBS_SHORT[pronoun["short"][1:].casefold()]
        return f"{said} {'has' if short == 'is' and rest.startswith(('got ', 'been ')) else short} {rest}"
