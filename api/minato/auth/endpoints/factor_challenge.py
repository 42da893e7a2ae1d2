"""POST /factors/{id}/challenge and /verify: proving a second factor, which lifts the session to aal2."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from minato.auth.endpoints.factors import require_factor
from minato.auth.factors.kinds import KINDS, FactorKind, VerifyFactorParams, is_enabled
from minato.auth.limits.guesses import challenge_expired
from minato.auth.messages.notifications import Notification, notify
from minato.auth.request.context import RequestContext, Transaction
from minato.auth.request.data import RequestData
from minato.auth.request.response import Response
from minato.auth.rows import factors, sessions
from minato.auth.rows.factors import Challenge, Factor
from minato.auth.rows.users import NIL
from minato.auth.sessions import refresh_chain
from minato.auth.sessions.authentication import Authenticated, require_known_user
from minato.auth.sessions.sign_in import session_json, token_headers
from minato.auth.wire.body import parse_uuid
from minato.auth.wire.errors import AuthError, invalid


async def challenge(context: RequestContext) -> Response:
    who, factor = await _require_own_factor(context)
    await context.require_rate("factor_challenge")
    kind = KINDS[factor.factor_type]
    _require_enabled(context, kind, "verify")
    challenge_id = context.backend.entropy.uuid4()
    async with context.transaction() as tx:
        shown, asked = await kind.challenge(tx, who.user, factor, challenge_id)
        await factors.challenge(tx.db, challenge_id, factor.id, tx.ip, tx.now, **asked)
        await tx.record(who.user, "challenge_created", factor_id=str(factor.id), factor_status=factor.status)
    expires = int((context.now + _lifetime(context)).timestamp())
    return Response({"id": str(challenge_id), "type": factor.factor_type, "expires_at": expires, **shown})


async def verify(context: RequestContext) -> Response:
    who, factor = await _require_own_factor(context)
    await context.require_rate("factor_verify")
    params, kind = context.params(VerifyFactorParams), KINDS[factor.factor_type]
    challenge_id = NIL if params.challenge_id is None else parse_uuid(params.challenge_id)
    if kind.coded and not params.code:
        raise invalid("Code needs to be non-empty")
    _require_enabled(context, kind, kind.proving)
    answer = kind.answer(params)
    if who.session_id is None:
        raise AuthError(403, "session_not_found", "Session from session_id claim in JWT does not exist")
    async with context.transaction() as tx:
        asked = await _require_challenge(tx, factor, challenge_id)
        factor = await kind.prove(tx, who.user, factor, asked, answer)
        await factors.pass_challenge(tx.db, factor, asked.id, tx.now)
        traits = {"factor_id": str(factor.id), "challenge_id": str(asked.id), "factor_type": factor.factor_type}
        await tx.record(who.user, "verification_attempted", **traits)
        if not factor.is_verified:
            await notify(tx, who.user, Notification("mfa_factor_enrolled", factor_type=factor.factor_type))
        return await _strengthen(tx, who, who.session_id, factor)


async def _require_own_factor(context: RequestContext) -> tuple[Authenticated, Factor]:
    """Who asks, and their factor that the path names."""
    async with context.read() as tx:
        who = await require_known_user(tx)
        return who, await require_factor(tx, who.user)


def _require_enabled(data: RequestData, kind: FactorKind, named: str) -> None:
    if not is_enabled(data, kind, "verify"):
        message = f"MFA verification is disabled for {kind.title}"
        raise AuthError(422, f"mfa_{kind.name}_{named}_not_enabled", message)


async def _require_challenge(tx: Transaction, factor: Factor, challenge_id: UUID) -> Challenge:
    asked = await factors.find_challenge(tx.db, factor.id, challenge_id)
    if asked is None:
        raise AuthError(422, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found")
    if asked.verified_at is not None or str(asked.ip_address).split("/")[0] != tx.ip:
        raise AuthError(422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.")
    if tx.now > asked.created_at + _lifetime(tx):
        await factors.forget_challenge(tx.db, asked.id)
        raise challenge_expired(asked.id)
    return asked


async def _strengthen(tx: Transaction, who: Authenticated, session_id: UUID, factor: Factor) -> Response:
    method = KINDS[factor.factor_type].method
    await sessions.add_method(tx.db, tx.backend.entropy.uuid4(), session_id, method, tx.now)
    await sessions.strengthen(tx.db, session_id, who.user.id, factor.id, tx.now)
    token = await refresh_chain.continue_at_aal2(tx, who.user, session_id)
    body = await session_json(tx, who.user, session_id, token, method)
    return Response(body, headers=token_headers(who.user, session_id, token))


def _lifetime(data: RequestData) -> timedelta:
    return timedelta(seconds=data.settings.mfa_challenge_expiry_duration)
