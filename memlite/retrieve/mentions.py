"""The month a question names: `in May 2023`, `on 7 May`, `2023-05-07`, `May: why did ...`.

People remember roughly when: the month lifts what was said in it and never hides the rest; on LoCoMo's dated questions
a bonus for the exact day found less. A filter that hides is asked for with --since and --until.
"""

import re

from memlite.text.when import find_times

_MONTH = re.compile(r"(?:\d{4}|-)-\d\d")


def month(text: str) -> str:
    """Return the first month a text names, as `2026-05` or, without a year, `--05`; "" when it names none."""
    for time in find_times(text):
        first, last = _MONTH.match(time.start), _MONTH.match(time.end)
        if first and last and (first[0] == last[0] or time.relation == "between"):
            return first[0]
    return ""
