"""`minato branch` and `minato snapshot`: what they ask the running server, and how they print what it says."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, urlencode

import httpx
import typer

from minato.cli.dev_file import dev_server
from minato.cli.environment import process_environment
from minato.cli.functions.project import functions_project
from minato.cli.local.database_target import START_FIRST
from minato.cli.local.failures import CommandFailure
from minato.cli.local.global_flags import GlobalFlags
from minato.cli.options import load_settings
from minato.config import Settings
from minato.postgres.layout import Layout

# Longer than the server waits for its template.
SECONDS: Final = 120.0
BRANCHES, SNAPSHOTS = "/branches", "/snapshots"
NOT_HERE: Final = "this server has no branches: it is one of production, or has several workers"


@dataclass(frozen=True)
class Server:
    """A developer's server; `token` opens its pages where it wants one."""

    url: str
    token: str | None = field(default=None, repr=False)

    def ask(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Any:
        """What it says below `/_dev/v1`, None for nothing; what is None in the body is not sent. Raises
        `CommandFailure`, with the server's own sentence and hint where it refuses."""
        answer = self.answer(method, path, body)
        return answer.json() if answer.content and "json" in answer.headers.get("content-type", "") else None

    def text(self, path: str) -> str:
        """The same where the answer is a text."""
        return self.answer("GET", path).text

    def answer(self, method: str, path: str, body: Mapping[str, object] | None = None) -> httpx.Response:
        """The answer of a call that succeeded. Raises `CommandFailure`."""
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        given = None if body is None else {name: value for name, value in body.items() if value is not None}
        try:
            with httpx.Client(trust_env=False, timeout=SECONDS, headers=headers) as client:
                answer = client.request(method, f"{self.url}/_dev/v1{path}", json=given)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise CommandFailure(f"{self.url} does not answer: {str(error) or type(error).__name__}") from None
        if not answer.is_success:
            raise refusal(answer)
        return answer


def refusal(answer: httpx.Response) -> CommandFailure:
    """What a server refused, in its own words."""
    try:
        told = answer.json()
        return CommandFailure(str(told["message"]), str(told.get("hint") or ""))
    except (ValueError, KeyError, TypeError):
        return CommandFailure(NOT_HERE)


def find_server(flags: GlobalFlags, url: str | None) -> Server:
    """The one that is named; else the one of this folder's project, or of the data folder. Raises `CommandFailure`."""
    given = process_environment().get("MINATO_DEV_TOKEN")
    if url is not None:
        return Server(url.rstrip("/"), given)
    settings = load_settings(None).server
    served = dev_server(settings.data_dir, Layout(settings.data_dir).lock)
    if served is not None:
        return Server(served.url, given or served.token)
    state = functions_project(flags).state
    if state is None:
        raise CommandFailure("No server runs here.", f"{START_FIRST}, or name one: --server URL")
    token = Settings.of(state.settings).server.dev_token
    return Server(str(state.announcement["url"]), given or (token.get_secret_value() if token else None))


def at(collection: str, name: str, *more: str, **query: str | None) -> str:
    """The path of one of them, with a query of what is not None.

    >>> at("/branches", "a", "env", prefix="VITE_", format=None)
    '/branches/a/env?prefix=VITE_'
    """
    return with_query("/".join([collection, quote(name, safe=""), *more]), **query)


def with_query(path: str, **query: str | None) -> str:
    """The path with a query of what is not None."""
    asked = {each: value for each, value in query.items() if value is not None}
    return f"{path}?{urlencode(asked)}" if asked else path


def show(told: Mapping[str, object], as_json: bool, names: Sequence[str]) -> None:
    """Print one thing: as JSON, or the named fields, a line each."""
    if as_json:
        typer.echo(json.dumps(told, indent=2))
        return
    width = max(map(len, names))
    for name in names:
        if told.get(name) not in (None, ""):
            typer.echo(f"{name:<{width}}  {told[name]}")


def show_all(rows: Sequence[Mapping[str, object]], as_json: bool, names: Sequence[str]) -> None:
    """Print several: as JSON, or a table with these columns."""
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
        return
    lines = [tuple(names), *(tuple(_cell(row.get(name)) for name in names) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(names))]
    for line in lines:
        typer.echo("  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip())


def _cell(value: object) -> str:
    return "" if value is None else str(value)
