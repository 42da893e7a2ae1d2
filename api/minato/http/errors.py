"""The base of every failure a client may see."""

from __future__ import annotations


class ApiError(Exception):
    """A refusal with an HTTP status, a machine-readable code and a sentence.

    Each room subclasses it beside its rules and renders it in its own wire shape.
    """

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


class ClientLeft(Exception):
    """The client disconnected before its request was complete: half a body means nothing."""


class BodyTooLarge(Exception):
    """The request body went over the limit that was given to `read_body`; rooms word this themselves."""
