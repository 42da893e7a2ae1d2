"""`minato init`: a `supabase/config.toml` with every common key and its default."""

from __future__ import annotations

from pathlib import Path

import typer

from minato.cli.errors import CommandError
from minato.project.config_document import JSON, TOML
from minato.project.workdir import Workdir, sanitized_id

TEMPLATE = Path(__file__).parent / "config.toml"
IGNORED = """\
# What tools keep here for themselves
.branches
.temp

# Secrets
.env.keys
.env.local
.env.*.local
"""


def init_project(workdir: Workdir, force: bool) -> None:
    """Write the files. Raises `CommandError` where a project is already."""
    workdir.supabase.mkdir(parents=True, exist_ok=True)
    _write_config(workdir, force)
    if any((folder / ".git").exists() for folder in (workdir.root, *workdir.root.parents)):
        _extend(workdir.supabase / ".gitignore")
    typer.echo("Finished supabase init.")


def _write_config(workdir: Workdir, force: bool) -> None:
    name = sanitized_id(workdir.root.name)
    text = TEMPLATE.read_text(encoding="utf-8").replace("{{project_id}}", name)
    there = workdir.config_file
    if there.exists() and not force:
        raise CommandError(
            f"failed to create config file: open supabase/{there.name}: file exists\n"
            "Run supabase init --force to overwrite existing config file."
        )
    try:
        for other in JSON if force else ():
            (workdir.supabase / other).unlink(missing_ok=True)
        with (workdir.supabase / TOML).open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise CommandError(f"failed to create config file: {error}") from None


def _extend(path: Path) -> None:
    """Once: what is there already stays as it is."""
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    if IGNORED not in before:
        path.write_text(f"{before}\n{IGNORED}" if before else IGNORED, encoding="utf-8")
