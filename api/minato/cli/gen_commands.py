"""`minato gen` with the Supabase CLI's flags. The work is imported when a command runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from minato.cli.environment import process_environment
from minato.cli.local.cobra import CobraCommand, CobraGroup, one_of
from minato.cli.local.failures import told_as_the_cli
from minato.cli.local.global_flags import global_flags

LANGUAGES = ("typescript", "go", "swift", "python", "zod")
Language = Annotated[
    str | None,
    typer.Option(
        "--lang", parser=one_of(*LANGUAGES), metavar="LANGUAGE", help=f"{', '.join(LANGUAGES)}.", show_default=False
    ),
]
AccessControl = Annotated[
    str | None,
    typer.Option(
        "--swift-access-control",
        parser=one_of("internal", "public"),
        metavar="LEVEL",
        help="Access control of Swift types: internal or public.",
        show_default=False,
    ),
]
DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", help="The database of minato serve on this folder, running or not.", show_default=False),
]
DatabaseUrl = Annotated[
    str | None, typer.Option(help="The database of a connection string (percent-encoded).", show_default=False)
]
Schemas = Annotated[
    list[str] | None, typer.Option("--schema", "-s", help="Schemas to include, comma separated or repeated.")
]
OfPostgrest9 = Annotated[
    bool, typer.Option("--postgrest-v9-compat", help="Types for PostgREST 9 and below; with --db-url.")
]
QueryTimeout = Annotated[
    str | None, typer.Option("--query-timeout", help="The longest a query may take: 15s.", show_default=False)
]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    gen = typer.Typer(cls=CobraGroup, help="Files made from the database, and keys.")
    gen.command("types", cls=CobraCommand)(types)
    gen.command("users", cls=CobraCommand)(users)
    gen.command("signing-key", cls=CobraCommand)(signing_key)
    gen.command("bearer-jwt", cls=CobraCommand)(bearer_jwt)
    gen.command("keys", cls=CobraCommand, hidden=True)(keys)
    app.add_typer(gen, name="gen")


def types(
    context: typer.Context,
    words: Annotated[list[str] | None, typer.Argument(metavar="[typescript]", hidden=True, show_default=False)] = None,
    local: Annotated[bool | None, typer.Option("--local", help="The local database.", show_default=False)] = None,
    linked: Annotated[bool | None, typer.Option("--linked", help="The linked project.", show_default=False)] = None,
    project_id: Annotated[str | None, typer.Option(help="A hosted project.", show_default=False)] = None,
    db_url: DatabaseUrl = None,
    data_dir: DataDir = None,
    lang: Language = None,
    schema: Schemas = None,
    swift_access_control: AccessControl = None,
    postgrest_v9_compat: OfPostgrest9 = False,
    query_timeout: QueryTimeout = None,
) -> None:
    """Print the types of a database's schemas."""
    flags = global_flags(context, process_environment())
    with told_as_the_cli(flags.debug):
        from minato.cli.gen_types_command import Asked, generate_types
        from minato.cli.local.go_values import duration
        from minato.cli.local.plan import find_place

        asked = Asked(
            local=local,
            linked=linked,
            project_id=project_id,
            db_url=db_url,
            data_dir=data_dir,
            language=lang,
            word=words[0] if words else None,
            schemas=schema or [],
            access_control=swift_access_control,
            is_for_postgrest_9=postgrest_v9_compat,
            seconds=duration(query_timeout, "--query-timeout") if query_timeout is not None else None,
        )
        generate_types(find_place(flags.workdir, None, process_environment()), process_environment(), asked)


def users(
    context: typer.Context,
    local: Annotated[bool, typer.Option("--local", help="The local database, as when nothing is said.")] = False,
    db_url: DatabaseUrl = None,
    data_dir: DataDir = None,
) -> None:
    """Print the accounts of a database as users.toml, without passwords."""
    flags = global_flags(context, process_environment())
    with told_as_the_cli(flags.debug):
        from minato.cli.gen_types_command import Asked
        from minato.cli.gen_users import generate_users
        from minato.cli.local.plan import find_place

        place = find_place(flags.workdir, None, process_environment())
        is_local = local or (db_url is None and data_dir is None)
        generate_users(place, process_environment(), Asked(local=is_local or None, db_url=db_url, data_dir=data_dir))


def signing_key(
    context: typer.Context,
    algorithm: Annotated[
        str, typer.Option(parser=one_of("RS256", "ES256"), metavar="ALGORITHM", help="ES256 or RS256.")
    ] = "ES256",
    append: Annotated[bool, typer.Option("--append", help="Add the key to those that are there.")] = False,
) -> None:
    """Make a key that signs the tokens of users."""
    flags = global_flags(context, process_environment())
    with told_as_the_cli(flags.debug):
        from minato.cli.local.plan import find_place
        from minato.cli.local.prompts import Console
        from minato.cli.signing_keys import make_signing_key, new_key
        from minato.entropy import Entropy

        place = find_place(flags.workdir, None, process_environment())
        key = new_key(algorithm, str(Entropy().uuid4()))
        make_signing_key(place, process_environment(), Console(flags.yes), key, append)


def bearer_jwt(
    context: typer.Context,
    role: Annotated[str | None, typer.Option(help="Postgres role to use.", show_default=False)] = None,
    sub: Annotated[str, typer.Option(help="User ID to impersonate.", show_default="anonymous")] = "",
    exp: Annotated[
        str | None, typer.Option(help="When the token expires: 2026-12-31T23:59:59Z.", show_default=False)
    ] = None,
    valid_for: Annotated[str, typer.Option(help="How long the token is valid.")] = "30m",
    payload: Annotated[str, typer.Option(help="More claims, as JSON.")] = "{}",
) -> None:
    """Print a token for the data API."""
    flags = global_flags(context, process_environment())
    with told_as_the_cli(flags.debug):
        from datetime import timedelta

        from minato.cli.local.failures import CommandFailure
        from minato.cli.local.go_values import duration, moment
        from minato.cli.local.plan import find_place
        from minato.cli.local.prompts import Console
        from minato.cli.signing_keys import bearer_claims
        from minato.cli.signing_keys import bearer_jwt as signed
        from minato.clock import Clock

        if role is None:
            raise CommandFailure('required flag(s) "role" not set')
        lasting = timedelta(seconds=duration(valid_for, "--valid-for"))
        expires = moment(exp, "--exp") if exp is not None else Clock().now() + lasting
        claims = bearer_claims(role, sub, expires - lasting, expires, payload)
        place = find_place(flags.workdir, None, process_environment())
        typer.echo(signed(place, process_environment(), Console(), claims))


def keys(
    context: typer.Context,
    project_ref: Annotated[str | None, typer.Option(help="A hosted project.", show_default=False)] = None,
    override_name: Annotated[list[str] | None, typer.Option(help="Names of variables: key=NAME.")] = None,
) -> None:
    """Keys of a hosted project's preview branch, which only the hosted API knows."""
    typer.echo('Command "keys" is deprecated, use "gen signing-key" instead.', err=True)
    flags = global_flags(context, process_environment())
    with told_as_the_cli(flags.debug):
        from minato.cli.local.failures import CommandFailure, named

        if not flags.experimental:
            raise CommandFailure("must set the --experimental flag to run this command")
        raise CommandFailure(
            "gen keys asks the hosted API for the keys of a preview branch, which is not reached from here.",
            f"Keys of the local project: {named('minato status -o env')}. A key of your own: "
            f"{named('minato gen signing-key')}.",
        )
