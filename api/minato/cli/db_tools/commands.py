"""The commands of `db` and `test` that read a database, with the Supabase CLI's options. The work is imported when a
command runs.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from minato.cli.environment import process_environment
from minato.cli.local.cobra import CobraCommand, CobraGroup, exact_arguments, exclude_each_other, one_of
from minato.cli.local.failures import CommandFailure, told_as_the_cli
from minato.cli.local.global_flags import global_flags
from minato.cli.local.target_flags import Chosen, DbUrl, Linked, Local, Password

if TYPE_CHECKING:
    from minato.cli.local.database_target import DatabaseTarget

Schemas = Annotated[
    list[str] | None, typer.Option("--schema", "-s", help="Comma separated list of schemas.", show_default=False)
]
Ignored = Annotated[bool, typer.Option(hidden=True)]


def register(app: typer.Typer, db: typer.Typer) -> None:
    """Add the commands to `db`, and the group `test` to `app`."""
    for name, command in (
        ("dump", dump),
        ("restore", restore),
        ("diff", diff),
        ("pull", pull),
        ("lint", lint),
        ("advisors", advisors),
        ("query", query),
    ):
        db.command(name, cls=CobraCommand)(command)
    db.command("test", cls=CobraCommand, hidden=True)(run_database_tests)
    test = typer.Typer(cls=CobraGroup, help="Tests of the local database, and of the app.")
    test.command("db", cls=CobraCommand)(run_database_tests)
    test.command("new", cls=CobraCommand)(begin_test)
    test.command("init", cls=CobraCommand)(begin_tests_of_app)
    app.add_typer(test, name="test")


def dump(
    context: typer.Context,
    file: Annotated[str, typer.Option("--file", "-f", help="File for the dump.")] = "",
    data_only: Annotated[bool, typer.Option("--data-only", help="Rows alone.")] = False,
    role_only: Annotated[bool, typer.Option("--role-only", help="Roles alone.")] = False,
    use_copy: Annotated[bool, typer.Option("--use-copy", help="COPY in place of INSERT.")] = False,
    exclude: Annotated[
        list[str] | None, typer.Option("--exclude", "-x", help="schema.table whose rows are left out.")
    ] = None,
    keep_comments: Annotated[bool, typer.Option("--keep-comments", help="Keep pg_dump's comments.")] = False,
    schema: Schemas = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the script instead of running it.")] = False,
    db_url: DbUrl = None,
    linked: Linked = None,
    local: Local = None,
    password: Password = None,
) -> None:
    """Dump a database's schemas, rows or roles."""
    with told_as_the_cli(global_flags(context, process_environment()).debug):
        from minato.cli.db_tools.dump import DumpOptions
        from minato.cli.db_tools.dump import dump as work

        given = {"role-only": role_only, "data-only": data_only, "keep-comments": keep_comments, "schema": bool(schema)}
        for group in (("role-only", "data-only"), ("keep-comments", "data-only"), ("schema", "role-only")):
            exclude_each_other(group, given)
        options = DumpOptions(
            file, data_only, role_only, use_copy, _listed(exclude), keep_comments, _listed(schema), dry_run
        )
        options.refuse_contradictions()
        work(_target(context, Chosen(db_url, linked, local, password)), options)


def restore(
    context: typer.Context,
    file: Annotated[str | None, typer.Argument(help="The dump; without one, standard input.")] = None,
    db_url: DbUrl = None,
    linked: Linked = None,
    local: Local = None,
    password: Password = None,
) -> None:
    """Run a dump in a database: all of it, or nothing."""
    with told_as_the_cli(global_flags(context, process_environment()).debug):
        from minato.cli.db_tools.restore import restore as work

        work(_target(context, Chosen(db_url, linked, local, password)), file)


def diff(
    context: typer.Context,
    file: Annotated[str, typer.Option("--file", "-f", help="Name of the migration to write.")] = "",
    schema: Schemas = None,
    output: Annotated[str, typer.Option("--output", "-o", help="File for --from and --to.")] = "",
    start: Annotated[str, typer.Option("--from", help="local, migrations or a connection string.")] = "",
    end: Annotated[str, typer.Option("--to", help="local, migrations or a connection string.")] = "",
    use_migra: Ignored = True,
    use_pgadmin: Ignored = False,
    use_pg_schema: Ignored = False,
    use_pg_delta: Ignored = False,
    db_url: DbUrl = None,
    linked: Linked = None,
    local: Local = None,
) -> None:
    """Print what the database has and the migrations lack, as SQL."""
    with told_as_the_cli(global_flags(context, process_environment()).debug):
        from minato.cli.db_tools import diff as work
        from minato.clock import Clock
        from minato.schema_diff.diff import script

        engines = {"use-pgadmin": use_pgadmin, "use-pg-schema": use_pg_schema, "use-pg-delta": use_pg_delta}
        exclude_each_other(("use-migra", "use-pgadmin", "use-pg-schema", "use-pg-delta"), engines)
        target = _target(context, Chosen(db_url, linked, local))
        if not start and not end:
            work.diff(target, work.DiffOptions(file, _listed(schema)), Clock().now())
            return
        if not (start and end):
            raise CommandFailure("must set both --from and --to when using explicit diff mode")
        text = script(work.differences_between(target, start, end, _listed(schema)))
        if output:
            (target.place.workdir.root / output).write_text(text, encoding="utf-8")
        else:
            typer.echo(text, nl=False)


def pull(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The migration's name.", metavar="[migration name]")] = "remote_schema",
    schema: Schemas = None,
    diff_engine: Annotated[
        str, typer.Option("--diff-engine", parser=one_of("migra", "pg-delta"), hidden=True)
    ] = "migra",
    use_pg_delta: Ignored = False,
    db_url: DbUrl = None,
    linked: Linked = None,
    local: Local = None,
    password: Password = None,
) -> None:
    """Write what a database has and the migrations lack as a migration."""
    flags = global_flags(context, process_environment())
    with told_as_the_cli(flags.debug):
        from minato.cli.db_tools.pull import pull as work
        from minato.cli.local.prompts import Console
        from minato.clock import Clock

        target = _target(context, Chosen(db_url, linked, local, password))
        work(target, name, _listed(schema), Clock().now(), Console(flags.yes))


def lint(
    context: typer.Context,
    schema: Schemas = None,
    level: Annotated[str, typer.Option(parser=one_of("warning", "error"), help="warning or error")] = "warning",
    fail_on: Annotated[
        str, typer.Option(parser=one_of("none", "warning", "error"), help="none, warning, error")
    ] = "none",
    db_url: DbUrl = None,
    linked: Linked = None,
    local: Local = None,
) -> None:
    """Check the functions of a database."""
    with told_as_the_cli(global_flags(context, process_environment()).debug):
        from minato.cli.db_tools.lint import lint as work
        from minato.cli.local.database_target import connected

        with connected(_target(context, Chosen(db_url, linked, local))) as connection:
            work(connection, _listed(schema), level, fail_on)


def advisors(
    context: typer.Context,
    kind: Annotated[
        str,
        typer.Option(
            "--type",
            parser=one_of("all", "security", "performance", "reliability"),
            help="all, security, performance or reliability",
        ),
    ] = "all",
    level: Annotated[
        str, typer.Option(parser=one_of("info", "warn", "error"), help="The lowest that is shown: info, warn, error")
    ] = "warn",
    fail_on: Annotated[
        str, typer.Option(parser=one_of("none", "info", "warn", "error"), help="none, info, warn, error")
    ] = "none",
    as_json: Annotated[bool, typer.Option("--json", help="JSON, also in a terminal.")] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", parser=one_of("env", "pretty", "json", "toml", "yaml"), help="json, or pretty for people"
        ),
    ] = None,
    db_url: DbUrl = None,
    linked: Linked = None,
    local: Local = None,
) -> None:
    """Tell what hurts in a database, and the statements that mend it."""
    with told_as_the_cli(global_flags(context, process_environment()).debug):
        from minato.cli.db_tools import advisors as work
        from minato.cli.local.database_target import connected
        from minato.project.folder import Project
        from minato.project.minato_toml import read_minato_toml

        target = _target(context, Chosen(db_url, linked, local))
        reasons = read_minato_toml(Project(target.place.workdir.root)).advisors
        with connected(target) as connection:
            found = work.advisors(connection, target.config.items("api.schemas"), reasons, kind, level)
        for_people = output == "pretty" or (output != "json" and sys.stdout.isatty())
        work.show(found.open, as_json=as_json or not for_people)
        work.fail_on(found.open, fail_on)


def query(
    context: typer.Context,
    sql: Annotated[str | None, typer.Argument(help="The statement; without one, standard input.")] = None,
    file: Annotated[str, typer.Option("--file", "-f", help="File with the statement.")] = "",
    output: Annotated[
        str | None, typer.Option("--output", "-o", parser=one_of("json", "table", "csv"), help="table, json or csv")
    ] = None,
    db_url: DbUrl = None,
    linked: Linked = None,
    local: Local = None,
) -> None:
    """Run a statement and print its rows."""
    flags = global_flags(context, process_environment())
    with told_as_the_cli(flags.debug):
        from minato.cli.db_tools.query import find_sql, is_agent
        from minato.cli.db_tools.query import query as work
        from minato.cli.local.database_target import connected

        target = _target(context, Chosen(db_url, linked, local))
        text = find_sql(sql, file, target.place.workdir.root)
        for_agent = is_agent(flags.agent, process_environment())
        with connected(target) as connection:
            work(connection, text, output or ("json" if for_agent else "table"), for_agent)


def run_database_tests(
    context: typer.Context,
    paths: Annotated[list[str] | None, typer.Argument(help="Files or folders.", metavar="[path] ...")] = None,
    db_url: DbUrl = None,
    linked: Linked = None,
    local: Local = None,
) -> None:
    """Run the project's pgTAP tests."""
    flags = global_flags(context, process_environment())
    with told_as_the_cli(flags.debug):
        from minato.cli.db_tools.pgtap import run_tests

        target = _target(context, Chosen(db_url, linked, local))
        if not run_tests(target, paths or [], Path.cwd(), flags.debug):
            raise CommandFailure("error running container: exit 1")


def begin_test(
    context: typer.Context,
    name: Annotated[list[str] | None, typer.Argument(help="The test's name.")] = None,
    template: Annotated[str, typer.Option("--template", "-t", parser=one_of("pgtap"), help="pgtap")] = "pgtap",
) -> None:
    """Begin a test of the database."""
    flags = global_flags(context, process_environment())
    with told_as_the_cli(flags.debug):
        from minato.cli.db_tools.pgtap import new_test
        from minato.cli.local.plan import find_place

        exact_arguments(name or [], 1)
        new_test(find_place(flags.workdir, None, process_environment()).workdir.supabase, (name or [""])[0])


def begin_tests_of_app(context: typer.Context) -> None:
    """Add minato-test, for vitest and Playwright, to package.json."""
    flags = global_flags(context, process_environment())
    with told_as_the_cli(flags.debug):
        from minato.cli.local.test_library import add_library

        add_library((flags.workdir or Path.cwd()).absolute())


def _target(context: typer.Context, chosen: Chosen) -> DatabaseTarget:
    from minato.cli.local.database_target import choose_database
    from minato.cli.local.plan import find_place

    environment = process_environment()
    flags = global_flags(context, environment)
    return choose_database(find_place(flags.workdir, None, environment), environment, chosen)


def _listed(given: list[str] | None) -> tuple[str, ...]:
    """Repeated, or separated by commas."""
    return tuple(name for text in given or () for name in text.split(",") if name)
