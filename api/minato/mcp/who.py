"""As whom a tool asks: nobody, the service, or a user by their address."""

from __future__ import annotations

from typing import Final

import asyncpg

from minato.mcp.place import Place, ToolError
from minato.tokens.user_keys import claims_of

AS: Final = 'Who asks: "anon", "service_role", or the email address of a user'
_USER: Final = """
select id::text, coalesce(aud, '') as aud, coalesce(role, '') as role, coalesce(email, '') as email,
  coalesce(phone, '') as phone, coalesce(raw_app_meta_data, '{}') as app_metadata,
  coalesce(raw_user_meta_data, '{}') as user_metadata
from auth.users where pg_catalog.lower(email) = pg_catalog.lower($1) and not is_sso_user limit 1
"""


async def token_of(place: Place, who: str) -> str | None:
    """The token that says so; None for nobody. A user's has no session, and leaves none. Raises ToolError."""
    if who == "anon":
        return None
    if who == "service_role":
        return place.backend.api_keys.service_role
    try:
        found = await place.one(_USER, who)
    except asyncpg.PostgresError as error:
        raise ToolError(f"The users can't be read: {error}") from None
    if found is None:
        raise ToolError(f'Nobody has the address "{who[:200]}". It is anon, service_role or the address of a user.')
    backend = place.backend
    claims = claims_of(found, f"{backend.public_url}/auth/v1", backend.settings.auth.jwt_aud, backend.clock.timestamp())
    return backend.keys.sign(claims)
