"""clrewrite for Python: where the program is, and what its reports say."""
from .program import find

__all__ = ["find"]
