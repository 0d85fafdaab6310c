"""`memlite bench` at full length and with large stores, which are made with the shortcut of stores.py and kept.

python benchmarks/speed.py [--sizes 1000,15000,100000] [--parts ingest,add,search,cold,memory,size]
                           [--cache FOLDER] [--json FILE]
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.stores import VERSION, fill
from memlite import config
from memlite.evaluate.bench.figures import table
from memlite.evaluate.bench.run import PARTS, measure, report
from memlite.evaluate.bench.stores import FULL, Stores


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
    sizes = [int(size) for size in given.sizes.split(",")]
    started = time.monotonic()
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.cache or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for part, figures in measure(parts, sizes, Stores(folder, config.cache_dir(), FULL, fill, VERSION)):
            found[part] = figures
            print(f"\n{part}\n{table(figures)}", flush=True)
    if given.json:
        given.json.write_bytes(msgspec.json.format(msgspec.json.encode(report(found, sizes, started)), indent=1))


if __name__ == "__main__":
    main()
