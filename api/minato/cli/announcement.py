"""What the server says of itself when it is ready: one JSON line for scripts, a banner for people."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
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
    """The fields of the JSON line, in its order; `mailbox_url` is None outside development."""

    url: str
    anon_key: str
    service_role_key: str
    publishable_key: str
    secret_key: str
    jwt_secret: str
    s3_access_key_id: str
    s3_access_key_secret: str
    db_url: str
    mailbox_url: str | None
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
        pid=os.getpid(),
    )


def print_json(ready: Announcement) -> None:
    """One line, flushed: a script waits for it."""
    typer.echo(orjson.dumps(asdict(ready)))


def print_banner(ready: Announcement, seed: Seed | None, settings: Settings) -> None:
    """Everything a person needs to begin; `seed` is the data that is in the database. In production no secret: what a
    server prints there is kept, and read by others."""
    from rich.console import Console  # scripts never see it

    from minato.cli.seed import demo_password

    console = Console(soft_wrap=True, highlight=False)
    console.print("\n[bold]Minato is ready.[/bold] Ctrl-C stops it.\n")
    if settings.server.environment == "production":
        _print_pairs(console, [("URL", ready.url), ("Keys", "minato keys prints them")])
    else:
        _print_begin(console, ready, seed, demo_password(settings))
    console.print()


def _print_begin(console: Console, ready: Announcement, seed: Seed | None, password: str) -> None:
    rows = [
        ("URL", ready.url),
        ("Mailbox", ready.mailbox_url),
        ("Database", ready.db_url),
        ("anon key", ready.anon_key),
        ("service_role key", ready.service_role_key),
        ("Publishable key", ready.publishable_key),
        ("Secret key", ready.secret_key),
    ]
    _print_pairs(console, [(name, value) for name, value in rows if value])
    if seed is not None and seed.accounts:
        console.print(f"\nDemo accounts, password [bold]{password}[/bold]:\n")
        _print_pairs(console, [(account["email"], account.get("role", "")) for account in seed.accounts])


def _print_pairs(console: Console, pairs: list[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in pairs)
    for name, value in pairs:
        console.print(f"  [bright_black]{name:<{width}}[/bright_black]  {value}", markup=True)
