"""`functions cache`: the one command that fetches what functions import, at a time the developer chooses."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import typer

from minato.cli.local.cache_python import install_requirements
from minato.cli.local.data_folder import DataFolder
from minato.cli.local.failures import CommandFailure
from minato.cli.local.settings import function_settings
from minato.config.functions import FunctionsSettings
from minato.functions.command import (
    SENTENCE,
    cache_arguments,
    deno_variables,
    find_deno,
    source_files,
    write_import_map,
)
from minato.functions.compiler import compiler_flags
from minato.functions.discovery import Function, Functions
from minato.functions.map_file import ImportMapError
from minato.functions.packages import Packages
from minato.project.config_file import ProjectConfig
from minato.project.workdir import Workdir


def cache_functions(
    workdir: Workdir, config: ProjectConfig, names: list[str], environment: Mapping[str, str], *, reload: bool = False
) -> None:
    """Fetch for the functions that are named, or for all, and with `reload` look for newer versions; `CommandFailure`
    at the end names those that failed.
    """
    settings = FunctionsSettings.of({**function_settings(config), **environment})
    functions = Functions(workdir.supabase / "functions", settings)
    cache = settings.cache or workdir.data / "deno"
    if settings.cache is None:
        # For its owner alone, and out of git's sight.
        DataFolder(workdir.data).prepare()
    failed = []
    for name in names or functions.names():
        try:
            function = functions.find(name)
            if function is None:
                raise CommandFailure(f"Function not found: {name}")
            if function.is_python:
                install_requirements(function, cache, environment)
            else:
                _fetch(functions, function, find_deno(settings.deno), cache, environment, reload=reload)
            typer.echo(f"Cached {name}")
        except CommandFailure as failure:
            # One that can't be fetched keeps no other from being so.
            typer.echo(f"Failed {name}: {failure}", err=True)
            failed.append(name)
    if failed:
        raise CommandFailure(f"Not cached: {', '.join(failed)}")


def _fetch(
    functions: Functions,
    function: Function,
    deno: Path | None,
    cache: Path,
    environment: Mapping[str, str],
    *,
    reload: bool,
) -> None:
    if deno is None:
        raise CommandFailure(SENTENCE)
    packages = Packages.of(function, cache)
    try:
        files = source_files(functions.version(function))
        named = not packages.need_node_modules
        work = cache.parent / "functions"
        import_map = write_import_map(function, files, work, packages=named)
        flags = [*packages.cache_flags(reload=reload), *compiler_flags(function, work)]
        with packages.fetching(environment) as home:
            arguments = [str(deno), *cache_arguments(function, import_map, flags)]
            variables = {**environment, **deno_variables(cache, home)}
            status = subprocess.run(arguments, env=variables, check=False).returncode
    except (ImportMapError, OSError) as error:
        raise CommandFailure(str(error)) from None
    if status:
        raise CommandFailure(f"Deno could not fetch what {function.name} imports; it says above why.")
