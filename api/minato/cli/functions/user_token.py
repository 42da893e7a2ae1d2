"""A user's access token for a call by the developer. It has no session, and leaves none."""

from __future__ import annotations

from typing import Final

from minato.cli.functions.server import user_of
from minato.cli.local.data_folder import State
from minato.cli.local.failures import CommandFailure
from minato.cli.secrets_file import jwt_secret
from minato.clock import Clock
from minato.config import Settings
from minato.tokens.user_keys import user_keys

_VALID_SECONDS: Final = 600


def user_token(state: State, email: str) -> str:
    """Signed as the server signs them. Raises `CommandFailure` where nobody has this address."""
    if "@" not in email:
        raise CommandFailure(
            f'invalid argument "{email}" for "--as" flag: must be anon, service_role or the address of a user'
        )
    settings = Settings.of(state.settings)
    user = user_of(state, email)
    now = int(Clock().timestamp())
    claims = {
        "iss": f"{state.announcement['url']}/auth/v1",
        "sub": user["id"],
        "aud": user.get("aud") or settings.auth.jwt_aud,
        "iat": now,
        "exp": now + _VALID_SECONDS,
        "email": user.get("email") or "",
        "phone": user.get("phone") or "",
        "app_metadata": user.get("app_metadata") or {},
        "user_metadata": user.get("user_metadata") or {},
        "role": user.get("role") or "authenticated",
        "aal": "aal1",
        "is_anonymous": False,
    }
    return user_keys(settings.server, jwt_secret(settings.server)).sign(claims)
