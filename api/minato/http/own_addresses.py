"""The names by which a database in the Supabase CLI's containers reaches the platform, and what they are here.

SQL and settings of a project are full of them (`http://host.docker.internal:54321/functions/v1/…`, `http://kong:8000`).
Only development knows them: in production a name is whatever DNS says.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit, urlunsplit

HOST_MACHINE: Final = "host.docker.internal"
CLI_PORT: Final = 54321
# A service's name, the port it has in its container, and the prefix that its paths have behind the gateway.
SERVICES: Final = {
    "kong": (8000, ""),
    "api.supabase.internal": (8000, ""),
    "rest": (3000, "/rest/v1"),
    "auth": (9999, "/auth/v1"),
    "storage": (5000, "/storage/v1"),
    "realtime": (4000, "/realtime/v1"),
    "edge_runtime": (8081, "/functions/v1"),
}
CONTAINER: Final = re.compile(r"(?:realtime-dev\.)?supabase_(kong|rest|auth|storage|realtime|edge_runtime)_.+")


def own_address(url: str, public_url: str) -> str:
    """`url`, or what it is on this machine, where the platform is at `public_url`.

    >>> own_address("http://kong:8000/rest/v1/cars?id=eq.1", "http://127.0.0.1:54321")
    'http://127.0.0.1:54321/rest/v1/cars?id=eq.1'
    >>> own_address("http://supabase_rest_shop:3000/cars", "http://127.0.0.1:54321")
    'http://127.0.0.1:54321/rest/v1/cars'
    >>> own_address("http://host.docker.internal:3000/hook", "http://127.0.0.1:54321")
    'http://127.0.0.1:3000/hook'
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return url
    if host == HOST_MACHINE and port != CLI_PORT:
        return urlunsplit(parts._replace(netloc=parts.netloc.lower().replace(HOST_MACHINE, "127.0.0.1")))
    prefix = "" if host == HOST_MACHINE else _prefix(host, port)
    if prefix is None:
        return url
    # The platform's port is the CLI's wherever a project did not choose: here it may be any.
    own = urlsplit(public_url)
    return urlunsplit(parts._replace(scheme=own.scheme, netloc=own.netloc, path=own.path + prefix + parts.path))


def _prefix(host: str, port: int | None) -> str | None:
    """What paths of a service of the CLI begin with here; None for another host."""
    found = CONTAINER.fullmatch(host)
    expected, prefix = SERVICES.get(found[1] if found else host, (None, ""))
    return prefix if expected is not None and port == expected else None
