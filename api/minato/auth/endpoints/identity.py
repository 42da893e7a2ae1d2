"""DELETE /user/identities/{id}: one way to sign in less."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping

from minato.auth import identities, one_time_tokens, users
from minato.auth.authentication import require_user
from minato.auth.call import Answer, Call
from minato.auth.errors import AuthError, invalid
from minato.auth.notifications import News, tell
from minato.auth.users import NO_MAILS, User


async def unlink_identity(call: Call) -> Answer:
    who = await require_user(call)
    if not call.settings.security_manual_linking_enabled:
        raise AuthError(404, "manual_linking_disabled", "Manual linking is disabled")
    wanted = _identity_id(call)
    if who.claims.get("aud") != call.audience:
        raise AuthError(403, "unexpected_audience", "Token audience doesn't match request audience")
    # One at a time: of two identities that leave at once, the second would be the last.
    account = await users.lock(call.db, who.user)
    owned = await identities.of_user(call.db, account.id)
    if len(owned) <= 1:
        message = "User must have at least 1 identity after unlinking"
        raise AuthError(422, "single_identity_not_deletable", message)
    leaving = next((row for row in owned if row["id"] == wanted), None)
    if leaving is None:
        raise AuthError(422, "identity_not_found", "Identity doesn't exist")
    traits = {"identity_id": str(wanted), "provider": leaving["provider"], "provider_id": leaving["provider_id"]}
    await call.record(who.user, "identity_unlinked", **traits)
    await identities.remove(call.db, wanted)
    user = await _readdress(call, account, leaving, [row for row in owned if row is not leaving])
    await identities.recompute_providers(call.db, user, call.now)
    # To the address it had: the present one may be another.
    await tell(call, user, News("identity_unlinked", provider=leaving["provider"]), to=who.user.email)
    return Answer({})


def _identity_id(call: Call) -> UUID:
    try:
        return UUID(call.request.path_params["id"])
    except ValueError as error:
        raise invalid("identity_id must be an UUID", 404) from error


async def _readdress(call: Call, user: User, leaving: RowMapping, staying: Sequence[RowMapping]) -> User:
    """The account's number goes with its identity; its address becomes one of an identity that stays."""
    if leaving["provider"] == "phone":
        return await users.change(call.db, user, call.now, phone=None, phone_confirmed_at=None)
    email, verified = _best_address(user, staying)
    if email == (user.email or None):
        return user
    if email and await users.find_duplicate(call.db, email, call.audience, beside=user.id):
        message = "Unable to unlink identity due to email conflict"
        raise AuthError(422, "email_conflict_identity_not_deletable", message)
    await one_time_tokens.forget(call.db, user.id)
    confirmed = (user.email_confirmed_at or call.now) if verified else None
    values: dict[str, Any] = {"email": email, "email_confirmed_at": confirmed}
    if not verified:
        values["raw_user_meta_data"] = {**user.user_metadata, "email_verified": False}
    return await users.change(call.db, user, call.now, **values, **NO_MAILS)


def _best_address(user: User, staying: Sequence[RowMapping]) -> tuple[str | None, bool]:
    """The present address if an identity has it, else the first verified one, else the first, else none."""
    known = [(str(row["email"]), _is_verified(row["identity_data"])) for row in staying if row["email"]]
    if any(email == user.email for email, _ in known):
        return user.email, True
    return min(known, key=lambda item: not item[1], default=(None, False))


def _is_verified(data: dict[str, Any] | None) -> bool:
    return (data or {}).get("email_verified") is True
