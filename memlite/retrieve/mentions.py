"""The month a question names: `in May 2023`, `on 7 May`, `2023-05-07`, `May: why did ...`.

People remember roughly when: the month lifts what was said in it and never hides the rest; on LoCoMo's dated questions
a bonus for the exact day found less. A filter that hides is asked for with --since and --until.
"""

import re

_NAMES = (
    *("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug"),
    *("september sept sep", "october oct", "november nov", "december dec"),
)
_MONTHS = {name: number for number, names in enumerate(_NAMES, start=1) for name in names.split()}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_ISO = re.compile(r"\b(\d{4})-(0[1-9]|1[0-2])(?:-\d{2})?\b")
# May, March and August are also words and names: a month alone needs a preposition, a day, a year or a colon beside it.
# "This may" is nearly always followed by a verb.
_NAMED = re.compile(
    rf"\b(?P<before>(?:in|during|since|until|till|by|from|early|late|mid|last|this(?!.may)|of|{_DAY})[ -])?"
    rf"(?P<month>{_MONTH})\b\.?(?P<day> {_DAY}\b)?(?:,? (?P<year>\d{{4}})\b)?(?P<colon>:)?",
    re.IGNORECASE,
)


def month(text: str) -> str:
    """Return the first month a text names, as `2026-05` or, without a year, `--05`; "" when it names none."""
    found = [(iso.start(), f"{iso[1]}-{iso[2]}") for iso in _ISO.finditer(text)]
    found += [
        (named.start(), f"{named['year'] or '-'}-{_MONTHS[named['month'].casefold()]:02d}")
        for named in _NAMED.finditer(text)
        if named["before"] or named["day"] or named["year"] or named["colon"]
    ]
    return min(found, default=(0, ""))[1]
