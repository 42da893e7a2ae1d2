"""The settings of a branch: main's, with what would lead out of it taken away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pydantic import SecretStr

from minato.config import Settings

POOL, SERVICE_POOL = 4, 2
IDLE_SECONDS = 5.0


def branch_settings(
    main: Settings, folder: Path, url: str, host_url: str, app_url: str | None, db_url: str
) -> Settings:
    """Of a branch at `url` with its files in `folder`. Mail and text messages stay in its outbox, whatever main sends
    them by; tokens name it as their issuer; its functions are told its own database. Links lead to its web app where
    main's lead to main's, and `app_url` is where browsers open it."""
    public_url = url if main.server.public_url else None
    site_url = _site_url(main, url, host_url, app_url)
    database = {"pool_size": POOL, "service_pool_size": SERVICE_POOL, "pool_max_idletime": IDLE_SECONDS}
    functions = {"db_url": SecretStr(db_url)} if main.functions.db_url is not None else {}
    return replace(
        main,
        server=main.server.model_copy(update={"data_dir": folder, "public_url": public_url}),
        database=main.database.model_copy(update={**database, "read_url": None}),
        auth=main.auth.model_copy(update={"jwt_issuer": None, "site_url": site_url, "sms_provider": None}),
        storage=main.storage.model_copy(update={"url": None}),
        realtime=main.realtime.model_copy(update={"redis_url": None}),
        mail=main.mail.model_copy(update={"host": None}),
        functions=main.functions.model_copy(update=functions),
    )


def _site_url(main: Settings, url: str, host_url: str, app_url: str | None) -> str:
    given = main.auth.site_url
    if given and given.rstrip("/") != host_url:
        return given
    return app_url if app_url is not None and main.server.web_root is not None else url
