"""What the commands print of a server that runs."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from minato.cli.errors import CommandError
from minato.cli.local.data_folder import State
from minato.cli.local.formats import FORMATS, render
from minato.cli.local.functions_told import say_of_functions
from minato.cli.local.plan import is_coloured, say
from minato.cli.local.pretty import render_boxes
from minato.cli.local.values import named, parse_overrides
from minato.cli.published import CLI_JWT_SECRET

PRETTY = "pretty"


def require_format(form: str) -> None:
    """Raises `CommandError` for an output format that is none."""
    if form != PRETTY and form not in FORMATS:
        allowed = ", ".join(sorted([*FORMATS, PRETTY]))
        raise CommandError(f'invalid argument "{form}" for "-o, --output" flag: must be one of [ {allowed} ]')


def show_started(state: State) -> None:
    """The end of `start`."""
    say("Started supabase local development setup.\n")
    typer.echo(render_boxes(state.values, is_coloured()), nl=False)
    known = "  Keys and passwords above are the same on every machine: they are for development alone.\n"
    is_known = state.values.get("auth.jwt_secret", CLI_JWT_SECRET) == CLI_JWT_SECRET
    say(
        "Local dev security notice\n"
        f"{known if is_known else ''}"
        "  The server listens on this machine alone; don't let others in through a tunnel or a proxy.\n"
        "  Production is served by minato serve with secrets of its own."
    )
    _say_how_tokens_are_verified(state)
    say_of_functions(state)


def show_status(state: State, form: str, overrides: Sequence[str] = ()) -> None:
    """`status` in one of its formats. Raises `CommandError`."""
    require_format(form)
    if state.stopped:
        say(f"Stopped services: [{' '.join(state.stopped)}]")
    say_of_functions(state)
    if form == PRETTY:
        say("supabase local development setup is running.\n")
        typer.echo(render_boxes(state.values, is_coloured()), nl=False)
        _say_how_tokens_are_verified(state)
        return
    try:
        names = parse_overrides(overrides)
    except ValueError as error:
        raise CommandError(str(error)) from None
    typer.echo(render(named(state.values, names), form), nl=False)


def _say_how_tokens_are_verified(state: State) -> None:
    """To whoever has a server that still verifies users' tokens with the secret, and meets "invalid algorithm"."""
    if "auth.jwt_secret" not in state.values or "api.url" not in state.values:
        return
    if state.settings.get("MINATO_HS256_TOKENS", "").lower() in ("1", "on", "t", "true", "y", "yes"):
        return
    published = f"{state.values['api.url']}/auth/v1/.well-known/jwks.json"
    say(
        f"Users' tokens are signed with a key: verify them by {published}.\n"
        "  For programs that verify with the JWT secret (HS256): hs256_tokens = true below [development] in\n"
        "  supabase/minato.toml, or MINATO_HS256_TOKENS=true."
    )
