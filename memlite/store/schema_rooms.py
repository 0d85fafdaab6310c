"""A step of the schema: names that rooms go by."""

STEP: tuple[str, ...] = ()
