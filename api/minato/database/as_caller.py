"""Asking as somebody: who the caller is and what was asked, set for one transaction and no longer.

The names are PostgREST's (`request.jwt.claims`, …), so that policies and functions written for it work unchanged.
Everything that asks on behalf of a caller sets them by `set_locally`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from http.cookies import CookieError, SimpleCookie
from typing import Final

from minato.json_text import encode
from minato.tokens.caller import Caller

Setting = tuple[str, str]

# What every request sets: a name that is a parameter is read anew by PostgreSQL each time.
_NAMED: Final = {
    name: f"set_config('{name}',$%d,true)"
    for name in (
        "transaction_read_only",
        "search_path",
        "role",
        "request.jwt.claims",
        "request.method",
        "request.path",
        "request.headers",
        "request.cookies",
        # What storage's policies may read besides.
        "request.jwt",
        "request.jwt.claim.sub",
        "request.jwt.claim.role",
        "storage.operation",
        "storage.allow_delete_query",
        "statement_timeout",
        "lock_timeout",
    )
}
# What a session may keep from a caller's SQL although its transaction has ended. The second undoes the role, too.
FORGET: Final = (
    "RESET ALL;RESET SESSION AUTHORIZATION;SELECT pg_advisory_unlock_all();CLOSE ALL;UNLISTEN *;"
    "DISCARD TEMP;DISCARD SEQUENCES"
)


@dataclass(frozen=True)
class RequestInfo:
    """What SQL may know of the request: method, path without query, headers with lower-case names."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)


def caller_settings(caller: Caller, request: RequestInfo) -> list[Setting]:
    """The settings of the transaction that serves `request`, in PostgREST's order, as (name, value)."""
    return [("role", caller.role), ("request.jwt.claims", caller.claims_json), *request_settings(request)]


def request_settings(request: RequestInfo) -> list[Setting]:
    """What of them is the same whoever asks."""
    return [
        ("request.method", request.method),
        ("request.path", request.path),
        ("request.headers", headers_json(request.headers)),
        ("request.cookies", encode(_parse_cookies(request.headers.get("cookie", ""))).decode()),
    ]


def setting_calls(settings: Iterable[Setting]) -> tuple[str, list[str]]:
    """The calls that make `settings` hold until the transaction ends, for a select list, and their parameters.

    >>> setting_calls([("role", "anon"), ("app.settings.a", "b")])
    ("set_config('role',$1,true),set_config($2,$3,true)", ['anon', 'app.settings.a', 'b'])
    """
    names: list[str] = []
    values: list[str] = []
    for name, value in settings:
        names.append(name)
        if name not in _NAMED:
            values.append(name)
        values.append(value)
    return _calls(tuple(names)), [value.replace("\x00", "\ufffd") for value in values]


@lru_cache(maxsize=200)
def _calls(names: tuple[str, ...]) -> str:
    calls: list[str] = []
    place = 0
    for name in names:
        place += 1 if name in _NAMED else 2
        calls.append(_NAMED[name] % place if name in _NAMED else f"set_config(${place - 1},${place},true)")
    return ",".join(calls)


def set_locally(settings: Iterable[Setting]) -> tuple[str, list[str]]:
    """The statement that makes `settings` hold until the transaction ends, and its parameters.

    >>> set_locally([("role", "anon")])
    ("SELECT num_nulls(set_config('role',$1,true))", ['anon'])
    """
    calls, values = setting_calls(settings)
    return f"SELECT num_nulls({calls})", values


def headers_json(headers: Mapping[str, str]) -> str:
    """What `request.headers` is set to: all but the cookies, which have a setting of their own."""
    return encode({name: value for name, value in headers.items() if name != "cookie"}).decode()


def _parse_cookies(header: str) -> dict[str, str]:
    """The Cookie header as name → value; one that can't be read is empty, never an error."""
    if not header:
        return {}
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        return {}
