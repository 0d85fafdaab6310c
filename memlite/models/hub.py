"""Getting a model file from a hub: the only thing memlite does over a network, and only when told to.

`huggingface_hub` does it (resuming, checking sizes, proxies, tokens); HF_ENDPOINT names another hub.
"""

from pathlib import Path, PurePosixPath

from memlite import config
from memlite.errors import ModelUnusable, UsageError


def pull(given: str) -> Path:
    """Download `OWNER/REPO/FILE` into the data folder unless it is there, and return its path."""
    repo, file = split(given)
    config.silence_huggingface()
    try:
        from huggingface_hub import hf_hub_download
        from huggingface_hub.errors import HFValidationError, HTTPError, LocalEntryNotFoundError
    except ImportError as error:
        raise ModelUnusable(
            "models are downloaded with huggingface_hub, not installed; next: pip install 'memlite[hub]'"
        ) from error
    try:
        return Path(hf_hub_download(repo, file, local_dir=_folder(repo)))
    except (HFValidationError, HTTPError, OSError) as error:  # HTTPError is the HTTP library's own
        # Without a connection the library only says that it has no copy; why it cannot connect is the cause.
        cause = error.__cause__ if isinstance(error, LocalEntryNotFoundError) and error.__cause__ else error
        raise ModelUnusable(
            f"cannot get {file} of {repo} ({' '.join(str(cause).split())}); next: check the name and the connection, "
            "or download it by hand and run memlite models add NAME PATH"
        ) from error


def place(given: str) -> Path:
    """Return where `OWNER/REPO/FILE` lies once it is downloaded."""
    repo, file = split(given)
    return _folder(repo) / file


def split(given: str) -> tuple[str, str]:
    """Return repository and file of `OWNER/REPO/FILE`; a file may lie in folders."""
    owner, _, rest = given.partition("/")
    repo, _, file = rest.partition("/")
    parts = (owner, repo, *file.split("/"))
    if not all(parts) or {".", ".."} & {*parts} or "\\" in given or not file.endswith(".gguf"):
        raise UsageError(f"{given!r} is no file of a hub. Write OWNER/REPO/FILE.gguf")
    return f"{owner}/{repo}", str(PurePosixPath(file))


def _folder(repo: str) -> Path:
    return config.data_dir() / "models" / repo
