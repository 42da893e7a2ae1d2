"""`db reset`: the project's database begins anew while its server runs, any other loses what the project made in it.

The project's own server loses its connections and comes back to the new database. Until that is whole, the data folder
says so: a reset that was cut off is mended by the next one, or by the next start.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import select
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from minato.cli.configure import configure
from minato.cli.kept_installation import find_installation, keep_installation
from minato.cli.local.buckets import has_buckets
from minato.cli.local.database_target import DatabaseTarget, connected, session_role
from minato.cli.local.failures import named
from minato.cli.local.git_branch import git_branch
from minato.cli.local.migrations import begin_anew, local_migrations, project_of, require_version
from minato.cli.local.new_database import fill_new_database, keep_database_settings, let_log_in
from minato.cli.local.plan import say
from minato.cli.local.prompts import Console
from minato.cli.local.running_database import RunningDatabase, running_database
from minato.cli.local.seed_buckets import fill_running_storage
from minato.cli.logins import with_login
from minato.cli.migrate import answering, migrate_platform
from minato.cli.people import load_users
from minato.cli.progress import Progress
from minato.cli.reset import recreate_cluster
from minato.cli.seed import available_seeds, load_seed
from minato.cli.target import OWNER, open_superuser
from minato.project.errors import ProjectError
from minato.project.folder import Project
from minato.project.script import at_work
from minato.project.user_objects import require_platform

# Sessions of the services: what they know of the database, they ask again in the next.
_END_SESSIONS = """
select pg_terminate_backend(pid, 5000) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and backend_type in ('client backend', 'walsender')
"""
DEMO = "demo"
NONE = "-"
PATIENCE_SECONDS, LOOK_SECONDS = 20.0, 0.05


def reset_database(target: DatabaseTarget, version: str, last: int, seed: bool, console: Console) -> None:
    """Up to a version, or without the last ones. Raises `CommandFailure`, `Declined` and `ProjectError`."""
    project = project_of(target)
    if version:
        require_version(project, version)
    elif last:
        version = version_before(project, last)
    running = running_database(target.require_running()) if target.is_local else None
    if running is None:
        _reset_any(target, version, seed, console)
        return
    with _alone(target.place.folder.reset_lock):
        _reset_own(target, running, project, version, seed)
    say(f"Finished {named('supabase db reset')} on branch {named(git_branch(Path.cwd(), target.environment))}.")


def version_before(project: Project, last: int) -> str:
    """The newest version that is left when the last ones are not run; below every version where none is."""
    versions = [file.version for file in local_migrations(project)]
    return versions[-last - 1] if last < len(versions) else NONE


def _reset_any(target: DatabaseTarget, version: str, seed: bool, console: Console) -> None:
    """A database of somebody else's: asked first, and only what may be a project's is dropped."""
    console.require("Do you want to reset the remote database?", default=False)
    say(f"Resetting remote database{_shown(version)}")
    with connected(target, lambda sentence: None) as connection:
        with at_work(connection, session_role(target)) as cursor:
            require_platform(cursor)
            begin_anew(cursor, target, version or None, seed)


def _reset_own(target: DatabaseTarget, running: RunningDatabase, project: Project, version: str, seed: bool) -> None:
    say(f"Resetting local database{_shown(version)}")
    folder = target.place.folder
    files = folder.begin_reset(find_installation(running.target))
    say("Recreating database...")
    recreate_cluster(running.target)
    say("Initialising schema...")
    new = _platform(running)
    keep_installation(new.target, files)
    try:
        fill_new_database(new.target, target.config, project, say, version or None, seed=seed)
    except ProjectError:
        # Files before the one that failed are whole, and the history tells which: it is a database to go on with.
        folder.finish()
        raise
    configure(new.settings, new.target)
    if seed:
        _load_demo(new)
    asyncio.run(load_users(new.settings, new.target.address))
    say("Restarting containers...")
    _restart(new)
    folder.finish()
    _wait_until_ready(str(target.require_running().announcement["url"]))
    if has_buckets(target.config):
        fill_running_storage(target.require_running(), target.config, project, Console(interactive=False))


def _platform(running: RunningDatabase) -> RunningDatabase:
    """The schema of every service, and the logins that the server uses."""
    progress = Progress(quiet=True, warn=say)
    with answering():
        migrate_platform(running.target, progress)
        target = with_login(running.target, progress)
        let_log_in(target, target.url, target.passwords[OWNER])
    keep_database_settings(target, running.secret, running.settings.auth.jwt_exp)
    return RunningDatabase(running.settings, running.secret, target)


def _load_demo(running: RunningDatabase) -> None:
    """The sample data that a start of this project loads into a new database, too."""
    demo = available_seeds(running.settings).get(DEMO)
    if demo is not None and running.settings.server.demo_mode:
        asyncio.run(load_seed(running.settings, running.target, running.secret, demo, Progress(quiet=True, warn=say)))


def _restart(running: RunningDatabase) -> None:
    """Every service comes back to a database that is whole."""
    connection = open_superuser(running.target)
    try:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(_END_SESSIONS)
    finally:
        connection.close()


def _wait_until_ready(url: str) -> None:
    """Until every service has come back; one that does not within PATIENCE_SECONDS is told of."""
    import httpx

    deadline = time.monotonic() + PATIENCE_SECONDS
    with httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE_SECONDS) as client:
        while time.monotonic() < deadline:
            with suppress(httpx.HTTPError):
                if client.get("/readyz").is_success:
                    return
            select.select([], [], [], LOOK_SECONDS)
    say(f"WARNING: {url}/readyz does not say that every service has come back; supabase/.minato/server.log tells more.")


def _shown(version: str) -> str:
    return f" to version: {version}" if version else "..."


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """One reset of a project at a time: the next one waits. The system drops the lock with its holder."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another reset of this project is under way: waiting for its end...")
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
