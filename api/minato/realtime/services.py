"""What every channel of one backend shares; passed on, never global."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from minato.clock import Clock
from minato.config.realtime import RealtimeSettings
from minato.entropy import Entropy
from minato.realtime.access_token import TokenVerifier
from minato.realtime.accounts import Accounts
from minato.realtime.authorization import Authorization
from minato.realtime.hub import Hub
from minato.realtime.limits import Limits
from minato.realtime.postgres_changes.changes import PostgresChanges
from minato.realtime.presence import PresenceTracker
from minato.realtime.stored_messages import StoredMessages


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
    stopping: bool = False
