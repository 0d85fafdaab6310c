"""Which objects a model is to make better, in which order, and what came of those it tried.

What was tried stays written down, also where nothing got better: an exchange on which every proposal of a model was
refused is not tried again by the same model and prompt. It goes with the object, so an object that is made anew is
open to all models again.
"""

import time
from collections.abc import Sequence
from typing import Any, Literal

import apsw
import msgspec
from msgspec import Struct

from memlite.types.report import UpgradeCounts

# A model of four billion weights takes minutes for a long exchange on two cores, and no call of it can be asked how far
# it is. An hour is far more than any takes. It is no loss that it is long: whoever shares the machine sees at once when
# a worker has ended, and a worker holds one exchange at a time.
LEASE_SECONDS = 3_600.0

OPEN = """
from palace_object
join exchange on exchange.id = palace_object.exchange_id
join conversation on conversation.id = exchange.conversation_id
left join upgrade on upgrade.exchange_id = exchange.id
where (:project = '' or conversation.project = :project or conversation.cwd = :project)
  and (upgrade.exchange_id is null
       or (:again and (upgrade.model, upgrade.prompt_version) <> (:model, :prompt_version)))
"""
# Newest, longest, least kept: the percent rank of each among the objects open to the model, 0 to 1, added up. Ranks and
# not values, since days, characters and shares have no common measure. An exchange of unknown time counts as oldest.
# Rounded, so that a few new exchanges do not move all others; among equals the one stored last comes first.
USEFULNESS = """
round(percent_rank() over (order by exchange.said_from) + percent_rank() over (order by exchange.chars)
      + percent_rank() over (order by palace_object.vocab_survival desc), 2)
"""

# -- writing --

# From the object, which may be gone since it was found.
ASK = """
insert into task (exchange_id, kind, state, priority)
select exchange_id, 'upgrade', 'pending', ? from palace_object where exchange_id = ?
on conflict (exchange_id, kind) do update
set priority = excluded.priority,
    attempts = iif(state = 'failed', 0, attempts),
    reason = iif(state = 'failed', '', reason),
    state = iif(state = 'failed', 'pending', state)
"""
EXPIRE = """
update task set state = 'pending', owner = '', lease_until = null
where kind = 'upgrade' and state = 'running' and lease_until < ?
"""
CLAIM = f"""
update task set state = 'running', owner = :owner, lease_until = :until, attempts = attempts + 1
where kind = 'upgrade' and exchange_id = (
    select exchange_id from task
    where kind = 'upgrade' and state = 'pending'
      and exists (select 1 {OPEN} and exchange.id = task.exchange_id)
    order by priority desc, exchange_id desc limit 1
)
returning exchange_id
"""
RECORD = """
insert into upgrade (exchange_id, engine, model, name, prompt_version, outcomes, seconds, tried_at)
values (?, ?, ?, ?, ?, ?, ?, ?)
on conflict (exchange_id) do update
set engine = excluded.engine, model = excluded.model, name = excluded.name, prompt_version = excluded.prompt_version,
    outcomes = excluded.outcomes, seconds = excluded.seconds, tried_at = excluded.tried_at
"""


class Scope(Struct, frozen=True):
    """Whose objects a model is to better: those of a project (or of all), that no model has tried.

    With `again` also those that another model has tried, or this one with another prompt.
    """

    project: str = ""
    again: bool = False
    model: str = ""
    prompt_version: str = ""


class Attempt(Struct, frozen=True):
    """A model's try at an object."""

    engine: Literal["gguf", "external"]
    model: str
    """The digest of its file, or the name an external one was given."""
    name: str
    prompt_version: str
    outcomes: dict[str, str]
    seconds: float

    @property
    def improved(self) -> bool:
        """Whether any field got better."""
        return "improved" in self.outcomes.values()


def ask(con: apsw.Connection, found: Sequence[tuple[float, int]]) -> None:
    """Ask for objects that `find_unasked` found; those that models failed on are open to them again."""
    con.executemany(ASK, found)


def claim(con: apsw.Connection, owner: str, scope: Scope) -> int | None:
    """Take the most useful object that was asked for and is in scope; None when there is none left."""
    now = time.time()
    con.execute(EXPIRE, (now,))
    values = {**msgspec.structs.asdict(scope), "owner": owner, "until": now + LEASE_SECONDS}
    found: int | None = con.execute(CLAIM, values).get
    return found


def record(con: apsw.Connection, exchange_id: int, attempt: Attempt, now: str) -> None:
    """Write down what came of a try, in place of an earlier one."""
    engine, model, name, version, outcomes, seconds = msgspec.structs.astuple(attempt)
    written = msgspec.json.encode(outcomes, order="sorted").decode()
    con.execute(RECORD, (exchange_id, engine, model, name, version, written, seconds, now))


# -- reading --

LIST = f"select exchange.id {OPEN} order by {USEFULNESS} desc, exchange.id desc limit :limit"
UNASKED = f"""
select usefulness, id from (select exchange.id, {USEFULNESS} as usefulness {OPEN})
left join task on exchange_id = id and kind = 'upgrade'
where task.exchange_id is null
   or (state = 'pending' and priority <> usefulness)
   or (state = 'failed' and :again)
"""
WAITING = f"""
select count(*) from task
where kind = 'upgrade' and state in ('pending', 'running')
  and exists (select 1 {OPEN} and exchange.id = task.exchange_id)
"""
TRIED = """select count(*), count(*) filter (where outcomes like '%:"improved"%') from upgrade"""
PENDING = "select count(*) from task where kind = 'upgrade' and state in ('pending', 'running')"
FAILED = """
select reason, count(*) from task where kind = 'upgrade' and state = 'failed' group by reason order by reason
"""


def find_open(con: apsw.Connection, scope: Scope, limit: int | None = None) -> list[int]:
    """Return the objects in scope, most useful first."""
    values = {**msgspec.structs.asdict(scope), "limit": -1 if limit is None else limit}
    rows: list[Any] = con.execute(LIST, values).fetchall()
    return [id for (id,) in rows]


def find_unasked(con: apsw.Connection, scope: Scope) -> list[tuple[float, int]]:
    """Return (usefulness, id) of the objects in scope that were not asked for, or have another place in the queue now.

    Reading takes seconds for 100,000 objects, so it is apart from writing, which locks.
    """
    rows: list[Any] = con.execute(UNASKED, msgspec.structs.asdict(scope)).fetchall()
    return rows


def count_waiting(con: apsw.Connection, scope: Scope) -> int:
    """Return how many objects in scope were asked for and are not done."""
    found: int = con.execute(WAITING, msgspec.structs.asdict(scope)).get
    return found


def count_upgrades(con: apsw.Connection) -> UpgradeCounts:
    """Return how many objects models have tried and improved, and what was asked of them and is not done."""
    tried, improved = con.execute(TRIED).get
    pending: int = con.execute(PENDING).get
    return UpgradeCounts(tried=tried, improved=improved, pending=pending, failed=dict(con.execute(FAILED)))
