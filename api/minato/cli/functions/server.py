"""What the running server is asked about its functions and users, with its own service key."""

from __future__ import annotations

from typing import Any, Final

import httpx

from minato.cli.functions.project import FunctionsProject
from minato.cli.local.data_folder import State
from minato.cli.local.failures import CommandFailure
from minato.cli.secrets_file import jwt_secret
from minato.clock import Clock
from minato.config import Settings
from minato.tokens.user_keys import claims_of, user_keys

_SECONDS: Final = 10.0


def running_functions(project: FunctionsProject) -> set[str]:
    """The functions that have a process just now; none where no server answers."""
    if project.state is None:
        return set()
    try:
        told = _ask(project.state, f"{project.url}/_internal/metric")
    except (httpx.HTTPError, ValueError):
        return set()
    found = told.get("functions")
    return set(found) if isinstance(found, dict) else set()


def user_of(state: State, email: str) -> dict[str, Any]:
    """Whose address it is, as the admin API tells. Raises `CommandFailure` where nobody has it."""
    address = f"{state.announcement['url']}/auth/v1/admin/users"
    try:
        users = _ask(state, address, filter=email.lower(), per_page="1000")["users"]
    except (httpx.HTTPError, ValueError, KeyError) as error:
        raise CommandFailure(f"failed to look for {email}: {error}") from None
    found = next((user for user in users if (user.get("email") or "").lower() == email.lower()), None)
    if found is None:
        raise CommandFailure(f"User not found: {email}", "Sign up, or make one in the console.")
    return dict(found)


def user_token(state: State, email: str) -> str:
    """A user's access token for a call by the developer, of no session, signed as the server signs them. Raises
    `CommandFailure` where nobody has this address."""
    if "@" not in email:
        raise CommandFailure(
            f'invalid argument "{email}" for "--as" flag: must be anon, service_role or the address of a user'
        )
    settings = Settings.of(state.settings)
    user = user_of(state, email)
    issuer = f"{state.announcement['url']}/auth/v1"
    claims = claims_of(user, issuer, settings.auth.jwt_aud, Clock().timestamp())
    return user_keys(settings.server, jwt_secret(settings.server)).sign(claims)


def _ask(state: State, address: str, **parameters: str) -> dict[str, Any]:
    key = str(state.announcement["service_role_key"])
    headers = {"apikey": key, "authorization": f"Bearer {key}"}
    with httpx.Client(trust_env=False, timeout=_SECONDS) as client:
        told: dict[str, Any] = client.get(address, params=parameters, headers=headers).raise_for_status().json()
    return told
