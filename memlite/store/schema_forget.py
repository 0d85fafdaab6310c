"""A step of the schema: what was forgotten on purpose."""

STEP: tuple[str, ...] = ()
