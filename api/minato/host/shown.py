"""What is told of a branch, under the names of `minato serve --json`, and as variables for a project's `.env`."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from datetime import UTC, datetime

from minato.clock import Clock
from minato.host.branch import Branch
from minato.host.names import app_url

# As `supabase status -o env` and the frameworks' templates call them.
VARIABLES = {
    "SUPABASE_URL": "url",
    "SUPABASE_ANON_KEY": "anon_key",
    "SUPABASE_SERVICE_ROLE_KEY": "service_role_key",
    "SUPABASE_PUBLISHABLE_KEY": "publishable_key",
    "SUPABASE_SECRET_KEY": "secret_key",
    "SUPABASE_JWT_SECRET": "jwt_secret",
    "SUPABASE_DB_URL": "db_url",
}
# What a bundler would put into a page that everybody reads.
PUBLIC = ("SUPABASE_URL", "SUPABASE_ANON_KEY", "SUPABASE_PUBLISHABLE_KEY")


def shown(branch: Branch, jwt_secret: str) -> dict[str, object]:
    """All that a client of the branch needs, and how long there is a branch."""
    backend = branch.application.backend
    keys, url = backend.api_keys, backend.public_url
    host_url = url.removesuffix(f"/b/{branch.id}")
    return {
        "id": branch.id,
        "url": url,
        "anon_key": keys.anon,
        "service_role_key": keys.service_role,
        "publishable_key": keys.publishable,
        "secret_key": keys.secret,
        "jwt_secret": jwt_secret,
        "s3_access_key_id": keys.s3_access_key_id,
        "s3_access_key_secret": keys.s3_access_key_secret,
        "db_url": branch.db_url,
        "mailbox_url": f"{url}/_dev/mailbox",
        "console_url": f"{host_url}/_dev/?branch={branch.id}",
        "app_url": app_url(host_url, branch.id) if backend.settings.server.web_root is not None else None,
        "from": branch.source,
        "label": branch.label,
        "ttl": branch.ttl,
        "keys": branch.own.keys,
        "seed": branch.own.seed,
        "created_at": moment(branch.created_at),
        "expires_at": moment(branch.expires_at) if branch.expires_at else None,
        "ms": branch.milliseconds,
    }


def figures(branch: Branch, now: datetime, size: int | None) -> dict[str, object]:
    """How large and how busy it is, and what of its time and its luck is not as usual."""
    backend = branch.application.backend
    clock = backend.clock
    return {
        "size_bytes": size,
        "requests": branch.requests,
        "idle_s": round((now - branch.used_at).total_seconds(), 1),
        "clock": {"now": moment(clock.now()), "offset_s": _offset(clock, now), "frozen": clock.frozen},
        "faults": len(backend.faults.rules),
    }


def _offset(clock: Clock, now: datetime) -> float:
    """How far ahead of `now` it is."""
    ahead = clock.now() - now if clock.frozen else clock.offset
    return round(ahead.total_seconds(), 3)


def moment(given: datetime) -> str:
    """RFC 3339 with `Z`.

    >>> moment(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    '2026-01-02T03:04:05.000Z'
    """
    return given.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def variables(told: Mapping[str, object], prefix: str) -> dict[str, str]:
    """Url and keys by the names of variables; with a prefix, as `VITE_`, only what may be in a page."""
    names = [name for name in VARIABLES if not prefix or name in PUBLIC]
    return {prefix + name: str(told[VARIABLES[name]]) for name in names}


def dotenv(named: Mapping[str, str]) -> str:
    """The text of a `.env` file, which a shell reads, too.

    >>> dotenv({"SUPABASE_URL": "http://127.0.0.1:1/b/one"})
    'SUPABASE_URL=http://127.0.0.1:1/b/one\\n'
    """
    return "".join(f"{name}={shlex.quote(value)}\n" for name, value in named.items())
