"""`minato status`: is a server running on this data folder, and where is its database."""

from __future__ import annotations

from pathlib import Path

import orjson
import typer

from minato.cli.options import load_settings
from minato.cli.target import OWNER
from minato.postgres.address import running_address
from minato.postgres.layout import Layout
from minato.postgres.lock import holder

UNKNOWN = "Not known: with DATABASE_URL no server holds its data folder. Ask its /readyz."


def show_status(data_dir: Path | None, as_json: bool) -> None:
    """Print it; exit status 1 when nothing runs, or none can be seen."""
    settings = load_settings(data_dir)
    layout = Layout(settings.server.data_dir)
    process = holder(layout.lock)
    address = running_address(layout) if process is not None else None
    hidden = process is None and settings.database.database_url is not None
    shown = {
        "running": None if hidden else process is not None,
        "pid": process,
        "db_url": address.tcp_url(OWNER) if address else None,
        "data_dir": str(layout.data_dir),
    }
    if as_json:
        typer.echo(orjson.dumps(shown))
    else:
        nobody = UNKNOWN if hidden else f"Not running on {layout.data_dir}"
        typer.echo(f"Running as process {process}" if process else nobody)
        if address:
            typer.echo(f"Database {shown['db_url']}")
    raise typer.Exit(0 if process is not None else 1)
