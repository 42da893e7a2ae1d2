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


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    gen = typer.Typer(cls=CobraGroup, help="Files made from the database, and keys.")
    gen.command("types", cls=CobraCommand)(types)
    app.add_typer(gen, name="gen")


def types(
    context: typer.Context,
    words: Annotated[list[str] | None, typer.Argument(metavar="[typescript]", hidden=True, show_default=False)] = None,
    local: Annotated[bool | None, typer.Option("--local", help="The local database.", show_default=False)] = None,
    linked: Annotated[bool | None, typer.Option("--linked", help="The linked project.", show_default=False)] = None,
    project_id: Annotated[str | None, typer.Option(help="A hosted project.", show_default=False)] = None,
    db_url: Annotated[
        str | None, typer.Option(help="The database of a connection string (percent-encoded).", show_default=False)
    ] = None,
    data_dir: DataDir = None,
    lang: Language = None,
    schema: Annotated[
        list[str] | None, typer.Option("--schema", "-s", help="Schemas to include, comma separated or repeated.")
    ] = None,
    swift_access_control: AccessControl = None,
    postgrest_v9_compat: Annotated[
        bool, typer.Option("--postgrest-v9-compat", help="Types for PostgREST 9 and below; with --db-url.")
    ] = False,
    query_timeout: Annotated[
        str | None, typer.Option("--query-timeout", help="The longest a query may take: 15s.", show_default=False)
    ] = None,
) -> None:
    """Print the types of a database's schemas."""
    flags = global_flags(context, process_environment())
    with told_as_the_cli(flags.debug):
        from minato.cli.gen_types.command import Asked, generate_types
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
