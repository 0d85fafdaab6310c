"""`python -m memlite` is the command `memlite`."""

from memlite.cli import main

main()
