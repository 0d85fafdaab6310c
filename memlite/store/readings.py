"""Which exchanges a model has read for records beside the rules, and which it is asked to.

That a model found nothing to add leaves no record, so what it read is written down by itself. It goes with the records
of the exchange: one that grew, or that newer rules read again, is open to all models again.
"""

import apsw
import msgspec

from memlite.store import tasks
from memlite.store.upgrades import Scope

KIND = "upgrade-record"

# -- writing --

ASK = f"""
insert into task (exchange_id, kind, state)
select id as exchange_id, '{KIND}', 'pending' from exchange
where automated = '' and {tasks.OF_PROJECT}
  and id not in (
      select exchange_id from model_reading
      where not :again or (model, version) = (:model, :prompt_version)
  )
on conflict (exchange_id, kind) do update
set attempts = 0, reason = '', state = 'pending' where state = 'failed' and :again
"""
RECORD = """
insert into model_reading (exchange_id, model, version, read_at) values (?, ?, ?, ?)
on conflict (exchange_id) do update set model = excluded.model, version = excluded.version, read_at = excluded.read_at
"""


def ask(con: apsw.Connection, scope: Scope) -> None:
    """Ask for the exchanges in scope to be read; those that a model failed on only a few times, unless `again`."""
    tasks.retry_failed(con, KIND)
    con.execute(ASK, msgspec.structs.asdict(scope))


def record(con: apsw.Connection, exchange_id: int, model: str, version: str, now: str) -> None:
    """Write down that a model has read an exchange."""
    con.execute(RECORD, (exchange_id, model, version, now))


# -- reading --

FAILED = f"select reason, count(*) from task where kind = '{KIND}' and state = 'failed' group by reason order by reason"


def count_read(con: apsw.Connection) -> int:
    """Return how many exchanges a model has read."""
    found: int = con.execute("select count(*) from model_reading").get
    return found


def count_failed(con: apsw.Connection) -> dict[str, int]:
    """Return how many exchanges models could not read, by reason."""
    return dict(con.execute(FAILED))
