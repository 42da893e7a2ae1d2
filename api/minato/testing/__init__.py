"""A backend of its own for every test: a thin client of `/_dev/v1`, by the standard library alone.

Nothing of the server is imported. pytest's fixtures are in `plugin`.
"""

from minato.testing.branch import Branch
from minato.testing.control import MinatoError
from minato.testing.server import Server, find_server

__all__ = ["Branch", "MinatoError", "Server", "find_server"]
