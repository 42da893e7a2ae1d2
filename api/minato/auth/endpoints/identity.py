"""DELETE /user/identities/{id}: one way to sign in less."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from minato.auth.messages.notifications import Notification, notify
from minato.auth.request.context import Transaction
from minato.auth.request.response import Response
from minato.auth.rows import identities, one_time_tokens, users
from minato.auth.rows.identities import Identity
from minato.auth.rows.users import NO_MAILS, User
from minato.auth.sessions.authentication import require_user
from minato.auth.wire.errors import AuthError, invalid


async def unlink_identity(tx: Transaction) -> Response:
    who = await require_user(tx)
    if not tx.settings.security_manual_linking_enabled:
        raise AuthError(404, "manual_linking_disabled", "Manual linking is disabled")
    wanted = _identity_id(tx)
    if who.claims.get("aud") != tx.audience:
        raise AuthError(403, "unexpected_audience", "Token audience doesn't match request audience")
    # One at a time: of two identities that leave at once, the second would be the last.
    account = await users.lock(tx.db, who.user)
    owned = await identities.of_user(tx.db, account.id)
    if len(owned) <= 1:
        message = "User must have at least 1 identity after unlinking"
        raise AuthError(422, "single_identity_not_deletable", message)
    leaving = next((one for one in owned if one.id == wanted), None)
    if leaving is None:
        raise AuthError(422, "identity_not_found", "Identity doesn't exist")
    traits = {"identity_id": str(wanted), "provider": leaving.provider, "provider_id": leaving.provider_id}
    await tx.record(who.user, "identity_unlinked", **traits)
    await identities.remove(tx.db, wanted)
    user = await _readdress(tx, account, leaving, [row for row in owned if row is not leaving])
    await identities.recompute_providers(tx.db, user, tx.now)
    # To the address it had: the present one may be another.
    await notify(tx, user, Notification("identity_unlinked", provider=leaving.provider), to=who.user.email)
    return Response({})


def _identity_id(tx: Transaction) -> UUID:
    try:
        return UUID(tx.path_params["id"])
    except ValueError as error:
        raise invalid("identity_id must be an UUID", 404) from error


async def _readdress(tx: Transaction, user: User, leaving: Identity, staying: Sequence[Identity]) -> User:
    """The account's number goes with its identity; its address becomes one of an identity that stays."""
    if leaving.provider == "phone":
        return await users.change(tx.db, user, tx.now, phone=None, phone_confirmed_at=None)
    email, verified = _best_address(user, staying)
    if email == (user.email or None):
        return user
    if email and await users.find_duplicate(tx.db, email, tx.audience, beside=user.id):
        message = "Unable to unlink identity due to email conflict"
        raise AuthError(422, "email_conflict_identity_not_deletable", message)
    await one_time_tokens.forget(tx.db, user.id)
    confirmed = (user.email_confirmed_at or tx.now) if verified else None
    values: dict[str, object] = {"email": email, "email_confirmed_at": confirmed}
    if not verified:
        values["raw_user_meta_data"] = {**user.user_metadata, "email_verified": False}
    return await users.change(tx.db, user, tx.now, **values, **NO_MAILS)


def _best_address(user: User, staying: Sequence[Identity]) -> tuple[str | None, bool]:
    """The present address if an identity has it, else the first verified one, else the first, else none."""
    known = [(one.email, _is_verified(one.identity_data)) for one in staying if one.email]
    if any(email == user.email for email, _ in known):
        return user.email, True
    return min(known, key=lambda item: not item[1], default=(None, False))


def _is_verified(data: dict[str, object] | None) -> bool:
    return (data or {}).get("email_verified") is True
