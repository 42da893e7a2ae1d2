"""What every channel of one backend shares; passed on, never global."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from api.clock import Clock
from api.config.realtime import RealtimeSettings
from api.entropy import Entropy
from api.realtime.access_token import TokenVerifier
from api.realtime.accounts import Accounts
from api.realtime.authorization import Authorization
from api.realtime.hub import Hub
from api.realtime.limits import Limits
from api.realtime.postgres_changes.changes import PostgresChanges
from api.realtime.presence import PresenceTracker
from api.realtime.stored_messages import StoredMessages


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
