"""`minato stop`: ends the server of a project, and only that: a process is told to end while it holds the folder's lock
and is the one that took it.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import time
from collections.abc import Mapping
from contextlib import suppress

import typer

from minato.cli.errors import CommandError
from minato.cli.local.data_folder import DataFolder
from minato.cli.local.plan import Place, load_config, say
from minato.cli.local.process_lock import Holder, lock_holder
from minato.cli.local.registry import Registry
from minato.postgres.lock import holder as postgres_holder
from minato.project.errors import ProjectError

LOOK_SECONDS = 0.02
PATIENCE_SECONDS = 30.0


def stop_all(environment: Mapping[str, str], keep: bool) -> None:
    """Every project of this user."""
    registry = Registry(environment)
    for folder in registry.folders():
        _stop(folder, keep, registry)
    typer.echo("Stopped supabase local development setup.")


def stop_project(place: Place, project_id: str | None, environment: Mapping[str, str], keep: bool) -> None:
    """The project of the current folder, or the one that was started under `project_id`."""
    registry = Registry(environment)
    folders = [place.folder] if project_id is None else _named(project_id, place, registry, environment)
    for folder in folders:
        _stop(folder, keep, registry)
    typer.echo("Stopped supabase local development setup.")
    for folder in folders:
        if folder.has_data:
            say(f"Local data are kept in {folder.path}; minato stop --no-backup deletes them.")


def end_server(folder: DataFolder) -> None:
    """Tell the server to end and wait until its lock is free. Raises `CommandError` when it does not."""
    holder = lock_holder(folder.lock)
    if holder is None:
        return
    if not holder.is_alive:
        raise CommandError(f"Another system than this one serves {folder.path}, or another user: stop it there.")
    # Until it is ready, SIGINT is what a start is broken off by.
    _signal(holder, signal.SIGTERM if folder.read_state(holder.pid) is not None else signal.SIGINT)
    if not _is_gone_within(folder, holder, PATIENCE_SECONDS):
        _signal(holder, signal.SIGKILL)
        if not _is_gone_within(folder, holder, PATIENCE_SECONDS):
            raise CommandError(f"Process {holder.pid} does not end.")


def _stop(folder: DataFolder, keep: bool, registry: Registry) -> None:
    end_server(folder)
    registry.forget(folder)
    if not keep:
        _remove(folder)


def _remove(folder: DataFolder) -> None:
    """Delete what `start` made: only a folder that has had a server of a project, and that nobody uses."""
    process = postgres_holder(folder.path / "postgres.lock")
    if process is not None:
        raise CommandError(f"Process {process} (minato serve) uses {folder.path}: stop it first.")
    if folder.lock.exists():
        folder.remove_data()
        if folder.is_bare:
            shutil.rmtree(folder.path, ignore_errors=True)


def _named(project_id: str, place: Place, registry: Registry, environment: Mapping[str, str]) -> list[DataFolder]:
    found = [folder for folder in registry.folders() if _id_of(folder) == project_id]
    with suppress(ProjectError):
        if not found and load_config(place.workdir, environment).project_id == project_id:
            return [place.folder]
    return found


def _id_of(folder: DataFolder) -> str | None:
    holder = lock_holder(folder.lock)
    state = folder.read_state(holder.pid) if holder is not None else None
    return state.project_id if state is not None else None


def _signal(holder: Holder, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(holder.pid, number)


def _is_gone_within(folder: DataFolder, before: Holder, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while lock_holder(folder.lock) == before:
        if time.monotonic() > deadline:
            return False
        select.select([], [], [], LOOK_SECONDS)
    return True
