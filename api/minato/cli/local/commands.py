"""The commands of a local project, with the Supabase CLI's options. The work is imported when a command runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from minato.cli.environment import process_environment
from minato.cli.errors import CommandError, told_plainly

Workdir = Annotated[
    Path | None, typer.Option("--workdir", help="The project's folder, which holds supabase/.", show_default=False)
]
DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Where the data are, instead of supabase/.minato.", show_default=False)
]
# The server that waits for what `start` tells it, among what a command line carries.
AHEAD = "minato.server_ahead"
Output = Annotated[str, typer.Option("--output", "-o", help="env, pretty, json, toml or yaml.")]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command()(start)
    app.command()(stop)
    app.command()(status)
    app.command()(init)
    app.command("exec", context_settings={"allow_interspersed_args": False})(execute)


Port = Annotated[
    int | None, typer.Option(help="Port of the API instead of config.toml's; 0 takes free ones.", min=0, max=65535)
]
Exclude = Annotated[list[str] | None, typer.Option("--exclude", "-x", help="Containers of the reference not to start.")]
Foreground = Annotated[bool, typer.Option("--foreground", help="Serve in this terminal until Ctrl-C.")]
AsJson = Annotated[
    bool, typer.Option("--json", help="Serve in the foreground; print one JSON line when ready, nothing else.")
]
Migrate = Annotated[bool, typer.Option("--migrate", help="Also run the migrations that kept data have not run yet.")]
EnvFile = Annotated[Path | None, typer.Option("--env-file", help="Settings of Minato's own, behind the environment.")]


def start(
    context: typer.Context,
    workdir: Workdir = None,
    data_dir: DataDir = None,
    port: Port = None,
    exclude: Exclude = None,
    foreground: Foreground = False,
    as_json: AsJson = False,
    migrate: Migrate = False,
    env_file: EnvFile = None,
    ignore_health_check: Annotated[bool, typer.Option("--ignore-health-check", hidden=True)] = False,
    preview: Annotated[bool, typer.Option("--preview", hidden=True)] = False,
) -> None:
    """Start the project of this folder: its database, migrations, seeds and every service."""
    with told_plainly():
        from minato.cli.local import start as work
        from minato.cli.local.options import StartOptions
        from minato.cli.local.plan import find_place, own_variables, refuse_other_project, refuse_production

        env_file = env_file.resolve() if env_file is not None else None
        settings = {**own_variables(env_file), **process_environment()}
        refuse_production(settings)
        place = find_place(workdir, data_dir, settings)
        refuse_other_project(settings, place.workdir)
        options = StartOptions(
            workdir=place.workdir.root,
            data=place.folder.path,
            port=port,
            # Who takes a free port for the one has no use for fixed ones of the others.
            database_port=0 if port == 0 else None,
            mail_port=0 if port == 0 else None,
            services_off=work.excluded_services(exclude or []),
            migrate=migrate,
            settings_file=env_file,
        )
        if foreground or as_json:
            work.start_in_foreground(options, process_environment(), as_json)
        else:
            work.start_in_background(options, context.meta.get(AHEAD))


def stop(
    workdir: Workdir = None,
    data_dir: DataDir = None,
    no_backup: Annotated[bool, typer.Option("--no-backup", help="Delete the project's data, too.")] = False,
    every: Annotated[bool, typer.Option("--all", help="Stop every project of this user.")] = False,
    project_id: Annotated[str | None, typer.Option("--project-id", help="Stop the project of this id.")] = None,
    backup: Annotated[bool, typer.Option("--backup", hidden=True)] = True,
) -> None:
    """Stop the project of this folder; its data stay."""
    with told_plainly():
        from minato.cli.local.plan import find_place
        from minato.cli.local.stop import stop_all, stop_project

        if every and project_id is not None:
            raise CommandError(
                "if any flags in the group [project-id all] are set none of the others can be; "
                "[all project-id] were all set"
            )
        if every:
            stop_all(process_environment(), keep=not no_backup)
        else:
            stop_project(
                find_place(workdir, data_dir, process_environment()),
                project_id,
                process_environment(),
                keep=not no_backup,
            )


def status(
    workdir: Workdir = None,
    data_dir: Annotated[
        Path | None,
        typer.Option("--data-dir", help="Where the data are, also those of minato serve.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same, as JSON for scripts.")] = False,
    output: Output = "pretty",
    override_name: Annotated[
        list[str] | None, typer.Option("--override-name", help="key=NAME: print a value under another name.")
    ] = None,
) -> None:
    """Say where the project of this folder runs; exit status 1 when it does not."""
    with told_plainly():
        from minato.cli.local.plan import find_place
        from minato.cli.local.status import is_of_a_project, show_project

        environment = process_environment()
        if as_json or (data_dir is not None and not is_of_a_project(data_dir)):
            from minato.cli.status import show_status

            show_status(data_dir, as_json)
        show_project(find_place(workdir, data_dir, environment), environment, output, override_name or [])


def init(
    workdir: Workdir = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a config.toml that is there.")] = False,
    interactive: Annotated[bool, typer.Option("--interactive", "-i", hidden=True)] = False,
    use_orioledb: Annotated[bool, typer.Option("--use-orioledb", hidden=True)] = False,
    with_vscode_settings: Annotated[bool, typer.Option("--with-vscode-settings", hidden=True)] = False,
    with_vscode_workspace: Annotated[bool, typer.Option("--with-vscode-workspace", hidden=True)] = False,
    with_intellij_settings: Annotated[bool, typer.Option("--with-intellij-settings", hidden=True)] = False,
) -> None:
    """Make a supabase/config.toml in this folder."""
    with told_plainly():
        from minato.cli.local.init import init_project
        from minato.project.workdir import Workdir as Folder

        given = workdir or process_environment().get("SUPABASE_WORKDIR") or "."
        init_project(Folder(Path(given).resolve()), force)


def execute(
    command: Annotated[list[str], typer.Argument(help="What to run.", metavar="CMD...")],
    workdir: Workdir = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start a backend even when the project runs already.")] = False,
) -> None:
    """Run a command beside a backend, which its variables name; afterwards nothing is left."""
    with told_plainly():
        from minato.cli.local.execute import execute as work
        from minato.cli.local.options import StartOptions
        from minato.cli.local.plan import find_place, refuse_production

        refuse_production(process_environment())
        place = find_place(workdir, None, process_environment())
        options = StartOptions(workdir=place.workdir.root, data=place.folder.path)
        raise typer.Exit(work(command, options, process_environment(), fresh))
