"""POST /recover: a mail that lets the owner choose a new password; says nothing about who has an account."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from minato.auth.accounts.discretion import discreetly
from minato.auth.messages import emails
from minato.auth.messages.emails import Challenge
from minato.auth.request.context import RequestContext, Transaction, in_transaction
from minato.auth.request.response import Response
from minato.auth.rows import users
from minato.auth.wire.errors import AuthError, invalid
from minato.auth.wire.validation import validate_email, validate_pkce


@dataclass
class RecoverParams:
    email: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


async def recover(context: RequestContext) -> Response:
    params = context.params(RecoverParams)
    if not context.settings.external_email_enabled:
        raise AuthError(400, "email_provider_disabled", "Email logins are disabled")
    if not params.email:
        raise invalid("Password recovery requires an email")
    email = validate_email(params.email)
    validate_pkce(params.code_challenge, params.code_challenge_method)
    challenge = Challenge(params.code_challenge, params.code_challenge_method)
    return await discreetly(context, in_transaction(partial(_send, email=email, challenge=challenge)))


async def _send(tx: Transaction, email: str, challenge: Challenge) -> Response:
    user = await users.find_by_email(tx.db, email, tx.audience)
    if user is not None:
        await tx.record(user, "user_recovery_requested")
        await emails.send(tx, user, emails.RECOVERY, challenge)
    return Response({})
