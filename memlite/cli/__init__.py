"""The command: each one parses, makes one call, prints. Data goes to stdout, everything else to stderr."""


def main() -> None:
    """Run the command."""
