"""`seed buckets`: the buckets of `[storage.buckets]` with their files, and those of `[storage.vector]`, through a
running project's storage service.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from minato.cli.environment import process_environment
from minato.cli.local.buckets import fill_buckets, has_buckets
from minato.cli.local.data_folder import State
from minato.cli.local.database_target import START_FIRST, project_ref
from minato.cli.local.failures import CommandFailure, bold
from minato.cli.local.global_flags import GlobalFlags
from minato.cli.local.plan import Place, find_place, load_config, say
from minato.cli.local.prompts import Console
from minato.cli.local.start import running_state
from minato.cli.local.target_flags import Chosen
from minato.project.config_file import ProjectConfig
from minato.project.folder import Project

if TYPE_CHECKING:
    import httpx

SECONDS = 60.0


def seed_buckets(flags: GlobalFlags, chosen: Chosen, console: Console) -> None:
    """Make and fill them; without any there is nothing to do. Raises `CommandFailure` and `ProjectError`."""
    place = storage_place(flags, chosen)
    config = load_config(place.workdir, process_environment())
    if has_buckets(config):
        fill_running_storage(state_of(place), config, Project(place.workdir.root), console)


def storage_place(flags: GlobalFlags, chosen: Chosen) -> Place:
    """The project whose storage is meant. Raises `CommandFailure` for a hosted one and `ProjectError`."""
    environment = process_environment()
    place = find_place(flags.workdir, None, environment)
    if chosen.way == "linked":
        project_ref(place, environment)
        raise CommandFailure("A hosted project's storage is not reached from here.", "Leave --linked away.")
    chosen.require_one()
    return place


def state_of(place: Place) -> State:
    """What the project's server says of itself. Raises `CommandFailure` where none runs."""
    state = running_state(place.folder)
    if state is None:
        raise CommandFailure("supabase start is not running.", START_FIRST)
    return state


def fill_running_storage(state: State, config: ProjectConfig, project: Project, console: Console) -> None:
    """The same of the server that says `state`. Raises `CommandFailure`."""
    import httpx  # a tenth of a second that no other command of these has to wait

    async def work() -> None:
        async with _client(state) as client:
            may_update, may_prune = partial(_may_update, console), partial(_may_prune, console)
            await fill_buckets(client, config, project, say, may_update, may_prune)

    try:
        asyncio.run(work())
    except* httpx.HTTPError as errors:
        raise CommandFailure(f"failed to execute http request: {errors.exceptions[0]}") from None


def _client(state: State) -> httpx.AsyncClient:
    import httpx

    key = str(state.announcement["service_role_key"])
    headers = {"apikey": key, "authorization": f"Bearer {key}", "x-upsert": "true", "cache-control": "max-age=3600"}
    # Not by way of a proxy: the server is on this machine.
    return httpx.AsyncClient(base_url=str(state.announcement["url"]), headers=headers, timeout=SECONDS, trust_env=False)


def _may_update(console: Console, bucket: str) -> bool:
    return console.confirm(f"Bucket {bold(bucket)} already exists. Do you want to overwrite its properties?", True)


def _may_prune(console: Console, bucket: str) -> bool:
    label = f"Bucket {bold(bucket)} not found in {bold('supabase/config.toml')}. Do you want to prune it?"
    return console.confirm(label, False)
