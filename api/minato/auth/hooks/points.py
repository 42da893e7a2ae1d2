"""The places where hooks are asked, what their answers mean there, and what claims must still be after one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from typing import Any
from uuid import UUID

from minato.auth.hooks.invocation import invoke, invoke_within
from minato.auth.request.context import RequestContext, Transaction
from minato.auth.rows import sessions
from minato.auth.rows.factors import Factor
from minato.auth.rows.users import User
from minato.auth.wire.errors import AuthError, CommittedError
from minato.auth.wire.json_format import sorted_map
from minato.auth.wire.user_json import user_json
from minato.json_text import JsonObject

NO_MORE_PASSWORDS = "Further password verification attempts will be rejected."
NO_MORE_FACTORS = "Further MFA verification attempts will be rejected."
EMAIL_DATA = (
    *("token", "token_hash", "redirect_to", "email_action_type", "site_url", "token_new", "token_hash_new"),
    *("old_email", "old_phone", "provider", "factor_type"),
)
# A time that Go has not set.
ZERO_TIME = "0001-01-01T00:00:00Z"
REQUIRED = ("aud", "exp", "iat", "sub", "email", "phone", "role", "aal", "session_id", "is_anonymous")
# claim → JSON types that it may have
_TYPES: dict[str, tuple[str, ...]] = {
    "aud": ("string", "array"),
    **dict.fromkeys(("exp", "iat", "nbf"), ("integer",)),
    **dict.fromkeys(("jti", "iss", "sub", "email", "phone", "role", "aal", "session_id", "client_id"), ("string",)),
    **dict.fromkeys(("app_metadata", "user_metadata"), ("object",)),
    "amr": ("array",),
}


async def customize_claims(tx: Transaction, user_id: UUID, claims: dict[str, object], method: str) -> dict[str, object]:
    """The claims of an access token as the hook wants them; `method` is how the token was earned."""
    told = {"user_id": str(user_id), "claims": claims, "authentication_method": method}
    answer = await invoke_within(tx, "custom_access_token", told)
    if answer is None:
        return claims
    changed: dict[str, object] = sorted_map(require_claims(answer))
    return changed


async def judge_password(context: RequestContext, user_id: UUID, valid: bool) -> None:
    """Refuses an attempt at a password that the hook rejects, right or wrong."""
    told = {"user_id": str(user_id), "valid": valid}
    answer = await invoke(context, "password_verification_attempt", told)
    if answer is None or answer.get("decision") != "reject":
        return
    if answer.get("should_logout_user"):
        async with context.transaction() as tx:
            await sessions.end_all(tx.db, user_id)
    raise AuthError(400, "invalid_credentials", str(answer.get("message") or NO_MORE_PASSWORDS))


async def judge_factor(tx: Transaction, user_id: UUID, factor: Factor, valid: bool) -> None:
    """Refuses an attempt at a second factor that the hook rejects; the user is signed out everywhere."""
    told = {
        "user_id": str(user_id),
        "factor_id": str(factor.id),
        "factor_type": factor.factor_type,
        "valid": valid,
    }
    answer = await invoke_within(tx, "mfa_verification_attempt", told)
    if answer is None or answer.get("decision") != "reject":
        return
    await sessions.end_all(tx.db, user_id)
    raise CommittedError(403, "mfa_verification_rejected", str(answer.get("message") or NO_MORE_FACTORS))


async def announce_user(context: RequestContext, user_id: UUID, columns: Mapping[str, Any]) -> None:
    """Ask whether an account may be opened; `columns` are what will be written."""
    if context.settings.hook("before_user_created") is None:
        return
    empty = dict.fromkeys((field.name for field in fields(User)), None)
    known: dict[str, Any] = {**empty, "id": user_id, "is_anonymous": False, "is_sso_user": False, **columns}
    told = {**user_json(User(**known), []), "created_at": ZERO_TIME, "updated_at": ZERO_TIME}
    await invoke(context, "before_user_created", {"user": told})


async def tell_user_created(tx: Transaction, user: User) -> None:
    """Tell of a new account, once it is committed and its mail is out."""
    if tx.settings.hook("after_user_created") is None:
        return
    told = {"user": await tx.user_json(user)}
    tx.after_commit.append(partial(invoke, name="after_user_created", told=told))


async def mail_told(tx: Transaction, user: User, action: str, data: Mapping[str, object]) -> dict[str, object]:
    """What the send_email hook is told of a mail; `data` are the fields that are not empty."""
    # Not the site, whatever the name says: where the service itself is reached, as in the reference.
    sites = {"redirect_to": tx.redirect_to, "email_action_type": action, "site_url": f"{tx.backend.public_url}/auth/v1"}
    return {"user": await tx.user_json(user), "email_data": {**dict.fromkeys(EMAIL_DATA, ""), **sites, **data}}


async def send_by_hook(context: RequestContext, name: str, told: Mapping[str, object]) -> None:
    """Let the hook `name`, send_email or send_sms, send; `told` is the account and what it is sent."""
    await invoke(context, name, told)


def require_claims(answer: JsonObject) -> JsonObject:
    """The claims in a hook's answer. Raises 500 with the list of what is wrong with them."""
    if "claims" not in answer:
        raise AuthError(500, "unexpected_failure", "output claims field is missing")
    claims = answer["claims"]
    if not isinstance(claims, dict):
        raise AuthError(500, "unexpected_failure", "Error unmarshaling JSON output.")
    flaws = [f"(root): {name} is required" for name in REQUIRED if name not in claims]
    flaws += [flaw for name, kinds in _TYPES.items() if name in claims and (flaw := _flaw(name, claims[name], kinds))]
    if flaws:
        listed = "".join(f"- {flaw}\n" for flaw in flaws)
        message = f"output claims do not conform to the expected schema: \n{listed}"
        raise AuthError(500, "unexpected_failure", message)
    return claims


def _flaw(name: str, value: object, kinds: tuple[str, ...]) -> str:
    given = _kind(value)
    if given in kinds or ("integer" in kinds and isinstance(value, float) and value.is_integer()):
        return ""
    expected = kinds[0] if len(kinds) == 1 else "/".join(kinds)
    return f"{name}: Invalid type. Expected: {expected}, given: {given}"


def _kind(value: object) -> str:
    names = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"), (dict, "object"))
    return next((name for kind, name in names if isinstance(value, kind)), "null")
