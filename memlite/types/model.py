"""What is known of a language model's file."""

from msgspec import Struct


class ModelInfo(Struct, frozen=True):
    """A GGUF file, as its header describes it."""

    name: str
    """What the user calls it: a name of the catalogue, or the file's own."""
    path: str
    architecture: str
    quantisation: str
    """Such as `Q4_K_M`."""
    parameters: int
    """Weights, counted over all tensors."""
    context: int
    """Tokens the model was trained to read at once."""
    size_bytes: int
    digest: str
    """`sha256:` of the file."""
    chat_template: bool
    """Whether the file says how a conversation is put to the model."""
