"""python -m clrewrite is the program clrewrite."""
from .program import become


def language_server():
    """What the entry point clrewrite-lsp calls."""
    become("clrewrite-lsp")


if __name__ == "__main__":
    become("clrewrite")
