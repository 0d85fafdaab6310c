"""Memory: one method for each thing a user can do with a store.

The methods stand in `api`, by what they are for, as the commands do; what they do stands in the other modules here.
"""

from memlite.memory.api.find import Find
from memlite.memory.api.forget import Forget
from memlite.memory.api.intake import DEFAULT_CONVERSATION as DEFAULT_CONVERSATION
from memlite.memory.api.intake import Intake
from memlite.memory.api.keep import Keep
from memlite.memory.api.prove import Prove
from memlite.memory.api.think import Think


class Memory(Intake, Think, Find, Keep, Forget, Prove):
    """A store and everything that can be done with it. Use from several threads and processes is safe."""
