"""What a channel stands on, passed on and never global: what all channels of a backend share, and its connection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import structlog

from minato.clock import Clock
from minato.config.realtime import RealtimeSettings
from minato.entropy import Entropy
from minato.realtime.access_token import TokenVerifier
from minato.realtime.accounts import Accounts
from minato.realtime.authorization import Authorization
from minato.realtime.errors import CloseCode
from minato.realtime.hub import Hub
from minato.realtime.limits import Limits
from minato.realtime.message import Outgoing
from minato.realtime.postgres_changes.changes import PostgresChanges
from minato.realtime.presence import PresenceTracker
from minato.realtime.serializer import Frame, Serializer
from minato.realtime.stored_messages import StoredMessages
from minato.why.hints import Hints


@dataclass
class Services:
    """The room's parts. `stopping` once the server is going down."""

    settings: RealtimeSettings
    clock: Clock
    entropy: Entropy
    log: structlog.stdlib.BoundLogger
    tokens: TokenVerifier
    limits: Limits
    hub: Hub
    presence: PresenceTracker
    changes: PostgresChanges
    stored: StoredMessages
    authorization: Authorization
    accounts: Accounts
    hints: Hints | None
    stopping: bool = False


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
