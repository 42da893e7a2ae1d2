"""Whose account a profile of a provider is: a known identity's, one with the same verified address, or a new one.

Addresses only count when they are verified, and what an account had before its address was confirmed goes, because
somebody else may have put it there (supabase/auth internal/models/linking.go).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import RowMapping
from sqlalchemy.exc import IntegrityError

from minato.auth import emails, identities, one_time_tokens, users
from minato.auth.call import Call
from minato.auth.errors import AuthError, CommittedError, database_error
from minato.auth.external.provider import Profile
from minato.auth.hooks.points import announce_user, tell_user_created
from minato.auth.metadata import merged
from minato.auth.notifications import News, tell
from minato.auth.registration import confirm_email
from minato.auth.users import User

TAKEN = "A user with this email address has already been registered"
WALLETS = "web3"


async def sign_in_profile(call: Call, profile: Profile, provider: str, email_optional: bool = False) -> User:
    """The account behind `profile`, opened or extended as needed, confirmed by its verified address."""
    known = await identities.find_by_subject(call.db, provider, profile.subject)
    user = await users.find(call.db, known["user_id"]) if known else await _by_address(call, profile, provider)
    if known is not None and user is not None:
        await identities.renew_data(call.db, known["id"], profile.claims, call.now)
        user, email = await _describe(call, user, profile.claims), user.email or ""
    elif user is not None:
        email = _candidate(profile)
        await _add_identity(call, user, profile, provider)
        user = await _describe(call, user, profile.claims)
    else:
        email = await _free_address(call, profile)
        user = await _open(call, profile, provider, email)
    if user.is_banned(call.now):
        raise AuthError(403, "user_banned", "User is banned")
    if provider == WALLETS or user.is_confirmed or (email_optional and not email):
        await call.record(user, "login", provider=provider)
        return user
    return await _confirm(call, user, profile, provider, email)


async def link_profile(call: Call, user: User, profile: Profile, provider: str) -> User:
    """`user` may sign in as `profile` from now on. 422 identity_already_exists."""
    known = await identities.find_by_subject(call.db, provider, profile.subject)
    if known is not None:
        whose = "" if known["user_id"] == user.id else " to another user"
        raise AuthError(422, "identity_already_exists", f"Identity is already linked{whose}")
    await _add_identity(call, user, profile, provider)
    email = str(profile.claims.get("email", ""))
    if not user.email and email:
        user = await _adopt_address(call, user, email, profile, provider)
    if user.is_anonymous:
        user = await users.change(call.db, user, call.now, is_anonymous=False)
    user = await identities.recompute_providers(call.db, user, call.now)
    await tell(call, user, News("identity_linked", provider=provider))
    return user


async def accept_invitation(call: Call, token: str, profile: Profile, provider: str) -> User:
    """The invited account, whose address the provider knows as its user's."""
    user = await users.find_by_confirmation_token(call.db, token)
    if user is None:
        raise AuthError(404, "invite_not_found", "Invite not found")
    if user.email not in [address.email for address in profile.addresses]:
        message = "Invited email does not match emails from external provider"
        raise AuthError(400, "validation_failed", message)
    if not await one_time_tokens.take(call.db, user.id, "confirmation_token", token):
        raise AuthError(404, "invite_not_found", "Invite not found")
    identity = await _add_identity(call, user, profile, provider, "invite_accepted")
    user = await _forget_unconfirmed(call, user, identity)
    return await confirm_email(call, user)


async def _by_address(call: Call, profile: Profile, provider: str) -> User | None:
    """The one account with a verified address of the profile; 500 when there are several."""
    verified = {one.email.lower() for one in profile.addresses if one.verified or _believes_claims(call)}
    if not verified:
        return None
    if _is_sso(provider):
        holders = await identities.holders_at(call.db, provider, verified)
    else:
        holders = await identities.holders_of(call.db, verified)
    if not holders and not _is_sso(provider):
        holders = {user.id for user in await users.find_by_emails(call.db, verified)}
    if len(holders) > 1:
        message = "Multiple accounts with the same email address in the same linking domain detected: "
        raise AuthError(500, "unexpected_failure", message + (provider if _is_sso(provider) else "default"))
    return await users.find(call.db, holders.pop()) if holders else None


def _is_sso(provider: str) -> bool:
    """An organisation's people are its own: they never share an account with others."""
    return provider.startswith("sso:")


def _candidate(profile: Profile) -> str:
    return next((one.email.lower() for one in profile.addresses if one.primary), "")


def _believes_claims(call: Call) -> bool:
    """As the reference with autoconfirm: whoever claims an address at a provider has its account."""
    return call.settings.mailer_autoconfirm and call.settings.external_link_unverified_emails


def _is_verified(call: Call, user: User, profile: Profile) -> bool:
    """Whether the account's address is its owner's: by the provider's word for that very address, or by default."""
    if call.settings.mailer_autoconfirm and (user.email or _believes_claims(call)):
        return True
    primary = [one.email.lower() for one in profile.addresses if one.primary and one.verified]
    return bool(primary) and (user.email or primary[0]) in primary


async def _free_address(call: Call, profile: Profile) -> str:
    """The primary address, but not one that is merely claimed and already somebody's."""
    email = _candidate(profile)
    claimed = not any(one.verified or _believes_claims(call) for one in profile.addresses)
    if email and claimed and await users.find_duplicate(call.db, email, call.audience):
        return ""
    return email


async def _open(call: Call, profile: Profile, provider: str, email: str) -> User:
    if call.settings.disable_signup:
        raise AuthError(422, "signup_disabled", "Signups not allowed for this instance")
    user_id = call.backend.entropy.uuid4()
    call.opened.add(user_id)
    columns = {
        "aud": call.audience,
        "email": email or None,
        "raw_app_meta_data": {"provider": provider, "providers": [provider]},
        "raw_user_meta_data": dict(profile.claims),
        "is_sso_user": _is_sso(provider),
        "is_anonymous": False,
    }
    await announce_user(call, user_id, columns)
    with database_error("Database error saving new user"):
        user = await users.create(call.db, user_id, call.now, **columns, encrypted_password="")
        await identities.add_external(
            call.db, call.backend.entropy.uuid4(), user_id, provider, profile.claims, call.now
        )
        user = await users.change(call.db, user, call.now, role=call.settings.jwt_default_group_name)
    await tell_user_created(call, user)
    return user


async def _add_identity(
    call: Call, user: User, profile: Profile, provider: str, action: str = "identity_linked"
) -> RowMapping:
    with database_error("Error creating identity"):
        identity_id = call.backend.entropy.uuid4()
        await identities.add_external(call.db, identity_id, user.id, provider, profile.claims, call.now)
    traits = {"identity_id": str(identity_id), "provider": provider, "provider_id": profile.subject}
    await call.record(user, action, **traits)
    identity = await identities.find_by_subject(call.db, provider, profile.subject)
    assert identity is not None, "it was inserted a moment ago"
    return identity


async def _describe(call: Call, user: User, claims: Mapping[str, Any]) -> User:
    metadata = merged(user.user_metadata, dict(claims))
    user = await users.change(call.db, user, call.now, raw_user_meta_data=metadata)
    return await identities.recompute_providers(call.db, user, call.now)


async def _confirm(call: Call, user: User, profile: Profile, provider: str, email: str) -> User:
    identity = await identities.find_by_subject(call.db, provider, profile.subject)
    assert identity is not None, "a profile that signs in has an identity"
    user = await _forget_unconfirmed(call, user, identity)
    if _is_verified(call, user, profile):
        await call.record(user, "user_signedup", provider=provider)
        return await confirm_email(call, user)
    advice = f"Verify the email with {provider} in order to sign in"
    if email:
        await emails.send(call, user, emails.CONFIRMATION)
        advice = f"A confirmation email has been sent to your {provider} email"
    if call.settings.mailer_allow_unverified_email_sign_ins:
        return user
    raise CommittedError(422, "provider_email_needs_verification", f"Unverified email with {provider}. {advice}")


async def _forget_unconfirmed(call: Call, user: User, identity: RowMapping) -> User:
    """Only `identity` is left of an account whose address nobody had confirmed."""
    await identities.remove_others(call.db, user.id, identity["id"])
    values: dict[str, Any] = {"encrypted_password": None, "raw_user_meta_data": identity["identity_data"]}
    user = await users.change(call.db, user, call.now, **values)
    return await identities.recompute_providers(call.db, user, call.now)


async def _adopt_address(call: Call, user: User, email: str, profile: Profile, provider: str) -> User:
    """An account without an address takes the one its new identity brings."""
    try:
        async with call.db.begin_nested():
            user = await users.change(call.db, user, call.now, email=email)
    except IntegrityError as error:
        raise AuthError(400, "email_exists", TAKEN) from error
    if profile.claims.get("email_verified") is True:
        return await confirm_email(call, user)
    await emails.send(call, user, emails.CONFIRMATION)
    sent = f"A confirmation email has been sent to your {provider} email"
    raise CommittedError(422, "email_not_confirmed", f"Unverified email with {provider}. {sent}")
