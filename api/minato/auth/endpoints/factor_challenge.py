"""POST /factors/{id}/challenge and /verify: proving a second factor, which lifts the session to aal2."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from minato.auth.endpoints.factors import require_factor
from minato.auth.factors.kinds import KINDS, FactorKind, VerifyFactorParams, is_enabled
from minato.auth.limits.guesses import challenge_expired
from minato.auth.messages.notifications import Notification, notify
from minato.auth.request.call import Answer, Call
from minato.auth.rows import factors, sessions
from minato.auth.rows.factors import Challenge, Factor
from minato.auth.rows.users import NIL
from minato.auth.sessions import refresh_chain
from minato.auth.sessions.authentication import Authenticated, require_known_user
from minato.auth.sessions.sign_in import session_json, token_headers
from minato.auth.wire.body import parse_uuid
from minato.auth.wire.errors import AuthError, invalid


async def challenge(call: Call) -> Answer:
    who = await require_known_user(call)
    factor = await require_factor(call, who.user)
    await call.require_rate("factor_challenge")
    kind = KINDS[factor.factor_type]
    _require_enabled(call, kind, "verify")
    challenge_id = call.backend.entropy.uuid4()
    shown, asked = await kind.challenge(call, who.user, factor, challenge_id)
    await factors.challenge(call.db, challenge_id, factor.id, call.ip, call.now, **asked)
    await call.record(who.user, "challenge_created", factor_id=str(factor.id), factor_status=factor.status)
    expires = int((call.now + _lifetime(call)).timestamp())
    return Answer({"id": str(challenge_id), "type": factor.factor_type, "expires_at": expires, **shown})


async def verify(call: Call) -> Answer:
    who = await require_known_user(call)
    factor = await require_factor(call, who.user)
    await call.require_rate("factor_verify")
    params, kind = call.params(VerifyFactorParams), KINDS[factor.factor_type]
    challenge_id = NIL if params.challenge_id is None else parse_uuid(params.challenge_id)
    if kind.coded and not params.code:
        raise invalid("Code needs to be non-empty")
    _require_enabled(call, kind, kind.proving)
    answer = kind.answer(params)
    if who.session_id is None:
        raise AuthError(403, "session_not_found", "Session from session_id claim in JWT does not exist")
    asked = await _require_challenge(call, factor, challenge_id)
    factor = await kind.prove(call, who.user, factor, asked, answer)
    await factors.pass_challenge(call.db, factor, asked.id, call.now)
    traits = {"factor_id": str(factor.id), "challenge_id": str(asked.id), "factor_type": factor.factor_type}
    await call.record(who.user, "verification_attempted", **traits)
    if not factor.is_verified:
        await notify(call, who.user, Notification("mfa_factor_enrolled", factor_type=factor.factor_type))
    return await _strengthen(call, who, who.session_id, factor)


def _require_enabled(call: Call, kind: FactorKind, named: str) -> None:
    if not is_enabled(call, kind, "verify"):
        message = f"MFA verification is disabled for {kind.title}"
        raise AuthError(422, f"mfa_{kind.name}_{named}_not_enabled", message)


async def _require_challenge(call: Call, factor: Factor, challenge_id: UUID) -> Challenge:
    asked = await factors.find_challenge(call.db, factor.id, challenge_id)
    if asked is None:
        raise AuthError(422, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found")
    if asked.verified_at is not None or str(asked.ip_address).split("/")[0] != call.ip:
        raise AuthError(422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.")
    if call.now > asked.created_at + _lifetime(call):
        await factors.forget_challenge(call.db, asked.id)
        raise challenge_expired(asked.id)
    return asked


async def _strengthen(call: Call, who: Authenticated, session_id: UUID, factor: Factor) -> Answer:
    method = KINDS[factor.factor_type].method
    await sessions.add_method(call.db, call.backend.entropy.uuid4(), session_id, method, call.now)
    await sessions.strengthen(call.db, session_id, who.user.id, factor.id, call.now)
    token = await refresh_chain.continue_at_aal2(call, who.user, session_id)
    body = await session_json(call, who.user, session_id, token, method)
    return Answer(body, headers=token_headers(who.user, session_id, token))


def _lifetime(call: Call) -> timedelta:
    return timedelta(seconds=call.settings.mfa_challenge_expiry_duration)
