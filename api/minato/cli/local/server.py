"""The server of a local project: `minato serve` with what the project's folder says, in a new database all of it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Mapping
from pathlib import Path

from minato.cli import published
from minato.cli.interrupts import heeded_interrupts, heeded_termination
from minato.cli.listener import listen, require_safe_exposure
from minato.cli.local.backup_file import Restore
from minato.cli.local.data_folder import CutOff, DataFolder
from minato.cli.local.mail_port import mail_listener
from minato.cli.local.options import AlreadyServed, StartOptions
from minato.cli.local.plan import own_variables, refuse_production, say
from minato.cli.local.process_lock import ServerLock
from minato.cli.local.project import Project, load_project
from minato.cli.local.registry import Registry
from minato.cli.local.report import Report
from minato.cli.process import raise_descriptor_limit, uncollected
from minato.cli.secrets_file import jwt_secret, keep_secret
from minato.cli.target import embedded_postgres
from minato.postgres.account import choose_account
from minato.postgres.layout import Layout
from minato.postgres.vault_key import prefer_key


def run_server(
    options: StartOptions, environment: Mapping[str, str], report: Report, restore: Restore | None = None
) -> None:
    """Serve until a signal ends it. Raises `CommandError`, `PostgresError`, `ProjectError` and `AlreadyServed`."""
    refuse_production({**own_variables(options.settings_file), **environment})
    folder = DataFolder(options.data)
    folder.prepare()
    lock = ServerLock(folder.lock)
    if not lock.acquire():
        raise AlreadyServed
    try:
        folder.forget_state()
        project = load_project(options, folder, environment)
        for sentence in project.config.warnings:
            say(sentence)
        if options.ephemeral:
            end_with_starter()
        else:
            Registry(environment).note(folder, options.workdir)
        _serve(project, report, restore)
    finally:
        folder.forget_state()
        if options.ephemeral:
            folder.remove_data()
        lock.release()


def _serve(project: Project, report: Report, restore: Restore | None) -> None:
    raise_descriptor_limit()
    folder, settings = project.folder, project.settings
    is_new = not folder.has_data and settings.database.database_url is None
    if is_new:
        _tell_of(folder.begin_anew(project.options.backup), project.options.backup)
    say("Starting database..." if is_new else "Starting database from backup...")
    require_safe_exposure(settings.server)
    try:
        with (
            heeded_termination(),
            listen(settings.server) as listener,
            mail_listener(settings.server.host, project.mail_port) as mail,
            mail_listener(settings.server.host, project.smtp_port, "smtp_port") as smtp,
        ):
            secret = jwt_secret(settings.server)
            if secret == published.CLI_JWT_SECRET:
                # For whoever asks the data folder; another one that is set is asked of whoever set it.
                keep_secret(settings.server.data_dir, secret)
            postgres = embedded_postgres(settings, durable=not project.options.ephemeral)
            if postgres is not None:
                _heed_root_key(project)
                postgres.begin()
            try:
                with heeded_interrupts(), uncollected():
                    from minato.cli.local.local_run import LocalRun

                run = LocalRun(
                    settings, secret, listener, postgres, True, True, project, report, is_new, mail, smtp, restore
                )
                run.until_stopped()
            finally:
                if postgres is not None:
                    postgres.stop_now()
    except BaseException:
        # What a start made that did not come to its end must not be taken for a database.
        if is_new and not folder.has_data:
            folder.remove_data()
        raise


def _tell_of(former: CutOff | None, backup: Path | None) -> None:
    """Whoever had begun to restore a backup would take what begins now for it."""
    if former is None:
        return
    say("The last start or reset of this database was cut off, and nothing of it is kept.")
    if former.backup and backup is None:
        again = f"minato stop --no-backup; minato db start --from-backup {former.backup}"
        say(f"It was restoring a backup, which is not done now: {again}")


def _heed_root_key(project: Project) -> None:
    """Give the vault the key of `db.root_key`, where the file names one. Raises `PostgresError`."""
    key = project.config.text("db.root_key")
    if key:
        layout = Layout(project.settings.server.data_dir.absolute())
        layout.prepare()
        prefer_key(layout.vault_key, key, choose_account(layout.cluster))


def end_with_starter() -> None:
    """Be told to end when nobody holds our standard input any more."""

    def wait() -> None:
        while os.read(0, 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="starter", daemon=True).start()
