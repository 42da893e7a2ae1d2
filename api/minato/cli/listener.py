"""The socket to serve on, taken before anything else starts, and whether it may be open to the world."""

from __future__ import annotations

import errno
import ipaddress
import socket

from minato.cli.errors import CommandError
from minato.config.server import ServerSettings

BACKLOG = 2048


def require_safe_exposure(settings: ServerSettings) -> None:
    """Refuse a public address to what is meant for one developer. What production needs is in `production.py`."""
    if settings.environment == "development" and not is_loopback(settings.host):
        raise CommandError(
            f"Development mode shows everybody's mail, so it can't listen on {settings.host}: "
            "set MINATO_ENVIRONMENT=production, or listen on 127.0.0.1."
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches `host`.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listen(settings: ServerSettings) -> socket.socket:
    """A listening socket. Raises `CommandError` when the address can't be had."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise CommandError(_why_not(settings, error)) from None


def public_url(settings: ServerSettings, port: int) -> str:
    """What clients call the server: the setting, else the address it listens on."""
    if settings.public_url:
        return settings.public_url
    everywhere = settings.host in ("0.0.0.0", "::")
    host = "127.0.0.1" if everywhere else settings.host
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _why_not(settings: ServerSettings, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {settings.port} is taken: stop what uses it, or choose another with --port (0 takes a free one)."
    return f"Can't listen on {settings.host}:{settings.port}: {error.strerror or error}."
