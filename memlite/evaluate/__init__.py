"""Proof: what memlite finds, measured through the path that users run."""
