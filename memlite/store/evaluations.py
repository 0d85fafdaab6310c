"""The file that keeps what evaluations found: a row a run, a row a question and plan, so that SQL can make any figure.

It is no store and holds no text of one: ids, grades and numbers only.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw
import msgspec

from memlite.errors import UsageError
from memlite.store.connection import translated
from memlite.types.evaluation import Outcome, RunRecord

APPLICATION_ID = 0x6D6C6576  # "mlev"
BUSY_MS = 5_000

TABLES = """
create table run (
    id integer primary key,
    dataset text not null,
    data_digest text not null,   -- of all transcripts and questions
    embedder text not null,      -- digest of the embedding model
    version text not null,
    "commit" text not null,      -- '' outside a checkout; '+' at its end: with changes that were not committed
    machine text not null,
    started_at text not null,
    settings text not null check (json_valid(settings)),
    skipped text not null check (json_valid(skipped))  -- questions that were not asked, by reason
) strict;
create table outcome (
    run_id integer not null references run (id),
    plan text not null,
    case_name text not null,
    question text not null,      -- id in the data set
    category text not null,
    grades text not null check (json_valid(grades)),  -- the best grade at each rank, best first
    found text not null check (json_valid(found)),    -- gold messages of the best grade at each rank
    gold integer not null check (gold >= 0),
    ideal text not null check (json_valid(ideal)),    -- all grades there are, best first
    milliseconds real not null,
    tokens integer not null check (tokens >= 0),
    primary key (run_id, plan, case_name, question)
) strict, without rowid;
"""
ADD_RUN = """
insert into run (dataset, data_digest, embedder, version, "commit", machine, started_at, settings, skipped)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)
returning id
"""
ADD_OUTCOME = "insert into outcome values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
GET_RUNS = """
select id, dataset, data_digest, embedder, version, "commit", machine, started_at, settings, skipped
from run order by id
"""
GET_OUTCOMES = """
select case_name, question, category, plan, grades, found, gold, ideal, milliseconds, tokens
from outcome where run_id = ? order by plan, case_name, question
"""


@contextmanager
def _opened(path: Path) -> Iterator[apsw.Connection]:
    with translated(path), closing(apsw.Connection(str(path))) as con:
        con.set_busy_timeout(BUSY_MS)
        con.pragma("foreign_keys", True)
        with con:
            known = con.pragma("application_id")
            if known != APPLICATION_ID:
                if con.execute("select count(*) from sqlite_schema").get:
                    raise UsageError(f"{path} is another kind of SQLite file. Name a new file for results")
                con.pragma("application_id", APPLICATION_ID)
                con.execute(TABLES)
            yield con


def add_run(path: Path, run: RunRecord, outcomes: Iterable[Outcome]) -> int:
    """Add a run with all its outcomes in one transaction, and return its id; the file is made where there is none.

    :raises UsageError: the file is something else
    """
    listed = list(outcomes)  # a plan may still be searching: not while the file is locked
    with _opened(path) as con:
        row = (run.dataset, run.data_digest, run.embedder, run.version, run.commit, run.machine, run.started_at)
        id: int = con.execute(ADD_RUN, (*row, _json(run.settings), _json(run.skipped))).get
        con.executemany(ADD_OUTCOME, ((id, *_row(outcome)) for outcome in listed))
    return id


def get_runs(path: Path) -> dict[int, RunRecord]:
    """Return every run by its id, oldest first.

    :raises UsageError: there is no such file, or it is something else
    """
    with _opened(_existing(path)) as con:
        return {id: _run(*row) for id, *row in con.execute(GET_RUNS)}


def get_outcomes(path: Path, run_id: int) -> list[Outcome]:
    """Return what a run found, ordered by plan, case and question.

    :raises UsageError: there is no such file, or it is something else
    """
    with _opened(_existing(path)) as con:
        return [
            Outcome(case, question, category, plan, _tuple(grades), _tuple(found), gold, _tuple(ideal), ms, tokens)
            for case, question, category, plan, grades, found, gold, ideal, ms, tokens in con.execute(
                GET_OUTCOMES, (run_id,)
            )
        ]


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise UsageError(f"there are no results at {path}. Make them with: memlite eval run DATA --results {path}")
    return path


def _run(*row: str) -> RunRecord:
    *told, settings, skipped = row
    dataset, digest, embedder, version, commit, machine, at = told
    known = msgspec.json.decode(settings, type=dict[str, str]), msgspec.json.decode(skipped, type=dict[str, int])
    return RunRecord(dataset, digest, embedder, version, commit, machine, at, *known)


def _row(outcome: Outcome) -> tuple[object, ...]:
    return (
        outcome.plan,
        outcome.case,
        outcome.question,
        outcome.category,
        _json(outcome.grades),
        _json(outcome.found),
        outcome.gold,
        _json(outcome.ideal),
        outcome.milliseconds,
        outcome.tokens,
    )


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _tuple(value: str) -> tuple[int, ...]:
    return msgspec.json.decode(value, type=tuple[int, ...])
