"""What a channel needs of its connection: somewhere to send, and what the handshake told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from minato.realtime.errors import CloseCode
from minato.realtime.message import Outgoing
from minato.realtime.serializer import Frame, Serializer


class Wire(Protocol):
    """One client's connection. `api_token` is the JWT of its API key, `headers` its `x-…` headers.

    `address` is the client's.
    """

    serializer: Serializer
    api_token: str
    headers: Mapping[str, str]
    address: str

    def push(self, message: Outgoing) -> None:
        """Encode and send; never blocks."""
        ...

    def send(self, frame: Frame) -> None:
        """Send what is encoded already; never blocks."""
        ...

    def close(self, code: CloseCode) -> None:
        """End the connection once what was sent is out."""
        ...
