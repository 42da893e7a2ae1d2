"""A project whose server begins: its files, and the settings that follow from them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Final

from minato.cli.announcement import Announcement
from minato.cli.local.data_folder import DataFolder, State
from minato.cli.local.options import FUNCTIONS, MAIL, StartOptions
from minato.cli.local.plan import load_config, own_variables
from minato.cli.local.settings import Ports, ProjectFiles, project_settings
from minato.cli.local.signed_keys import signed_api_keys
from minato.cli.local.values import running_values, stopped_containers
from minato.clock import Clock
from minato.config import Settings
from minato.functions.command import find_deno
from minato.project.config_file import ProjectConfig
from minato.project.workdir import Workdir

# What of the reference's containers has its counterpart in this process; the rest is told as stopped.
ALWAYS: Final = frozenset({"kong", "imgproxy"})


@dataclass(frozen=True)
class Project:
    """All that is known of the project when its server begins."""

    options: StartOptions
    workdir: Workdir
    folder: DataFolder
    config: ProjectConfig
    settings: Settings
    # The host name in the addresses that are told, where they are not this machine's own.
    hostname: str | None
    # What `settings` were read from.
    variables: Mapping[str, str]

    @property
    def mail_port(self) -> int | None:
        """Where mail is read; None when nobody wants to, 0 for a free port."""
        if not self.config.flag("local_smtp.enabled") or MAIL in self.options.services_off:
            return None
        asked = self.options.mail_port
        return asked if asked is not None else self.config.number("local_smtp.port")

    @property
    def smtp_port(self) -> int | None:
        """Where mail of other programs is taken; None where the file names no port, or free ones are asked for, of
        which nobody would be told this one.
        """
        if self.mail_port is None or self.options.mail_port is not None:
            return None
        return self.config.number("local_smtp.smtp_port") or None

    @cached_property
    def running(self) -> frozenset[str]:
        """The reference's names of the containers whose work is done."""
        off = set(self.settings.server.services_off)
        services = {"auth", "realtime", "rest", "storage"} - off
        s3 = {"s3"} if self.settings.storage.s3_protocol_enabled else set()
        edge = {"edge_runtime"} if self._serves_functions else set()
        mail = {"inbucket"} if self.mail_port is not None else set()
        return ALWAYS | services | s3 | edge | mail

    @property
    def _serves_functions(self) -> bool:
        functions = self.settings.functions
        is_on = functions.enabled and FUNCTIONS not in self.settings.server.services_off
        return is_on and find_deno(functions.deno) is not None

    def state(self, ready: Announcement, mail_url: str) -> State:
        """What `status` tells of a server that is ready; mail is read at `mail_url`."""
        values = {
            "mailpit.url": mail_url,
            "inbucket.url": mail_url,
            "api.url": ready.url,
            "api.rest_url": f"{ready.url}/rest/v1",
            "api.functions_url": f"{ready.url}/functions/v1",
            "api.mcp_url": f"{ready.url}/mcp",
            "db.url": ready.db_url,
            "auth.publishable_key": ready.publishable_key,
            "auth.secret_key": ready.secret_key,
            "auth.jwt_secret": ready.jwt_secret,
            "auth.anon_key": ready.anon_key,
            "auth.service_role_key": ready.service_role_key,
            "api.storage_s3_url": f"{ready.url}/storage/v1/s3",
            "storage.s3_access_key_id": ready.s3_access_key_id,
            "storage.s3_secret_access_key": ready.s3_access_key_secret,
            "storage.s3_region": self.settings.storage.s3_region,
        }
        shown = self.running if self.config.flag("api.enabled") else self.running - {"kong"}
        return State(
            project_id=self.config.project_id,
            workdir=str(self.workdir.root),
            pid=os.getpid(),
            values=running_values(values, shown),
            announcement=asdict(ready),
            stopped=stopped_containers(self.config.project_id, self.running),
            settings={**self.variables, "MINATO_SERVICES_OFF": json.dumps(self.settings.server.services_off)},
        )


def load_project(options: StartOptions, folder: DataFolder, environment: Mapping[str, str]) -> Project:
    """Read everything, change nothing. Raises `CommandError` and `ProjectError`."""
    workdir = Workdir(options.workdir)
    config = load_config(workdir, environment)
    files = ProjectFiles(workdir, config, own_variables(options.settings_file))
    found = project_settings(files, folder.path, environment, Ports(options.port, options.database_port))
    found |= {name: key for name, key in signed_api_keys(config, workdir, Clock().now()).items() if not found.get(name)}
    settings = Settings.of(found)
    off = sorted({*settings.server.services_off, *options.services_off} - {MAIL})
    server = settings.server.model_copy(update={"services_off": off})
    hostname = environment.get("SUPABASE_SERVICES_HOSTNAME") or None
    return Project(options, workdir, folder, config, replace(settings, server=server), hostname, found)
