"""Whose account a profile of a provider is: a known identity's, one with the same verified address, or a new one.

Addresses only count when they are verified, and what an account had before its address was confirmed goes, because
somebody else may have put it there (supabase/auth internal/models/linking.go).
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy.exc import IntegrityError

from minato.auth.accounts.administrator import require_open
from minato.auth.accounts.registration import NewAccount, announce_account, confirm_email
from minato.auth.hooks.points import tell_user_created
from minato.auth.messages import emails
from minato.auth.messages.notifications import Notification, notify
from minato.auth.providers.provider import Profile
from minato.auth.request.context import ReadTransaction, RequestContext, Transaction
from minato.auth.request.data import RequestData
from minato.auth.rows import identities, one_time_tokens, users
from minato.auth.rows.identities import Identity
from minato.auth.rows.users import User, merge_metadata
from minato.auth.wire.errors import AuthError, CommittedError, LostRace, database_error

TAKEN = "A user with this email address has already been registered"
WALLETS = "web3"


async def announce_profile(context: RequestContext, profile: Profile, provider: str) -> NewAccount | None:
    """The account that `profile` opens, announced to the hook; None where it has one."""
    async with context.read() as tx:
        _, user = await _holder(tx, profile, provider)
        if user is not None:
            return None
        email = await _free_address(tx, profile)
        if not _is_sso(provider):
            await require_open(tx, email)
    if context.settings.disable_signup:
        raise AuthError(422, "signup_disabled", "Signups not allowed for this instance")
    columns = {
        "aud": context.audience,
        "email": email or None,
        "raw_app_meta_data": {"provider": provider, "providers": [provider]},
        "raw_user_meta_data": dict(profile.claims),
        "is_sso_user": _is_sso(provider),
        "is_anonymous": False,
    }
    return await announce_account(context, columns)


async def sign_in_profile(
    tx: Transaction, profile: Profile, provider: str, new: NewAccount | None, email_optional: bool = False
) -> User:
    """The account behind `profile`, opened as `new` or extended, confirmed by its verified address."""
    known, user = await _holder(tx, profile, provider)
    if known is not None and user is not None:
        await identities.renew_data(tx.db, known.id, profile.claims, tx.now)
        user, email = await _describe(tx, user, profile.claims), user.email or ""
    elif user is not None:
        email = _candidate(profile)
        await _add_identity(tx, user, profile, provider)
        user = await _describe(tx, user, profile.claims)
    else:
        if new is None:
            # It was there a moment ago, and so nobody was asked whether it may be opened.
            raise LostRace
        user = await _open(tx, profile, provider, new)
        email = str(new.columns["email"] or "")
    if user.is_banned(tx.now):
        raise AuthError(403, "user_banned", "User is banned")
    if provider == WALLETS or user.is_confirmed or (email_optional and not email):
        await tx.record(user, "login", provider=provider)
        return user
    return await _confirm(tx, user, profile, provider, email)


async def link_profile(tx: Transaction, user: User, profile: Profile, provider: str) -> User:
    """`user` may sign in as `profile` from now on. 422 identity_already_exists."""
    known = await identities.find_by_subject(tx.db, provider, profile.subject)
    if known is not None:
        whose = "" if known.user_id == user.id else " to another user"
        raise AuthError(422, "identity_already_exists", f"Identity is already linked{whose}")
    await _add_identity(tx, user, profile, provider)
    if not user.email and profile.claims.get("email", ""):
        user = await _adopt_address(tx, user, profile, provider)
    if user.is_anonymous:
        user = await users.change(tx.db, user, tx.now, is_anonymous=False)
    user = await identities.recompute_providers(tx.db, user, tx.now)
    await notify(tx, user, Notification("identity_linked", provider=provider))
    return user


async def accept_invitation(tx: Transaction, token: str, profile: Profile, provider: str) -> User:
    """The invited account, whose address the provider knows as its user's."""
    user = await users.find_by_confirmation_token(tx.db, token)
    if user is None:
        raise AuthError(404, "invite_not_found", "Invite not found")
    if user.email not in [address.email for address in profile.addresses]:
        message = "Invited email does not match emails from external provider"
        raise AuthError(400, "validation_failed", message)
    if not await one_time_tokens.take(tx.db, user.id, "confirmation_token", token):
        raise AuthError(404, "invite_not_found", "Invite not found")
    identity = await _add_identity(tx, user, profile, provider, "invite_accepted")
    user = await _forget_unconfirmed(tx, user, identity)
    return await confirm_email(tx, user)


async def _holder(tx: ReadTransaction, profile: Profile, provider: str) -> tuple[Identity | None, User | None]:
    """The identity that is known, and the account that is the profile's by it or by its address."""
    known = await identities.find_by_subject(tx.db, provider, profile.subject)
    return known, await users.find(tx.db, known.user_id) if known else await _by_address(tx, profile, provider)


async def _by_address(tx: ReadTransaction, profile: Profile, provider: str) -> User | None:
    """The one account with a verified address of the profile; 500 when there are several."""
    verified = {one.email.lower() for one in profile.addresses if one.verified or _believes_claims(tx)}
    if not verified:
        return None
    if _is_sso(provider):
        holders = await identities.holders_at(tx.db, provider, verified)
    else:
        holders = await identities.holders_of(tx.db, verified)
    if not holders and not _is_sso(provider):
        holders = {user.id for user in await users.find_by_emails(tx.db, verified)}
    if len(holders) > 1:
        message = "Multiple accounts with the same email address in the same linking domain detected: "
        raise AuthError(500, "unexpected_failure", message + (provider if _is_sso(provider) else "default"))
    return await users.find(tx.db, holders.pop()) if holders else None


def _is_sso(provider: str) -> bool:
    """An organisation's people are its own: they never share an account with others."""
    return provider.startswith("sso:")


def _candidate(profile: Profile) -> str:
    return next((one.email.lower() for one in profile.addresses if one.primary), "")


def _believes_claims(data: RequestData) -> bool:
    """As the reference with autoconfirm: whoever claims an address at a provider has its account."""
    return data.settings.mailer_autoconfirm and data.settings.external_link_unverified_emails


def _is_verified(data: RequestData, user: User, profile: Profile) -> bool:
    """Whether the account's address is its owner's: by the provider's word for that very address, or by default."""
    if data.settings.mailer_autoconfirm and (user.email or _believes_claims(data)):
        return True
    primary = [one.email.lower() for one in profile.addresses if one.primary and one.verified]
    return bool(primary) and (user.email or primary[0]) in primary


async def _free_address(tx: ReadTransaction, profile: Profile) -> str:
    """The primary address, but not one that is merely claimed and already somebody's."""
    email = _candidate(profile)
    claimed = not any(one.verified or _believes_claims(tx) for one in profile.addresses)
    if email and claimed and await users.find_duplicate(tx.db, email):
        return ""
    return email


async def _open(tx: Transaction, profile: Profile, provider: str, new: NewAccount) -> User:
    tx.opened.add(new.id)
    with database_error(tx.db, "Database error saving new user"):
        user = await users.create(tx.db, new.id, tx.now, **new.columns, encrypted_password="")
        await identities.add_external(tx.writer, new.id, provider, profile.claims)
        user = await users.change(tx.db, user, tx.now, role=tx.settings.jwt_default_group_name)
    await tell_user_created(tx, user)
    return user


async def _add_identity(
    tx: Transaction, user: User, profile: Profile, provider: str, action: str = "identity_linked"
) -> Identity:
    with database_error(tx.db, "Error creating identity"):
        identity_id = await identities.add_external(tx.writer, user.id, provider, profile.claims)
    traits = {"identity_id": str(identity_id), "provider": provider, "provider_id": profile.subject}
    await tx.record(user, action, **traits)
    identity = await identities.find_by_subject(tx.db, provider, profile.subject)
    assert identity is not None, "it was inserted a moment ago"
    return identity


async def _describe(tx: Transaction, user: User, claims: Mapping[str, object]) -> User:
    metadata = merge_metadata(user.user_metadata, dict(claims))
    user = await users.change(tx.db, user, tx.now, raw_user_meta_data=metadata)
    return await identities.recompute_providers(tx.db, user, tx.now)


async def _confirm(tx: Transaction, user: User, profile: Profile, provider: str, email: str) -> User:
    identity = await identities.find_by_subject(tx.db, provider, profile.subject)
    assert identity is not None, "a profile that signs in has an identity"
    user = await _forget_unconfirmed(tx, user, identity)
    if _is_verified(tx, user, profile):
        await tx.record(user, "user_signedup", provider=provider)
        return await confirm_email(tx, user)
    advice = f"Verify the email with {provider} in order to sign in"
    if email:
        await emails.send(tx, user, emails.CONFIRMATION)
        advice = f"A confirmation email has been sent to your {provider} email"
    if tx.settings.mailer_allow_unverified_email_sign_ins:
        return user
    raise CommittedError(422, "provider_email_needs_verification", f"Unverified email with {provider}. {advice}")


async def _forget_unconfirmed(tx: Transaction, user: User, identity: Identity) -> User:
    """Only `identity` is left of an account whose address nobody had confirmed."""
    await identities.remove_others(tx.db, user.id, identity.id)
    values: dict[str, object] = {"encrypted_password": None, "raw_user_meta_data": identity.identity_data}
    user = await users.change(tx.db, user, tx.now, **values)
    return await identities.recompute_providers(tx.db, user, tx.now)


async def _adopt_address(tx: Transaction, user: User, profile: Profile, provider: str) -> User:
    """An account without an address takes the one its new identity brings."""
    await require_open(tx, str(profile.claims["email"]))
    try:
        async with tx.db.begin_nested():
            user = await users.change(tx.db, user, tx.now, email=str(profile.claims["email"]))
    except IntegrityError as error:
        raise AuthError(400, "email_exists", TAKEN) from error
    if profile.claims.get("email_verified") is True:
        return await confirm_email(tx, user)
    await emails.send(tx, user, emails.CONFIRMATION)
    sent = f"A confirmation email has been sent to your {provider} email"
    raise CommittedError(422, "email_not_confirmed", f"Unverified email with {provider}. {sent}")
