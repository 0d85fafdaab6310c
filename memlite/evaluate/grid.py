"""Every way to search that memlite can name: pure, within one layer, and across layers.

The family of arXiv 2603.13017 is counted there as 107 without a list; this one is memlite's own, and printed.
Names read `V:bm25+D[core]:dense/rrf`: layers V verbatim, D distilled, R records; fields of the layer; route; fusion.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import get_args

from msgspec import structs

from memlite.retrieve.plans import ABLATIONS, PLANS, ROUTES, Fusion, Plan
from memlite.retrieve.routes import Fields, Route

FUSIONS: tuple[Fusion, ...] = ("combmnz", "rrf", "weighted")
FIELDS: tuple[Fields, ...] = get_args(Fields)
DENSE: dict[str, Route] = {
    "dense": ROUTES["dense:distilled"],
    "dense.bytes": structs.replace(ROUTES["dense:distilled"], precision="bytes"),
    "dense.bits": structs.replace(ROUTES["dense:distilled"], precision="bits"),
}
"""By meaning over objects: as shipped (bits, then bytes), exact over bytes, by bits alone."""
Parts = tuple[str, tuple[Route, ...]]


def _verbatim() -> Iterator[Parts]:
    yield "V:bm25", (ROUTES["bm25:verbatim"],)
    yield "V:dense", (ROUTES["dense:verbatim"],)


def _distilled() -> Iterator[Parts]:
    for fields in FIELDS:
        yield f"D[{fields}]:bm25", (structs.replace(ROUTES["bm25:distilled"], fields=fields),)
    for name, route in DENSE.items():
        yield f"D:{name}", (route,)


def _records() -> Iterator[Parts]:
    for fields in ("core", "all"):
        yield f"R[{fields}]:bm25", (structs.replace(ROUTES["bm25:records"], fields=fields),)
    yield "R:dense", (ROUTES["dense:records"],)
    yield "R:dimensional", (ROUTES["dimensional:records"],)


def _joined(*parts: Parts) -> Parts:
    return "+".join(name for name, _ in parts), tuple(route for _, routes in parts for route in routes)


def _pure() -> Iterator[Plan]:
    for name, routes in (*_verbatim(), *_distilled(), *_records()):
        yield Plan(name, routes, "weighted")


def _same_layer() -> Iterator[Plan]:
    distilled, records = list(_distilled()), list(_records())
    words, meaning = distilled[: len(FIELDS)], distilled[len(FIELDS) :]
    pairs = [tuple(_verbatim()), *product(words, meaning), *product(records[:2], records[2:]), (records[2], records[3])]
    for pair, fusion in product(pairs, (*FUSIONS, "hybrid")):
        name, routes = _joined(*pair)
        yield Plan(f"{name}/{fusion}", routes, _fusion(fusion))


def _cross_layer() -> Iterator[Plan]:
    verbatim, distilled, records = list(_verbatim()), list(_distilled()), list(_records())
    sets: list[tuple[Parts, ...]] = [
        *product(verbatim, distilled),
        *product(verbatim, records),
        *product(distilled, records),
    ]
    sets += [(verbatim[0], words, distilled[len(FIELDS)]) for words in distilled[: len(FIELDS)]]
    for parts, fusion in product(sets, FUSIONS):
        name, routes = _joined(*parts)
        yield Plan(f"{name}/{fusion}", routes, fusion)


def _fusion(name: str) -> Fusion:
    return next(fusion for fusion in get_args(Fusion) if fusion == name)


def grid() -> dict[str, Sequence[Plan]]:
    """Return every plan by its family: named, pure, same-layer, cross-layer."""
    return {
        "named": (*PLANS.values(), *ABLATIONS.values()),
        "pure": tuple(_pure()),
        "same-layer": tuple(_same_layer()),
        "cross-layer": tuple(_cross_layer()),
    }
