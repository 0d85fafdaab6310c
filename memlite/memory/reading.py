"""A model reads for records too, beside the rules: it adds to what they found and takes nothing away.

One exchange is claimed at a time, as for a better object, and what a model has read is written down with its digest and
the version of its prompt, so a run goes on where the last one stopped.
"""

from functools import partial

from memlite.extract.model import extract_with
from memlite.extract.prompting import VERSION
from memlite.memory import embedding, extracting
from memlite.memory.working import Bounds, Progress, Run, Tally, giving_back, owner, recover, repeat
from memlite.models.base import Embedder, Generator
from memlite.store import readings
from memlite.store.connection import Store
from memlite.store.records import Maker
from memlite.store.upgrades import Scope


def work(
    store: Store,
    embedder: Embedder | None,
    generator: Generator,
    bounds: Bounds,
    progress: Progress | None,
    *,
    again: bool = False,
) -> Tally:
    """Have a model read what none has read yet, within bounds; with `again` also what another one has.

    :raises ModelUnusable: the model cannot be used; what it had read by then is written
    """
    run = Run(store, owner(), bounds, progress)
    maker = Maker("gguf", generator.info.digest, VERSION)
    engine = extracting.Engine(extract_with(generator, run.tally.records_refused), maker, "upgrade-record")
    with store.transaction() as con:
        readings.ask(con, Scope(bounds.project, again, maker.model, maker.version))
    recover(store)
    with giving_back(store, run.me):
        repeat(run, readings.KIND, partial(extracting.extract_some, run, engine), 1, bounds.within)
        if embedder is not None:
            embedding.embed_waiting(run, embedder, "records")
    return run.tally
