"""What goes wrong, in the reference's words: supabase/realtime, `realtime_channel.ex` and `user_socket.ex`.

A refusal names the code that logs and join replies carry in front of the text; a shutdown ends one channel.
"""

from __future__ import annotations

from enum import IntEnum

from minato.database.engines import ENGINE_ERRORS
from minato.database.outage import CONNECTION_ERRORS

# Of the database, from a statement that fails to a connection that ends in the middle of one.
DATABASE_ERRORS = (*CONNECTION_ERRORS, *ENGINE_ERRORS)


class CloseCode(IntEnum):
    """Why the server closes a socket."""

    NORMAL = 1000
    GOING_AWAY = 1001
    TOO_BIG = 1009
    RESTART = 1012
    TRY_AGAIN_LATER = 1013
    """The client reads slower than it is sent to."""


class HandshakeRefused(Exception):
    """An HTTP answer instead of a websocket: `{"error": message}`, or an empty body without a message."""

    def __init__(self, status: int, message: str | None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class JoinRefused(Exception):
    """A join answered with `{"reason": "<code>: <message>"}`; `close` ends the whole socket afterwards."""

    def __init__(self, code: str | None, message: str, close: CloseCode | None = None) -> None:
        super().__init__(message)
        self.reason = f"{code}: {message}" if code else message
        self.message = message
        self.close = close
        self.hint: str | None = None

    @property
    def response(self) -> dict[str, str]:
        """What the client is answered; in development it may say why behind the reference's reason."""
        return {"reason": self.reason, **({"hint": self.hint} if self.hint is not None else {})}


class ChannelShutdown(Exception):
    """The channel ends: a system message with status error, then phx_close. The client does not rejoin by itself."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class SubscriptionRefused(Exception):
    """Row changes asked for in a way that can never work; said in a system message and not tried again."""


class FeedUnavailable(Exception):
    """Row changes can't be followed now; said in a system message and tried again."""


NO_SUBSCRIPTION = (
    "No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: {params}"
)
SUBSCRIPTION_NOT_PUBLISHED = (
    "Unable to subscribe to changes with given parameters. "
    "Please check Realtime is enabled for the given connect parameters: [{params}]"
)
SUBSCRIPTION_FAILED = (
    "Unable to subscribe to changes with given parameters. "
    "An exception happened so please check your connect parameters: [{params}]. Exception: {exception}"
)
TOPIC_DENIED = "You do not have permissions to read from this Channel topic: {topic}"
TOPIC_REVOKED = "You no longer have permission to read from this Channel topic: {topic}"
