"""Words that say nothing about what is sought.

They are left out of the keyword route when other words remain: they match nearly every exchange, which costs time (bm25
is computed for each match) and moves no rank that matters.
"""

STOP = frozenset(
    """
    a about after again all also am an and any are as at be because been before being but by can could did do does doing
    don't during each few for from further had has have having he her here hers him his how i i'd i'll i'm i've if in
    into is isn't it it's its just let let's me might more most my no nor not now of off on once only or other our ours
    out over own same shall she should so some such than that that's the their theirs them then there these they they're
    this those through to too under until up us very was wasn't we we're were weren't what what's when when's where
    where's which while who who's whom whose why will with won't would wouldn't you you're your yours
    """.split()
)
