"""Whatever happens to a store, in whatever order: every exchange is distilled, skipped, failed or pending, once."""

import io
import json
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from memlite.memory import Memory, distilling, working
from tests.embedders import WordEmbedder
from tests.generators import NOTHING, CallingGenerator
from tests.memory.conftest import BETTER, BILLING, better

SAID = {
    "worth it": BILLING[0],
    "too short": "ok {}",
    "automated": "<command-name>/clear</command-name> {}",
    "poison": "Where does the poison pool {} keep its twelve connections to db{}?",
}
DISTIL = distilling.distil


def distil(exchange):
    if "poison" in exchange.turns[0].content and not Accounts.healed:
        raise ValueError("cannot take this")
    return DISTIL(exchange)


def answer(prompt):
    """Improve one exchange, fail on another, say nothing about a third."""
    if "deployment" not in prompt.text:
        return NOTHING
    number = int(prompt.text.split("deployment ")[1].split()[0])
    if number % 3 == 1 and not Accounts.healed:
        raise ValueError("lost for words")
    return better(prompt) if number % 3 == 0 else NOTHING


class Accounts(RuleBasedStateMachine):
    healed = False

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.memory = Memory(
            Path(self.folder.name, "memory.db"), embedder=WordEmbedder(), generator=CallingGenerator(answer)
        )
        self.count = 0
        Accounts.healed = False
        distilling.distil = distil

    def teardown(self):
        self.memory.close()
        self.folder.cleanup()
        distilling.distil = DISTIL

    @rule(kind=st.sampled_from(sorted(SAID)), project=st.sampled_from(["", "app"]))
    def say(self, kind, project):
        text = SAID[kind].format(self.count, self.count)
        said = [{"role": "user", "content": text}, {"role": "assistant", "content": BILLING[1].format(self.count)}]
        self.memory.add(said[: 1 if kind == "too short" else 2], conversation=f"c{self.count}", project=project)
        self.count += 1

    @rule(number=st.integers(0, 5))
    def go_on(self, number):
        self.memory.add([{"role": "assistant", "content": "It is free again."}], conversation=f"c{number}")

    @rule(limit=st.none() | st.integers(0, 2), embed=st.booleans(), upgrade=st.booleans())
    def distil(self, limit, embed, upgrade):
        self.memory.distill(limit=limit, embed=embed, upgrade=upgrade)

    @rule(
        limit=st.none() | st.integers(0, 2),
        embed=st.booleans(),
        upgrade=st.booleans(),
        project=st.sampled_from(["", "app"]),
        minutes=st.sampled_from([None, 0]),
    )
    def improve(self, limit, embed, upgrade, project, minutes):
        report = self.memory.distill(
            engine="gguf", limit=limit, embed=embed, upgrade=upgrade, project=project, minutes=minutes
        )
        done = report.upgrades
        assert done.tried == done.improved + done.kept
        if limit is None and minutes is None:
            assert done.pending == 0

    @rule(number=st.integers(0, 5))
    def take_from_elsewhere(self, number):
        line = json.dumps({"exchange_id": number + 1, "exchange_core": BETTER.format(number, number, number)})
        report = self.memory.import_objects(io.BytesIO(line.encode()))
        assert report.improved + sum(report.kept.values()) + sum(report.refused.values()) == report.lines_in == 1

    @rule()
    def heal(self):
        Accounts.healed = True

    @rule()
    def be_killed_at_work(self):
        with self.memory._store.transaction() as con:
            con.execute(
                "update task set state = 'running', owner = ?, lease_until = 9e9, attempts = attempts + 1 "
                "where state = 'pending'",
                (working.owner().rsplit("/", 2)[0] + "/999999999/x",),
            )

    @invariant()
    def every_exchange_is_accounted_for_once(self):
        status = self.memory.status()
        accounts = status.accounts
        parts = accounts.distilled, sum(accounts.skipped.values()), sum(accounts.failed.values()), accounts.pending
        assert sum(parts) == accounts.total == status.exchanges
        assert sum(status.objects.values()) == accounts.distilled
        reading = status.reading
        assert reading.read + reading.automated + sum(reading.failed.values()) + reading.pending == reading.total
        assert reading.total == status.exchanges
        assert status.upgrades.improved <= status.upgrades.tried <= accounts.distilled
        assert sum(status.upgrades.failed.values()) + status.upgrades.pending <= accounts.distilled


TestAccounts = Accounts.TestCase
TestAccounts.settings = settings(
    max_examples=25, stateful_step_count=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
