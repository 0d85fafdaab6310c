"""The parts of Memory that a search does without, each imported when it is first used.

Importers and the distiller are more than half of what `import memlite.memory` costs; a `memlite search` in a new
process needs neither. Type checkers and the layer check see ordinary imports.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memlite.distill import strategies as strategies
    from memlite.memory import backing as backing
    from memlite.memory import distilling as distilling
    from memlite.memory import doctor as doctor
    from memlite.memory import external as external
    from memlite.memory import files as files
    from memlite.memory import forgetting as forgetting
    from memlite.memory import keeping as keeping
    from memlite.memory import keys as keys
    from memlite.memory import listing as listing
    from memlite.memory import porting as porting
    from memlite.memory import ranking as ranking
    from memlite.memory import selftest as selftest
    from memlite.memory import surroundings as surroundings
    from memlite.memory import updating as updating
    from memlite.memory import upgrading as upgrading
    from memlite.memory import viewing as viewing
    from memlite.memory import working as working
    from memlite.models import loading as loading
    from memlite.retrieve import model_analyser as model_analyser
else:

    class _WhenUsed:
        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, attribute: str) -> Any:
            return getattr(import_module(self._name), attribute)

    strategies = _WhenUsed("memlite.distill.strategies")
    backing = _WhenUsed("memlite.memory.backing")
    distilling = _WhenUsed("memlite.memory.distilling")
    doctor = _WhenUsed("memlite.memory.doctor")
    external = _WhenUsed("memlite.memory.external")
    files = _WhenUsed("memlite.memory.files")
    forgetting = _WhenUsed("memlite.memory.forgetting")
    keeping = _WhenUsed("memlite.memory.keeping")
    keys = _WhenUsed("memlite.memory.keys")
    listing = _WhenUsed("memlite.memory.listing")
    porting = _WhenUsed("memlite.memory.porting")
    ranking = _WhenUsed("memlite.memory.ranking")
    selftest = _WhenUsed("memlite.memory.selftest")
    surroundings = _WhenUsed("memlite.memory.surroundings")
    updating = _WhenUsed("memlite.memory.updating")
    upgrading = _WhenUsed("memlite.memory.upgrading")
    viewing = _WhenUsed("memlite.memory.viewing")
    working = _WhenUsed("memlite.memory.working")
    loading = _WhenUsed("memlite.models.loading")
    model_analyser = _WhenUsed("memlite.retrieve.model_analyser")
