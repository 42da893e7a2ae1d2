"""Rows of the auth schema that nothing asks for any more; the statements and the ages are those of GoTrue's cleanup.

What strangers make rows of (a sign-in that was begun and left) is removed always, or it would fill the disk. What a
member could still miss is removed by `GOTRUE_DB_CLEANUP_ENABLED` alone, as in GoTrue.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from minato.clock import Clock
from minato.config.auth import AuthSettings

BATCH: Final = 500
SECONDS: Final = 600.0

# Without the cast PostgreSQL would take what an interval is subtracted from for an interval.
NOW: Final = "cast(:now as timestamptz)"
_BEGUN: Final = (
    ("saml_relay_states", f"created_at < {NOW} - interval '24 hours'"),
    ("flow_state", f"created_at < {NOW} - interval '24 hours'"),
    ("oauth_client_states", f"created_at < {NOW} - interval '24 hours'"),
    ("mfa_challenges", f"created_at < {NOW} - interval '24 hours'"),
    ("webauthn_challenges", f"expires_at < {NOW}"),
)
_ENDED: Final = (
    ("refresh_tokens", f"revoked and updated_at < {NOW} - interval '24 hours'"),
    ("sessions", f"not_after < {NOW} - interval '72 hours'"),
    ("mfa_factors", f"status = 'unverified' and created_at < {NOW} - interval '24 hours'"),
)
_ANONYMOUS: Final = ("users", f"is_anonymous and created_at < {NOW} - interval '30 days'")


def _too_old(seconds: float) -> tuple[str, str]:
    return "sessions", f"created_at < {NOW} - interval '24 hours' - interval '{seconds} seconds'"


def _idle(seconds: float) -> tuple[str, str]:
    refreshed = "coalesce(refreshed_at at time zone 'UTC', created_at)"
    return "sessions", f"{refreshed} < {NOW} - interval '24 hours' - interval '{seconds} seconds'"


def cleanup_statements(settings: AuthSettings) -> tuple[str, ...]:
    """One statement each, with `:now`; each removes at most `BATCH` rows and waits for no other transaction."""
    rows = [*_BEGUN]
    if settings.db_cleanup_enabled:
        rows += _ENDED
        if settings.external_anonymous_users_enabled:
            rows.append(_ANONYMOUS)
        if settings.sessions_timebox is not None:
            rows.append(_too_old(settings.sessions_timebox))
        if settings.sessions_inactivity_timeout is not None:
            rows.append(_idle(settings.sessions_inactivity_timeout))
    return tuple(_delete(table, condition) for table, condition in rows)


def _delete(table: str, condition: str) -> str:
    """Rows in use by another transaction are left for the next time."""
    chosen = f"select id from auth.{table} where {condition} limit {BATCH} for update skip locked"
    return f"delete from auth.{table} where id in ({chosen})"


class Cleanup:
    """Removes what is stale, batch by batch."""

    def __init__(self, settings: AuthSettings, engine: AsyncEngine, clock: Clock) -> None:
        self._statements = tuple(map(text, cleanup_statements(settings)))
        self._engine = engine
        self._clock = clock

    async def run(self) -> None:
        """Remove everything that is stale now. Raises what the database raises."""
        for statement in self._statements:
            removed = BATCH
            while removed == BATCH:
                async with self._engine.begin() as connection:
                    removed = (await connection.execute(statement, {"now": self._clock.now()})).rowcount
