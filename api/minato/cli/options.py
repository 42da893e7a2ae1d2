"""Command-line options laid over the environment and `.env`."""

from __future__ import annotations

import os
from pathlib import Path

from minato.config import Settings
from minato.config.server import ServerSettings


def load_settings(
    data_dir: Path | None = None,
    *,
    host: str | None = None,
    port: int | None = None,
    demo: bool | None = None,
    environment: str | None = None,
) -> Settings:
    """All settings; an option that was not given leaves the environment's value. The data folder becomes absolute."""
    options = {"data_dir": data_dir, "host": host, "port": port, "demo_mode": demo, "environment": environment}
    given = {name: value for name, value in options.items() if value is not None}
    # What nobody set stays unset: a default may follow from an option.
    server = ServerSettings.model_validate({**ServerSettings().model_dump(by_alias=True, exclude_unset=True), **given})
    return Settings(server=server.model_copy(update={"data_dir": server.data_dir.absolute()}))


def apply_supabase_config(path: Path) -> list[str]:
    """Let `supabase/config.toml` stand behind the environment; the keys that have no counterpart here."""
    from minato.cli.errors import CommandError
    from minato.config.supabase_toml import read_supabase_config

    try:
        found = read_supabase_config(path)
    except ValueError as error:
        raise CommandError(str(error)) from error
    for name, value in found.settings.items():
        os.environ.setdefault(name, value)
    return found.unknown
