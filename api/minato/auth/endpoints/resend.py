"""POST /resend: the confirmation or change message once more; silent where nothing is pending."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from minato.auth.accounts import pending_sign_ups
from minato.auth.accounts.discretion import discreetly
from minato.auth.accounts.phone_signup import find_by_phone
from minato.auth.messages import emails, text_messages
from minato.auth.messages.emails import Challenge
from minato.auth.request.context import RequestContext, Transaction, in_transaction
from minato.auth.request.data import RequestData
from minato.auth.request.response import Response
from minato.auth.rows import users
from minato.auth.wire.errors import AuthError, invalid
from minato.auth.wire.validation import validate_email, validate_phone, validate_pkce


@dataclass
class ResendConfirmationParams:
    type: str = ""
    email: str = ""
    phone: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


async def resend(context: RequestContext) -> Response:
    params = context.params(ResendConfirmationParams)
    _require_address(context, params)
    validate_pkce(params.code_challenge, params.code_challenge_method)
    if params.phone:
        phone = validate_phone(params.phone)
        return await discreetly(context, in_transaction(partial(_resend_by_phone, kind=params.type, phone=phone)))
    challenge = Challenge(params.code_challenge, params.code_challenge_method)
    email = validate_email(params.email)
    resending = partial(_resend_by_mail, params=params, email=email, challenge=challenge)
    return await discreetly(context, in_transaction(resending))


async def _resend_by_mail(
    tx: Transaction, params: ResendConfirmationParams, email: str, challenge: Challenge
) -> Response:
    user = await users.find_by_email(tx.db, email, tx.audience)
    if user is not None and params.type == "signup" and not user.is_confirmed:
        await tx.record(user, "user_confirmation_requested")
        user = await emails.send(tx, user, emails.CONFIRMATION, challenge)
        await pending_sign_ups.carry_on(tx, user, user.confirmation_token)
    elif user is not None and params.type == "email_change" and user.email_change:
        await emails.send_email_change(tx, user, user.email_change, challenge)
    return Response({})


async def _resend_by_phone(tx: Transaction, kind: str, phone: str) -> Response:
    """A change is looked up by the number the account still has, as in the reference."""
    user, message_id = await find_by_phone(tx, phone), ""
    if user is not None and kind == "sms" and user.phone_confirmed_at is None:
        await tx.record(user, "user_recovery_requested")
        user, message_id = await text_messages.send(tx, user, text_messages.CONFIRMATION, phone)
        await pending_sign_ups.carry_on(tx, user, user.confirmation_token)
    elif user is not None and kind == "phone_change" and user.phone_change:
        _, message_id = await text_messages.send(tx, user, text_messages.PHONE_CHANGE, user.phone_change)
    return Response(text_messages.message_body(message_id))


def _require_address(data: RequestData, params: ResendConfirmationParams) -> None:
    if params.type not in ("signup", "email_change", "sms", "phone_change"):
        raise invalid("Missing one of these types: signup, email_change, sms, phone_change")
    if params.type == "signup" and not params.email:
        raise invalid("Type provided requires an email address")
    if params.type == "sms" and not params.phone:
        raise invalid("Type provided requires a phone number")
    if params.email and params.phone:
        raise invalid("Only an email address or phone number should be provided.")
    if not params.email and not params.phone:
        raise invalid("Missing email address or phone number")
    if params.email and not data.settings.external_email_enabled:
        raise AuthError(400, "email_provider_disabled", "Email logins are disabled")
    if params.phone and not data.settings.external_phone_enabled:
        raise AuthError(400, "phone_provider_disabled", "Phone logins are disabled")
