"""How fast memlite is and how much memory and disk it takes, beside floors measured in the same run.

    python benchmarks/speed.py [--sizes 1000,15000,100000] [--parts ingest,add,search,cold,memory,size]
                               [--cache FOLDER] [--json FILE]

The stores are of generated conversations (see generate.py and stores.py) and kept in the cache folder, by default a
temporary one. Times are medians and 95th percentiles of wall clock on a machine that may be busy: judge by the ratio to
the floor of the same run. The floors are FTS5 and numpy without memlite.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import ingesting, processes, searching
from benchmarks.figures import Figure, table
from memlite import config

PARTS: dict[str, Callable[[Path, Path, Sequence[int]], list[Figure]]] = {
    "ingest": ingesting.measure_ingest,
    "add": ingesting.measure_add,
    "search": searching.measure,
    "cold": processes.measure_cold,
    "memory": processes.measure_memory,
    "size": ingesting.measure_size,
}


def measure(parts: Sequence[str], sizes: Sequence[int], folder: Path, models: Path) -> dict[str, list[Figure]]:
    """Measure the parts; `folder` keeps the generated stores, `models` the optimised embedding model."""
    found = {}
    for part in parts:
        found[part] = PARTS[part](folder, models, sizes)
        print(f"\n{part}\n{table(found[part])}", flush=True)
    return found


def main() -> None:
    """Read the arguments, measure, print a table a part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,15000,100000", help="exchanges in the stores, with commas between")
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--cache", type=Path, help="folder that keeps the generated stores for the next run")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    given = parser.parse_args()
    parts = given.parts.split(",")
    if unknown := set(parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}. Choose from: {', '.join(PARTS)}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.cache or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        found = measure(parts, [int(size) for size in given.sizes.split(",")], folder, config.cache_dir())
    if given.json:
        given.json.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1))


if __name__ == "__main__":
    main()
