"""What the server says of itself when it is ready: one JSON line for scripts, a banner for people."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

import orjson
import typer

from minato.config import Settings

# Whoever only reads what was announced waits for none of these.
if TYPE_CHECKING:
    from rich.console import Console

    from minato.backend import Backend
    from minato.cli.seed import Seed


@dataclass(frozen=True)
class Announcement:
    """The fields of the JSON line, in its order; there is a mailbox and a console in development."""

    url: str
    anon_key: str
    service_role_key: str = field(repr=False)
    publishable_key: str
    secret_key: str = field(repr=False)
    jwt_secret: str = field(repr=False)
    s3_access_key_id: str
    s3_access_key_secret: str = field(repr=False)
    db_url: str = field(repr=False)
    mailbox_url: str | None
    console_url: str | None
    pid: int


def announcement(backend: Backend, jwt_secret: str, db_url: str) -> Announcement:
    """Where `backend` is and the keys to it."""
    keys = backend.api_keys
    access_key, secret = backend.settings.storage.s3_key_pair(keys.s3_access_key_id, keys.s3_access_key_secret)
    return Announcement(
        url=backend.public_url,
        anon_key=keys.anon,
        service_role_key=keys.service_role,
        publishable_key=keys.publishable,
        secret_key=keys.secret,
        jwt_secret=jwt_secret,
        s3_access_key_id=access_key,
        s3_access_key_secret=secret,
        db_url=db_url,
        mailbox_url=f"{backend.public_url}/_dev/mailbox" if backend.development else None,
        console_url=f"{backend.public_url}/_dev/" if backend.development else None,
        pid=os.getpid(),
    )


def print_json(ready: Announcement) -> None:
    """One line, flushed: a script waits for it."""
    typer.echo(orjson.dumps(asdict(ready)))


@dataclass(frozen=True)
class Welcome:
    """Whom a person is told they may sign in as: the demo accounts that are in the database, and their password. None
    of it in production: what a server prints there is kept, and read by others."""

    is_production: bool
    accounts: Sequence[tuple[str, str]]
    password: str = field(repr=False)

    def as_line(self) -> bytes:
        """For the process that waits for this one."""
        return orjson.dumps(asdict(self))

    @classmethod
    def of_line(cls, line: bytes) -> Welcome:
        """What `as_line` wrote."""
        given = orjson.loads(line)
        return cls(given["is_production"], [(name, role) for name, role in given["accounts"]], given["password"])

    @classmethod
    def of(cls, seed: Seed | None, settings: Settings) -> Welcome:
        """`seed` is the data that is in the database."""
        from minato.cli.seed import demo_password

        if settings.server.environment == "production" or seed is None:
            return cls(settings.server.environment == "production", (), "")
        return cls(False, [(one["email"], one.get("role", "")) for one in seed.accounts], demo_password(settings))


def print_banner(ready: Announcement, welcome: Welcome) -> None:
    """Everything a person needs to begin; in production no secret."""
    if welcome.is_production:
        _print([("URL", ready.url), ("Keys", "minato keys prints them")], welcome)
        return
    rows = [
        ("URL", ready.url),
        ("Console", ready.console_url),
        ("Mailbox", ready.mailbox_url),
        ("Database", ready.db_url),
        ("anon key", ready.anon_key),
        ("service_role key", ready.service_role_key),
        ("Publishable key", ready.publishable_key),
        ("Secret key", ready.secret_key),
    ]
    _print([(name, value) for name, value in rows if value], welcome)


def print_beside_boxes(ready: Announcement, welcome: Welcome) -> None:
    """What the boxes of `minato start` don't say, and where to begin."""
    rows = [
        ("URL", ready.url),
        ("Console", ready.console_url),
        ("Mailbox", ready.mailbox_url),
        ("anon key", ready.anon_key),
        ("service_role key", ready.service_role_key),
    ]
    _print([(name, value) for name, value in rows if value], welcome)


def _print(rows: list[tuple[str, str]], welcome: Welcome) -> None:
    from rich.console import Console  # scripts never see it

    console = Console(soft_wrap=True, highlight=False)
    console.print("\n[bold]Minato is ready.[/bold] Ctrl-C stops it.\n")
    _print_pairs(console, rows)
    _print_accounts(console, welcome)
    console.print()


def print_accounts(welcome: Welcome) -> None:
    """The demo accounts, where there are any."""
    from rich.console import Console

    _print_accounts(Console(soft_wrap=True, highlight=False), welcome)


def _print_accounts(console: Console, welcome: Welcome) -> None:
    if welcome.accounts:
        console.print(f"\nDemo accounts, password [bold]{welcome.password}[/bold]:\n")
        _print_pairs(console, list(welcome.accounts))


def _print_pairs(console: Console, pairs: list[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in pairs)
    for name, value in pairs:
        console.print(f"  [bright_black]{name:<{width}}[/bright_black]  {value}", markup=True)
