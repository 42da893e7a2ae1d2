"""POST /magiclink: a sign-in link by mail; an unknown address gets an account first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from minato.auth.accounts import pending_sign_ups
from minato.auth.accounts.administrator import require_open_sign_up
from minato.auth.accounts.discretion import discreetly
from minato.auth.accounts.registration import confirm_email, new_account, open_or_reread, taken_over
from minato.auth.messages import emails
from minato.auth.messages.emails import Challenge
from minato.auth.request.context import RequestContext
from minato.auth.request.response import Response
from minato.auth.rows import users
from minato.auth.wire.body import parse_first
from minato.auth.wire.errors import AuthError, invalid
from minato.auth.wire.validation import validate_email, validate_pkce


@dataclass
class MagicLinkParams:
    email: str = ""
    data: dict[str, object] | None = None
    code_challenge: str = ""
    code_challenge_method: str = ""


async def magiclink(context: RequestContext) -> Response:
    return await send_magic_link(
        context, parse_first(MagicLinkParams, context.body, "Could not read verification params: ")
    )


async def send_magic_link(context: RequestContext, params: MagicLinkParams, create_user: bool = True) -> Response:
    """Always `{}`. Without `create_user` an address that nobody has is left alone."""
    if not context.settings.external_email_enabled:
        raise AuthError(422, "email_provider_disabled", "Email logins are disabled")
    if not context.settings.external_email_magic_link_enabled:
        raise AuthError(422, "email_provider_disabled", "Login with magic link is disabled")
    if not params.email:
        raise invalid("Password recovery requires an email", 422)
    email = validate_email(params.email)
    validate_pkce(params.code_challenge, params.code_challenge_method)
    challenge = Challenge(params.code_challenge, params.code_challenge_method)
    await require_open_sign_up(context, email)
    return await discreetly(
        context, partial(_send, params=params, email=email, challenge=challenge, create=create_user)
    )


async def _send(
    context: RequestContext, params: MagicLinkParams, email: str, challenge: Challenge, create: bool
) -> Response:
    hashed, data = await context.unguessable_password(), params.data or {}
    async with context.read() as reading:
        user = await users.find_by_email(reading.db, email, reading.audience)
    if user is None and not create:
        raise AuthError(422, "otp_disabled", "Signups not allowed for otp")
    if user is None and context.settings.disable_signup:
        raise AuthError(422, "signup_disabled", "Signups not allowed for this instance")
    account = user or await new_account(context, "email", email, data)
    async with context.transaction() as tx:
        user = await open_or_reread(tx, account, hashed)
        if not user.is_confirmed and not tx.settings.mailer_autoconfirm:
            await tx.record(user, "user_confirmation_requested", provider="email")
            user = await emails.send(tx, user, emails.CONFIRMATION, replace(challenge, provider="email"))
            await pending_sign_ups.keep(tx, user, user.confirmation_token, hashed, data)
            return Response({})
        if not user.is_confirmed:
            user, values = await taken_over(tx, user, "email", hashed, data)
            user = await confirm_email(tx, user, **values)
        await tx.record(user, "user_recovery_requested")
        await emails.send(tx, user, emails.MAGIC_LINK, challenge)
    return Response({})
