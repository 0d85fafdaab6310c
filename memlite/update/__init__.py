"""Memory that changes its mind: which records say the same, which take another's place, and why."""
