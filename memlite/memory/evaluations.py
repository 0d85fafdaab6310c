"""The door to the file of results, for evaluations: they reach what is stored through memory, as everyone above it."""

from memlite.store.evaluations import add_run, get_outcomes, get_runs

__all__ = ["add_run", "get_outcomes", "get_runs"]
