"""The extractive extractor: a window in, records out, by rules alone.

It chooses pieces of sentences that are claims, puts names for pronouns and absolute dates for relative ones, and reads
the dimensions off the wording. Every word of a record is a word of its message, the name of a speaker, an absolute form
of a date, or one of a few function words. The same window always gives the same records.
"""

from memlite.extract.records import extract
from memlite.extract.windows import PRESETS, windows

__all__ = ["PRESETS", "VERSION", "extract", "windows"]

VERSION = "extractive-2"
"""Of the rules and weights; stored with each record, so that records of older rules can be told."""
