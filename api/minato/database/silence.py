"""Connections whose other side went without a word: a machine without power or network closes none of them.

Linux sends what is not acknowledged again for a quarter of an hour, and asks after two hours whether an idle one is
still there. Meanwhile requests would wait, and a node that is gone would keep the lead and its rows locked.
"""

from __future__ import annotations

import socket
from typing import Final

import asyncpg

IDLE, INTERVAL, COUNT = 10, 5, 3
UNACKNOWLEDGED: Final = 30_000
"""Milliseconds; the others are seconds, and how often it is asked in vain."""

OF_LIBPQ: Final = {
    "keepalives_idle": IDLE,
    "keepalives_interval": INTERVAL,
    "keepalives_count": COUNT,
    "tcp_user_timeout": UNACKNOWLEDGED,
}
# How soon PostgreSQL sees that we are gone.
OF_SERVER: Final = {
    "tcp_keepalives_idle": str(IDLE),
    "tcp_keepalives_interval": str(INTERVAL),
    "tcp_keepalives_count": str(COUNT),
    "tcp_user_timeout": str(UNACKNOWLEDGED),
}
# What systems call them; which lacks one does without.
_OPTIONS: Final = {
    "TCP_KEEPIDLE": IDLE,
    "TCP_KEEPALIVE": IDLE,
    "TCP_KEEPINTVL": INTERVAL,
    "TCP_KEEPCNT": COUNT,
    "TCP_USER_TIMEOUT": UNACKNOWLEDGED,
}


def notice_silence(connection: asyncpg.Connection) -> asyncpg.Connection:
    """The same, lost within half a minute once its other side says nothing at all."""
    own = connection._transport.get_extra_info("socket")
    if own is not None and own.family != getattr(socket, "AF_UNIX", None):
        own.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _OPTIONS.items():
            option = getattr(socket, name, None)
            if option is not None:
                own.setsockopt(socket.IPPROTO_TCP, option, value)
    return connection
