"""POST /factors/{id}/challenge and /verify: proving a second factor, which lifts the session to aal2."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping

from minato.auth import factors, phone_factor, refresh_chain, sessions
from minato.auth.authentication import Authenticated, require_known_user
from minato.auth.body import parse_uuid
from minato.auth.call import Answer, Call
from minato.auth.endpoints import webauthn_factor
from minato.auth.endpoints.factors import METHODS, NAMES, is_enabled, require_factor
from minato.auth.errors import AuthError, CommittedError, invalid
from minato.auth.guards import require_rate
from minato.auth.guesses import challenge_expired, forgive_factor, is_first_use, require_factor_try
from minato.auth.hooks.points import judge_factor
from minato.auth.notifications import News, tell
from minato.auth.sign_in import session_json, token_headers
from minato.auth.totp import matching_step
from minato.auth.users import NIL

WRONG_TOTP_CODE = "Invalid TOTP code entered"
WRONG_PHONE_CODE = "Invalid MFA Phone code entered"


@dataclass
class ChallengeFactorParams:
    channel: str = ""
    webauthn: dict[str, Any] | None = None


@dataclass
class VerifyFactorParams:
    challenge_id: str | None = None
    code: str = ""
    webauthn: dict[str, Any] | None = None


async def challenge(call: Call) -> Answer:
    who = await require_known_user(call)
    factor = await require_factor(call, who.user)
    await require_rate(call, "factor_challenge")
    _require_enabled(call, factor, "verify")
    shown: dict[str, Any] = {}
    asked: dict[str, Any] = {}
    if factor["factor_type"] == "webauthn":
        call.params(ChallengeFactorParams)
        shown["webauthn"], asked["web_authn_session_data"] = await webauthn_factor.ask(call, who.user, factor)
    challenge_id = call.backend.entropy.uuid4()
    if factor["factor_type"] == "phone":
        asked["otp_code"] = await phone_factor.send_code(call, who.user, factor, challenge_id)
    await factors.challenge(call.db, challenge_id, factor["id"], call.ip, call.now, **asked)
    await call.record(who.user, "challenge_created", factor_id=str(factor["id"]), factor_status=factor["status"])
    expires = int((call.now + _lifetime(call)).timestamp())
    return Answer({"id": str(challenge_id), "type": factor["factor_type"], "expires_at": expires, **shown})


async def verify(call: Call) -> Answer:
    who = await require_known_user(call)
    factor = await require_factor(call, who.user)
    await require_rate(call, "factor_verify")
    params = call.params(VerifyFactorParams)
    challenge_id = NIL if params.challenge_id is None else parse_uuid(params.challenge_id)
    if not params.code and factor["factor_type"] != "webauthn":
        raise invalid("Code needs to be non-empty")
    # GoTrue names enrolling here where it means proving.
    _require_enabled(call, factor, "enroll" if factor["factor_type"] == "webauthn" else "verify")
    answer = webauthn_factor.require_answer(params.webauthn) if factor["factor_type"] == "webauthn" else None
    if who.session_id is None:
        raise AuthError(403, "session_not_found", "Session from session_id claim in JWT does not exist")
    asked = await _require_challenge(call, factor, challenge_id)
    if answer is not None:
        values = webauthn_factor.check(call, factor, asked, *answer)
        factor = await factors.change(call.db, factor, call.now, **values)
    else:
        await _require_right(call, who, factor, asked, params.code)
    await factors.pass_challenge(call.db, factor, asked["id"], call.now)
    traits = {"factor_id": str(factor["id"]), "challenge_id": str(asked["id"]), "factor_type": factor["factor_type"]}
    await call.record(who.user, "verification_attempted", **traits)
    if factor["status"] != "verified":
        await tell(call, who.user, News("mfa_factor_enrolled", factor_type=factor["factor_type"]))
    return await _strengthen(call, who, who.session_id, factor)


def _require_enabled(call: Call, factor: RowMapping, named: str) -> None:
    kind = factor["factor_type"]
    if not is_enabled(call, kind, "verify"):
        raise AuthError(422, f"mfa_{kind}_{named}_not_enabled", f"MFA verification is disabled for {NAMES[kind]}")


async def _require_right(call: Call, who: Authenticated, factor: RowMapping, asked: RowMapping, code: str) -> None:
    await require_factor_try(call, factor, asked)
    if factor["factor_type"] == "phone":
        right, message = hmac.compare_digest((asked["otp_code"] or "").encode(), code.encode()), WRONG_PHONE_CODE
    else:
        step = matching_step(code, factor["secret"], call.now.timestamp())
        right, message = step is not None and await is_first_use(call, factor["id"], step), WRONG_TOTP_CODE
    await judge_factor(call, who.user.id, factor, right)
    if not right:
        raise CommittedError(422, "mfa_verification_failed", message)
    await forgive_factor(call, factor, asked)


async def _require_challenge(call: Call, factor: RowMapping, challenge_id: UUID) -> RowMapping:
    asked = await factors.find_challenge(call.db, factor["id"], challenge_id)
    if asked is None:
        raise AuthError(422, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found")
    if asked["verified_at"] is not None or str(asked["ip_address"]).split("/")[0] != call.ip:
        raise AuthError(422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.")
    if call.now > asked["created_at"] + _lifetime(call):
        await factors.forget_challenge(call.db, asked["id"])
        raise challenge_expired(asked["id"])
    return asked


async def _strengthen(call: Call, who: Authenticated, session_id: UUID, factor: RowMapping) -> Answer:
    method = METHODS[factor["factor_type"]]
    await sessions.add_method(call.db, call.backend.entropy.uuid4(), session_id, method, call.now)
    await sessions.strengthen(call.db, session_id, who.user.id, factor["id"], call.now)
    token = await refresh_chain.continue_strongly(call, who.user, session_id)
    body = await session_json(call, who.user, session_id, token, method)
    return Answer(body, headers=token_headers(who.user, session_id, token))


def _lifetime(call: Call) -> timedelta:
    return timedelta(seconds=call.settings.mfa_challenge_expiry_duration)
