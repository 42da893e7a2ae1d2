"""The places where hooks are asked, and what their answers mean there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping

from minato.auth import sessions
from minato.auth.call import Call
from minato.auth.errors import CommittedError
from minato.auth.hooks.claims import require_claims
from minato.auth.hooks.invocation import invoke, invoke_afterwards, invoke_before_writing
from minato.auth.json_format import sorted_map
from minato.auth.user_json import user_json
from minato.auth.users import User

NO_MORE_PASSWORDS = "Further password verification attempts will be rejected."
NO_MORE_FACTORS = "Further MFA verification attempts will be rejected."
EMAIL_DATA = (
    *("token", "token_hash", "redirect_to", "email_action_type", "site_url", "token_new", "token_hash_new"),
    *("old_email", "old_phone", "provider", "factor_type"),
)
# A time that Go has not set.
ZERO_TIME = "0001-01-01T00:00:00Z"


async def customize_claims(call: Call, user_id: UUID, claims: dict[str, Any], method: str) -> dict[str, Any]:
    """The claims of an access token as the hook wants them; `method` is how the token was earned."""
    told = {"user_id": str(user_id), "claims": claims, "authentication_method": method}
    answer = await invoke(call, "custom_access_token", told)
    if answer is None:
        return claims
    changed: dict[str, Any] = sorted_map(require_claims(answer))
    return changed


async def judge_password(call: Call, user_id: UUID, valid: bool) -> None:
    """Refuses an attempt at a password that the hook rejects, right or wrong."""
    told = {"user_id": str(user_id), "valid": valid}
    answer = await invoke_before_writing(call, "password_verification_attempt", told)
    if answer is None or answer.get("decision") != "reject":
        return
    if answer.get("should_logout_user"):
        await sessions.end_all(call.db, user_id)
    raise CommittedError(400, "invalid_credentials", str(answer.get("message") or NO_MORE_PASSWORDS))


async def judge_factor(call: Call, user_id: UUID, factor: RowMapping, valid: bool) -> None:
    """Refuses an attempt at a second factor that the hook rejects; the user is signed out everywhere."""
    told = {
        "user_id": str(user_id),
        "factor_id": str(factor["id"]),
        "factor_type": factor["factor_type"],
        "valid": valid,
    }
    answer = await invoke(call, "mfa_verification_attempt", told)
    if answer is None or answer.get("decision") != "reject":
        return
    await sessions.end_all(call.db, user_id)
    raise CommittedError(403, "mfa_verification_rejected", str(answer.get("message") or NO_MORE_FACTORS))


async def announce_user(call: Call, user_id: UUID, columns: Mapping[str, Any]) -> None:
    """Ask whether an account may be opened; `columns` are what will be written."""
    if call.settings.hook("before_user_created") is None:
        return
    empty = dict.fromkeys((field.name for field in fields(User)), None)
    known: dict[str, Any] = {**empty, "id": user_id, "is_anonymous": False, "is_sso_user": False, **columns}
    told = {**user_json(User(**known), None), "created_at": ZERO_TIME, "updated_at": ZERO_TIME}
    await invoke_before_writing(call, "before_user_created", {"user": told})


async def tell_user_created(call: Call, user: User) -> None:
    """Tell of a new account, once it is committed and its mail is out."""
    if call.settings.hook("after_user_created") is None:
        return
    told = {"user": await call.user_json(user)}
    call.afterwards.append(partial(invoke_afterwards, call, "after_user_created", told))


async def mail_told(call: Call, user: User, action: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """What the send_email hook is told of a mail; `data` are the fields that are not empty."""
    sites = {"redirect_to": call.redirect_to, "email_action_type": action, "site_url": call.backend.public_url}
    return {"user": await call.user_json(user), "email_data": {**dict.fromkeys(EMAIL_DATA, ""), **sites, **data}}


async def send_by_hook(call: Call, name: str, told: Mapping[str, Any]) -> None:
    """Let the hook `name`, send_email or send_sms, send; `told` is the account and what it is sent."""
    await invoke_afterwards(call, name, told)
