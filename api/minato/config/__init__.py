"""Every setting of the product, typed and checked at start.

Each room has its file here; the environment names are the ones the field already knows (`GOTRUE_*`, `PGRST_*`, …).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from minato.config.auth import AuthSettings
from minato.config.connections import ConnectionSettings
from minato.config.database import DatabaseSettings
from minato.config.functions import FunctionsSettings
from minato.config.mail import MailSettings
from minato.config.realtime import RealtimeSettings
from minato.config.rest import RestSettings
from minato.config.server import ServerSettings
from minato.config.storage import StorageSettings

__all__ = [
    "AuthSettings",
    "ConnectionSettings",
    "DatabaseSettings",
    "FunctionsSettings",
    "MailSettings",
    "RealtimeSettings",
    "RestSettings",
    "ServerSettings",
    "Settings",
    "StorageSettings",
]


@dataclass(frozen=True)
class Settings:
    """All settings of one backend; what is not given has its default."""

    server: ServerSettings = field(default_factory=ServerSettings)
    connections: ConnectionSettings = field(default_factory=ConnectionSettings)
    database: DatabaseSettings = field(default_factory=DatabaseSettings)
    auth: AuthSettings = field(default_factory=AuthSettings)
    rest: RestSettings = field(default_factory=RestSettings)
    realtime: RealtimeSettings = field(default_factory=RealtimeSettings)
    storage: StorageSettings = field(default_factory=StorageSettings)
    mail: MailSettings = field(default_factory=MailSettings)
    functions: FunctionsSettings = field(default_factory=FunctionsSettings)

    @classmethod
    def of(cls, variables: Mapping[str, str]) -> Settings:
        """Settings from these variables, under the names of the environment."""
        return cls(
            server=ServerSettings.of(variables),
            connections=ConnectionSettings.of(variables),
            database=DatabaseSettings.of(variables),
            auth=AuthSettings.of(variables),
            rest=RestSettings.of(variables),
            realtime=RealtimeSettings.of(variables),
            storage=StorageSettings.of(variables),
            mail=MailSettings.of(variables),
            functions=FunctionsSettings.of(variables),
        )
