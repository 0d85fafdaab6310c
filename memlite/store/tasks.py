"""Work still to do, one row an exchange and kind; a done task has no row.

A worker claims a few tasks under a lease in one short transaction, works without any lock, and writes the results in
another. A worker that fails gives its tasks back; those of one that was killed go to the next worker that knows it to
be gone, or to any when the lease runs out. Nothing is done twice, nothing is lost. Upgrades have an order of their own:
they are asked for and claimed in upgrades.py.
"""

import time
from typing import Any

import apsw

from memlite.types.report import TaskCounts

LEASE_SECONDS = 300.0
MAX_ATTEMPTS = 3

# -- writing --

ADD = """
insert into task (exchange_id, kind, state) values (?, ?, 'pending')
on conflict (exchange_id, kind) do update
set state = 'pending', attempts = 0, owner = '', lease_until = null, reason = ''
"""
OF_PROJECT = """
(:project = '' or exchange_id in (
    select exchange.id from exchange join conversation on conversation.id = conversation_id
    where project = :project or conversation.cwd = :project
))
"""
CLAIM = f"""
update task set state = 'running', owner = :owner, lease_until = :until, attempts = attempts + 1
where kind = :kind and exchange_id in (
    select exchange_id from task
    where kind = :kind and (state = 'pending' or (state = 'running' and lease_until < :now)) and {OF_PROJECT}
    order by exchange_id limit :limit
)
returning exchange_id
"""
SETTLE = """
update task set state = ?, reason = ?, owner = '', lease_until = null where exchange_id = ? and kind = ? and owner = ?
"""
# A task that is given back was not tried to its end, so it does not count as tried.
RELEASE = """
update task set state = 'pending', owner = '', lease_until = null, attempts = attempts - 1
where state = 'running' and owner = ?
"""
# A process that ended over a batch tells nothing about any of them. One that ended over the only exchange it held may
# have done so because of it (native code that crashes), and would again, and again.
RECOVER = """
update task
set state = iif(kind like 'upgrade%' and attempts >= :most, 'failed', 'pending'),
    reason = iif(kind like 'upgrade%' and attempts >= :most, 'the process that worked on it ended', ''),
    owner = '', lease_until = null
where state = 'running' and owner = :owner
"""
RETRY = "update task set state = 'pending' where state = 'failed' and kind = ? and attempts < ?"
FINISH = "delete from task where exchange_id = ? and kind = ? and owner = ?"
WITHDRAW = "delete from task where exchange_id = ? and kind = ?"
ASK_TO_REDO = f"""
insert into task (exchange_id, kind, state)
select exchange_id, 'distill', 'pending' from palace_object
where engine = 'extractive' and (prompt_version <> :version or evidence is null) and {OF_PROJECT}
on conflict do nothing
"""
ASK_FOR_MISSING = (
    """
    insert into task (exchange_id, kind, state)
    select exchange_id, 'embed', 'pending' from palace_object
    where exchange_id not in (select exchange_id from vector where layer = 'distilled') on conflict do nothing
    """,
    """
    insert into task (exchange_id, kind, state)
    select distinct exchange_id, 'embed-record', 'pending' from record_exchange
    where not exists (
        select 1 from vector
        where layer = 'records' and vector.exchange_id = record_exchange.exchange_id and part = record_id
    ) on conflict do nothing
    """,
)

ASK_FOR_VERBATIM = """
insert into task (exchange_id, kind, state)
select id, 'embed-verbatim', 'pending' from exchange
where automated = '' and id not in (select exchange_id from vector where layer = 'verbatim') on conflict do nothing
"""


def ask_for_missing_vectors(con: apsw.Connection) -> None:
    """Ask for the vectors that objects and records lack."""
    for statement in ASK_FOR_MISSING:
        con.execute(statement)


def ask_for_verbatim_vectors(con: apsw.Connection) -> None:
    """Ask for the vectors of what was said, word for word, where there are none yet."""
    con.execute(ASK_FOR_VERBATIM)


def ask_to_redo(con: apsw.Connection, version: str, project: str) -> None:
    """Ask for the extractive objects that rules of another version made; each stays until its successor is there."""
    con.execute(ASK_TO_REDO, {"version": version, "project": project})


def add_task(con: apsw.Connection, exchange_id: int, kind: str) -> None:
    """Ask for an exchange to be worked on, again if it was before."""
    con.execute(ADD, (exchange_id, kind))


def claim(
    con: apsw.Connection, kind: str, owner: str, limit: int, project: str = "", lease: float = LEASE_SECONDS
) -> list[int]:
    """Take up to `limit` tasks (of a project) for `owner` and return their exchange ids, oldest first."""
    now = time.time()
    values = {"kind": kind, "owner": owner, "now": now, "until": now + lease, "limit": limit}
    claimed: list[Any] = con.execute(CLAIM, {**values, "project": project}).fetchall()
    return sorted(id for (id,) in claimed)


def finish(con: apsw.Connection, exchange_id: int, kind: str, owner: str) -> bool:
    """Strike off a task. False when `owner` has lost it meanwhile: its result must then not be written."""
    con.execute(FINISH, (exchange_id, kind, owner))
    return con.changes() > 0


def settle(con: apsw.Connection, exchange_id: int, kind: str, owner: str, state: str, reason: str) -> bool:
    """Put a claimed task to `skipped`, `failed` or back to `pending`, with the reason."""
    con.execute(SETTLE, (state, reason, exchange_id, kind, owner))
    return con.changes() > 0


def retry_failed(con: apsw.Connection, *kinds: str) -> None:
    """Put tasks of these kinds that failed back in the queue, as long as they have not been tried too often."""
    con.executemany(RETRY, ((kind, MAX_ATTEMPTS) for kind in kinds))


def release(con: apsw.Connection, owner: str) -> None:
    """Give back every task that `owner` holds and has not tried to its end."""
    con.execute(RELEASE, (owner,))


def recover(con: apsw.Connection, owner: str) -> None:
    """Give back the tasks of an owner whose process has ended; an upgrade that it ended over too often has failed."""
    con.execute(RECOVER, {"owner": owner, "most": MAX_ATTEMPTS})


def withdraw(con: apsw.Connection, exchange_id: int, kind: str) -> None:
    """Ask no longer for an exchange to be worked on; whoever is at it will find that it cannot finish."""
    con.execute(WITHDRAW, (exchange_id, kind))


# -- reading --

WAITING = """
select count(distinct exchange_id) from task where kind not like 'upgrade%' and state in ('pending', 'running')
"""
FAILED = "select count(distinct exchange_id) from task where kind not like 'upgrade%' and state = 'failed'"
PENDING = f"select count(*) from task where kind = :kind and state in ('pending', 'running') and {OF_PROJECT}"


def list_owners(con: apsw.Connection) -> list[str]:
    """Return who holds tasks."""
    return [owner for (owner,) in con.execute("select distinct owner from task where state = 'running'")]


def count_tasks(con: apsw.Connection) -> TaskCounts:
    """Return how many exchanges have work but upgrades that waits, failed or was decided against, and why."""
    skipped = dict(con.execute("select reason, count(*) from task where state = 'skipped' group by reason order by 1"))
    return TaskCounts(pending=count_waiting(con), failed=con.execute(FAILED).get, skipped=skipped)


def count_waiting(con: apsw.Connection) -> int:
    """Return how many exchanges wait to be distilled, read or embedded."""
    found: int = con.execute(WAITING).get
    return found


def count_pending(con: apsw.Connection, kind: str, project: str = "") -> int:
    """Return how many tasks of one kind still wait."""
    found: int = con.execute(PENDING, {"kind": kind, "project": project}).get
    return found
