"""Many plans over one data set, through `Memory`: every store is made once, every question read once.

A question without a day of its own is asked on the last day its store knows, so that figures do not depend on today.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from memlite.evaluate.metrics import DEPTH
from memlite.memory import Memory
from memlite.retrieve.plans import Plan
from memlite.types.evaluation import PERFECT, Dataset, Outcome, Place, Question

Progress = Callable[[str, int, int], None]
"""(name of the store, questions done, questions in all)"""
TOP = 10


class Trial(NamedTuple):
    """A store that is ready to be asked, and what to ask."""

    name: str
    memory: Memory
    questions: Sequence[Question]


def trials(dataset: Dataset, cache: Path | None = None, *, verbatim: bool = False) -> Iterator[Trial]:
    """Yield the stores of a data set in turn: imported, distilled, embedded; with `verbatim` also word for word.

    With `cache`, they are kept in a folder there that is named by the data's digest.
    """
    with TemporaryDirectory() as temporary:
        folder = cache / dataset.digest if cache else Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for number, case in enumerate(dataset.cases):
            # Not named by the case: that is data, and may be any text.
            with Memory(folder / f"{number}.db", key="") as memory:
                memory.import_stream(BytesIO(case.transcript), name=case.name)
                memory.distill()
                if verbatim:
                    memory.embed(verbatim=True)
                yield Trial(case.name, memory, case.questions)


def needs_verbatim(plans: Sequence[Plan]) -> bool:
    """Say whether a plan looks at the meaning of what was said, word for word."""
    return any(route.name == "dense:verbatim" for plan in plans for route in plan.routes)


def sweep(
    dataset: Dataset, plans: Sequence[Plan], *, cache: Path | None = None, progress: Progress | None = None
) -> Iterator[Outcome]:
    """Ask every answerable question under every plan, and yield what each found."""
    for trial in trials(dataset, cache, verbatim=needs_verbatim(plans)):
        yield from ask(trial, plans, progress=progress)


def ask(trial: Trial, plans: Sequence[Plan], *, progress: Progress | None = None) -> Iterator[Outcome]:
    """Ask a store questions under every plan; those that nothing answers are left out."""
    asked = [question for question in trial.questions if not question.unanswerable]
    if not asked:
        return
    last_day = _last_day(trial.memory)
    trial.memory.rank(asked[0].text, plans, limit=1)  # the first question loads the model, and would seem slow
    holders = trial.memory.holders(sorted({id for question in asked for id in question.gold}))
    places: dict[int, Place] = {}
    for done, question in enumerate(asked, start=1):
        asked_at = date.fromisoformat(question.asked_at) if question.asked_at else last_day
        # A conversation is found by its best exchange, so its place is looked for deeper down.
        limit = 10 * DEPTH if question.conversations else DEPTH
        rankings = trial.memory.rank(question.text, plans, limit=limit, asked_at=asked_at)
        unknown = {id for ranking in rankings.values() for id, _ in ranking.found} - places.keys()
        places |= trial.memory.places(sorted(unknown))
        judged = _judged(question, holders)
        for plan, ranking in rankings.items():
            found = [places[id] for id, _ in ranking.found]
            yield judge(question, judged, found, trial.name, plan, 1000 * ranking.seconds)
        if progress:
            progress(trial.name, done, len(asked))


def _last_day(memory: Memory) -> date | None:
    newest = memory.search("", limit=1, since="1900", sort="newest", include_automated=True).hits
    return date.fromisoformat(newest[0].said_at[:10]) if newest and newest[0].said_at else None


def _judged(question: Question, holders: Mapping[str, set[int]]) -> tuple[int, ...]:
    """Return the grades of all exchanges that are judged, best first. A gold message without an exchange counts."""
    if question.conversations:
        return (PERFECT,) * len(question.conversations)
    grades: dict[int | str, int] = {}
    for id, grade in question.gold.items():
        for holder in holders.get(id, (id,)):
            grades[holder] = max(grade, grades.get(holder, 0))
    return tuple(sorted(grades.values(), reverse=True))


def judge(
    question: Question,
    judged: tuple[int, ...],
    found: Sequence[Place],
    case: str = "",
    plan: str = "",
    milliseconds: float = 0.0,
) -> Outcome:
    """Grade a ranking by a question's gold: by messages, or by conversations where the question names those.

    `judged` are the grades of all there is to find, best first.
    """
    if question.conversations:
        ranked = list(dict.fromkeys(place.conversation for place in found))[:DEPTH]
        within = tuple(int(name in question.conversations) for name in ranked)
        grades, gold = tuple(PERFECT * one for one in within), len(question.conversations)
    else:
        grades = tuple(max((question.gold.get(id, 0) for id in place.ids), default=0) for place in found)
        best = max(question.gold.values())
        wanted = {id for id, grade in question.gold.items() if grade == best}
        within, gold = tuple(len(wanted.intersection(place.ids)) for place in found), len(wanted)
    tokens = sum(place.tokens for place in found[:TOP])
    return Outcome(case, question.id, question.category, plan, grades, within, gold, judged, milliseconds, tokens)
