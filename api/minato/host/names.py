"""The names and times of branches, as calls say them."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from minato.entropy import Entropy
from minato.host.errors import BranchError
from minato.tokens.issuers import MAIN

BASE, SNAPSHOT = "base", "snapshot:"
ID = re.compile(r"[a-z0-9][a-z0-9-]{0,38}")
RESERVED = frozenset({MAIN, BASE})
# Browsers lead every name below it to their own machine (RFC 6761).
LOCALHOST = ".localhost"
DURATION = re.compile(r"(?=\d)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?")
SECONDS = (86400.0, 3600.0, 60.0, 1.0, 0.001)
# A year: what is asked for longer is a mistake of units.
LONGEST = 366 * 86400.0


def new_id(entropy: Entropy) -> str:
    """A branch's name that nobody else has."""
    return f"b{entropy.base32(8)}"


def require_id(given: str) -> str:
    """A name that can stand in a path and in a database's name. Raises BranchError."""
    if ID.fullmatch(given) is None or given in RESERVED:
        wanted = "at most 39 of a-z, 0-9 and -, not - first; main and base are taken"
        raise BranchError(400, "bad_request", f'"{given[:60]}" cannot be the id of a branch', f"Wanted: {wanted}.")
    return given


def app_url(host_url: str, id_: str) -> str | None:
    """Where a browser opens the web app on a branch of the server at `host_url`; None where that is another machine.

    >>> app_url("http://127.0.0.1:54321", "cart"), app_url("https://dev.example", "cart")
    ('http://cart.localhost:54321', None)
    """
    url = urlsplit(host_url)
    if url.hostname not in ("127.0.0.1", "localhost", "::1") or url.path.strip("/"):
        return None
    port = f":{url.port}" if url.port is not None else ""
    return f"{url.scheme}://{id_}{LOCALHOST}{port}"


def named_by(host: str) -> str:
    """The id that a Host names; empty when it names none.

    >>> named_by("cart.localhost:54321"), named_by("localhost:54321"), named_by("a.cart.localhost")
    ('cart', '', '')
    """
    name = host.partition(":")[0].lower().removesuffix(".")
    id_ = name.removesuffix(LOCALHOST)
    return id_ if id_ != name and ID.fullmatch(id_) else ""


def seconds_of(given: float | str) -> float:
    """A duration in seconds. Raises BranchError.

    >>> seconds_of("1h30m"), seconds_of("250ms"), seconds_of(7), seconds_of("0")
    (5400.0, 0.25, 7.0, 0.0)
    """
    if isinstance(given, str) and given.isdecimal():
        given = float(given)
    if isinstance(given, str):
        found = DURATION.fullmatch(given)
        parts = found.groups() if found else ()
        seconds = sum(float(part) * unit for part, unit in zip(parts, SECONDS, strict=True) if part) if found else -1.0
    else:
        seconds = float(given)
    if not 0 <= seconds <= LONGEST:
        raise BranchError(
            400, "bad_duration", f'"{str(given)[:60]}" is no duration', 'As 900, "15m", "1h30m" or "250ms".'
        )
    return seconds
