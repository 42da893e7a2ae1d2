"""`functions invoke`: one call, with a key or a user's token; what comes back is printed as it comes."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
import typer

from minato.cli.functions.project import FunctionsProject
from minato.cli.functions.server import user_token
from minato.cli.local.failures import CommandFailure
from minato.cli.local.plan import say

_ERROR: Final = 400


@dataclass(frozen=True)
class Call:
    """`name` may have a path and a query behind it; `who` is anon, service_role, a user's address, or None."""

    name: str
    method: str
    data: str | None
    data_file: str | None
    headers: list[str]
    who: str | None


def invoke_function(project: FunctionsProject, call: Call) -> int:
    """The exit status. Raises `CommandFailure`."""
    body = _body(call)
    headers = httpx.Headers({**_keys(project, call.who), **_type_of(body)})
    headers.update(dict(_pair(given) for given in call.headers))
    try:
        with (
            httpx.Client(trust_env=False, timeout=httpx.Timeout(10.0, read=None, write=None)) as client,
            client.stream(call.method.upper(), f"{project.url}/{call.name}", content=body, headers=headers) as answer,
        ):
            return _print(answer)
    except httpx.InvalidURL as error:
        raise CommandFailure(f"failed to invoke function: {error}") from None
    except httpx.HTTPError as error:
        raise CommandFailure(f"failed to invoke function: {str(error) or type(error).__name__}") from None


def _print(answer: httpx.Response) -> int:
    request_id = answer.headers.get("x-request-id", "")
    say(f"{answer.status_code} {answer.reason_phrase}".rstrip() + (f"  request {request_id}" if request_id else ""))
    last = b""
    for piece in answer.iter_bytes():
        sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        last = piece or last
    if sys.stdout.isatty() and last and not last.endswith(b"\n"):
        typer.echo()
    return 1 if answer.status_code >= _ERROR else 0


def _body(call: Call) -> bytes | None:
    if call.data is not None:
        return call.data.encode()
    if call.data_file is None:
        return None
    if call.data_file == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(call.data_file).read_bytes()
    except OSError as error:
        raise CommandFailure(f"failed to read body: open {call.data_file}: {error.strerror}") from None


def _type_of(body: bytes | None) -> Mapping[str, str]:
    """As functions-js does: JSON is told as such, what is text as text, the rest as bytes."""
    if not body:
        return {}
    try:
        json.loads(body)
    except UnicodeDecodeError:
        return {"content-type": "application/octet-stream"}
    except ValueError:
        return {"content-type": "text/plain;charset=UTF-8"}
    return {"content-type": "application/json"}


def _pair(given: str) -> tuple[str, str]:
    name, colon, value = given.partition(":")
    if not colon or not name.strip() or not given.isprintable():
        raise CommandFailure(f'invalid argument "{given}" for "-H, --header" flag: must be formatted as Name: value')
    return name.strip(), value.strip()


def _keys(project: FunctionsProject, who: str | None) -> dict[str, str]:
    """The key, of the kind that `@supabase/server` asks for, and in Authorization who calls."""
    if who is None:
        return {}
    assert project.state is not None
    told = project.state.announcement
    if who == "service_role":
        return {"apikey": str(told["secret_key"]), "authorization": f"Bearer {told['service_role_key']}"}
    token = told["anon_key"] if who == "anon" else user_token(project.state, who)
    return {"apikey": str(told["publishable_key"]), "authorization": f"Bearer {token}"}
