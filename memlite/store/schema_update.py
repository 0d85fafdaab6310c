"""A step of the schema: records that take the place of others, and the history of decisions."""

STEP: tuple[str, ...] = ()
