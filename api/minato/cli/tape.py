"""`minato tape`: what a client asks is kept; `minato diff`: it is asked again elsewhere, and compared."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import typer

from minato.cli.developer import ask_developer
from minato.cli.errors import CommandError
from minato.cli.functions.project import FunctionsProject
from minato.cli.local.failures import CommandFailure
from minato.tape.compare import GRADES
from minato.tape.entry import NotATape, read_tape
from minato.tape.replay import Other, Replayed, fails, replay
from minato.tape.report import as_html, as_json, as_text

DIFFERS: Final = 1


@dataclass(frozen=True)
class Comparison:
    """`ref` repeats whose project may be written to."""

    tape: Path
    other: Other
    ref: str | None = None
    fail_on: str = "S2"


def command_tapes(
    project: FunctionsProject, method: str, name: str | None = None, replace: bool = False
) -> dict[str, Any]:
    """What the running server says to `/_dev/v1/tapes`. Raises `CommandFailure`."""
    answer = ask_developer(project, method, "/tapes", {"name": name, "replace": replace} if name is not None else None)
    try:
        told: dict[str, Any] = answer.json()
    except ValueError as error:
        raise CommandFailure(f"failed to ask the server: {error}") from None
    if not answer.is_success:
        hint = "Choose another name, or begin it anew: --replace" if told.get("code") == "tape_exists" else ""
        raise CommandFailure(str(told.get("message") or told), hint)
    return told


def compare(asked: Comparison, page: Path | None, as_data: bool) -> int:
    """Print the report; the exit status. Raises CommandError."""
    if asked.fail_on not in GRADES:
        raise CommandError(f"--fail-on is one of {', '.join(GRADES)}.")
    if asked.ref is not None and asked.ref != asked.other.ref:
        raise CommandError(f'--allow-writes repeats "{asked.other.ref}": whose data may be changed.')
    replayed = _replayed(asked)
    if page is not None:
        page.write_text(as_html(replayed, f"{asked.tape.name} against {asked.other.url}"), encoding="utf-8")
    typer.echo(json.dumps(as_json(replayed), indent=2, ensure_ascii=False) if as_data else as_text(replayed))
    return DIFFERS if fails(replayed, asked.fail_on) else 0


def _replayed(asked: Comparison) -> list[Replayed]:
    try:
        return list(replay(read_tape(asked.tape), asked.other, asked.ref is not None))
    except NotATape as error:
        raise CommandError(str(error)) from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise CommandError(f"{asked.other.url} does not answer: {str(error) or type(error).__name__}") from None


def forward(url: str, tape: Path, port: int, replace: bool = False) -> None:
    """Stand in front of a project until Ctrl-C, and tape what passes. Raises CommandError."""
    import socket

    import uvicorn

    from minato.tape.forward import Forward

    async def serve() -> int:
        with socket.create_server(("127.0.0.1", port)) as listener:
            typer.echo(f"http://127.0.0.1:{listener.getsockname()[1]} stands in front of {url}; Ctrl-C ends the tape.")
            async with Forward(url, tape, replace) as app:
                await uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off")).serve([listener])
                return app.recorder.count

    try:
        count = asyncio.run(serve())
    except FileExistsError:
        raise CommandError(f"{tape} is there already: name another --tape, or begin it anew by --replace.") from None
    except OSError as error:
        raise CommandError(f"The proxy can't begin: {error}") from None
    typer.echo(f"{tape}: {count} requests.")
