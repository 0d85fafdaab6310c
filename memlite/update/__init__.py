"""Memory that changes its mind: which records say the same, which take another's place, and why."""

from memlite.update.decide import decide as decide
