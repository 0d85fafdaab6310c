"""Work still to do, one row an exchange and kind; a done task has no row.

A worker claims a few tasks under a lease in one short transaction, works without any lock, and writes the results in
another. A worker that fails gives its tasks back; those of one that was killed go to the next worker that knows it to
be gone, or to any when the lease runs out. Nothing is done twice, nothing is lost.
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
CLAIM = """
update task set state = 'running', owner = :owner, lease_until = :until, attempts = attempts + 1
where kind = :kind and exchange_id in (
    select exchange_id from task
    where kind = :kind and (state = 'pending' or (state = 'running' and lease_until < :now))
    order by exchange_id limit :limit
)
returning exchange_id
"""
SETTLE = """
update task set state = ?, reason = ?, owner = '', lease_until = null where exchange_id = ? and kind = ? and owner = ?
"""
RELEASE = "update task set state = 'pending', owner = '', lease_until = null where state = 'running' and owner = ?"
RETRY = "update task set state = 'pending' where state = 'failed' and attempts < ?"
FINISH = "delete from task where exchange_id = ? and kind = ? and owner = ?"

ASK_FOR_MISSING = """
insert into task (exchange_id, kind, state)
select exchange_id, 'embed', 'pending' from palace_object
where exchange_id not in (select exchange_id from vector where layer = 'distilled') on conflict do nothing
"""

ASK_FOR_VERBATIM = """
insert into task (exchange_id, kind, state)
select id, 'embed-verbatim', 'pending' from exchange
where automated = '' and id not in (select exchange_id from vector where layer = 'verbatim') on conflict do nothing
"""


def ask_for_missing_vectors(con: apsw.Connection) -> None:
    """Ask for the vectors that objects lack."""
    con.execute(ASK_FOR_MISSING)


def ask_for_verbatim_vectors(con: apsw.Connection) -> None:
    """Ask for the vectors of what was said, word for word, where there are none yet."""
    con.execute(ASK_FOR_VERBATIM)


def add_task(con: apsw.Connection, exchange_id: int, kind: str) -> None:
    """Ask for an exchange to be worked on, again if it was before."""
    con.execute(ADD, (exchange_id, kind))


def claim(con: apsw.Connection, kind: str, owner: str, limit: int) -> list[int]:
    """Take up to `limit` tasks for `owner` and return their exchange ids, oldest first."""
    now = time.time()
    values = {"kind": kind, "owner": owner, "now": now, "until": now + LEASE_SECONDS, "limit": limit}
    claimed: list[Any] = con.execute(CLAIM, values).fetchall()
    return sorted(id for (id,) in claimed)


def finish(con: apsw.Connection, exchange_id: int, kind: str, owner: str) -> bool:
    """Strike off a task. False when `owner` has lost it meanwhile: its result must then not be written."""
    con.execute(FINISH, (exchange_id, kind, owner))
    return con.changes() > 0


def settle(con: apsw.Connection, exchange_id: int, kind: str, owner: str, state: str, reason: str) -> bool:
    """Put a claimed task to `skipped`, `failed` or back to `pending`, with the reason."""
    con.execute(SETTLE, (state, reason, exchange_id, kind, owner))
    return con.changes() > 0


def retry_failed(con: apsw.Connection) -> None:
    """Put tasks that failed back in the queue, as long as they have not been tried too often."""
    con.execute(RETRY, (MAX_ATTEMPTS,))


def release(con: apsw.Connection, owner: str) -> None:
    """Give back every task that `owner` holds."""
    con.execute(RELEASE, (owner,))


# -- reading --


def list_owners(con: apsw.Connection) -> list[str]:
    """Return who holds tasks."""
    return [owner for (owner,) in con.execute("select distinct owner from task where state = 'running'")]


def count_tasks(con: apsw.Connection) -> TaskCounts:
    """Return how many tasks wait, failed or were skipped, and why."""
    open_states = dict(
        con.execute("select state, count(*) from task where state in ('pending', 'running', 'failed') group by state")
    )
    skipped = dict(con.execute("select reason, count(*) from task where state = 'skipped' group by reason order by 1"))
    pending = open_states.get("pending", 0) + open_states.get("running", 0)
    return TaskCounts(pending=pending, failed=open_states.get("failed", 0), skipped=skipped)


def count_waiting(con: apsw.Connection) -> int:
    """Return how many exchanges wait for anything."""
    found: int = con.execute("select count(distinct exchange_id) from task where state in ('pending', 'running')").get
    return found


def count_pending(con: apsw.Connection, kind: str) -> int:
    """Return how many tasks of one kind still wait."""
    found: int = con.execute(
        "select count(*) from task where kind = ? and state in ('pending', 'running')", (kind,)
    ).get
    return found
