"""`minato storage sweep`: shows or deletes the files that no row names, also where the server left it to a person."""

from __future__ import annotations

import asyncio
from pathlib import Path

import typer

from minato.cli.environment import processors
from minato.cli.errors import CommandError
from minato.cli.migrate import migrate_if_needed
from minato.cli.options import load_settings
from minato.cli.progress import Progress
from minato.cli.secrets_file import jwt_secret
from minato.cli.target import opened_target
from minato.host.host import Host
from minato.storage.app import create_storage
from minato.storage.backend.told import StoreFailed
from minato.storage.services import Services
from minato.storage.sweep import find_orphans, sweep_orphans

KEPT = "Nothing was deleted: {}. Look with --dry-run; --adopt says that the files are this database's."


def sweep(data_dir: Path | None, dry_run: bool, adopt: bool) -> None:
    """Print what would go, or delete it. Raises `CommandError` when database and files do not belong together."""
    settings = load_settings(data_dir)
    secret = jwt_secret(settings.server)
    with opened_target(settings, secret) as target:
        migrate_if_needed(settings, target, Progress())
        backend = Host(processors()).create(settings, target.address, "http://localhost", secret).backend
        services = create_storage(backend).services

        async def run() -> None:
            await backend.database.open()
            try:
                await (_show(services) if dry_run else _sweep(services, adopt))
            finally:
                services.files.close()
                await backend.database.close()

        try:
            asyncio.run(run())
        except StoreFailed as error:
            raise CommandError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from None


async def _show(services: Services) -> None:
    count = 0
    async for paths in find_orphans(services):
        count += len(paths)
        for path in paths:
            typer.echo(path)
    standing = await services.installation.standing(services.files)
    typer.echo(f"{count} files without a row" + (f"; kept: {standing.reason}" if standing.reason else ""), err=True)


async def _sweep(services: Services, adopt: bool) -> None:
    standing = await services.installation.standing(services.files)
    if standing.reason is not None and not adopt:
        raise CommandError(KEPT.format(standing.reason))
    count = await sweep_orphans(services)
    await services.installation.renew(services.files, standing.behind)
    typer.echo(f"{count} files deleted")
