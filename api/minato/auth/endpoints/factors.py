"""/factors and /admin/users/{id}/factors: second factors are enrolled, proved and given up.

Proving one lifts the session to aal2; an administrator lists, renames and removes those of an account.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from minato.auth.endpoints.admin_users import require_target
from minato.auth.factors.kinds import KINDS, EnrollFactorParams, FactorKind, VerifyFactorParams, is_enabled
from minato.auth.limits.guesses import challenge_expired
from minato.auth.messages.notifications import Notification, notify
from minato.auth.request.context import ReadTransaction, RequestContext, Transaction
from minato.auth.request.data import RequestData
from minato.auth.request.response import Response
from minato.auth.rows import factors, sessions
from minato.auth.rows.factors import Challenge, Factor
from minato.auth.rows.users import NIL, User
from minato.auth.sessions import refresh_chain
from minato.auth.sessions.authentication import Authenticated, require_admin, require_known_user
from minato.auth.sessions.sign_in import session_json, token_headers
from minato.auth.wire.body import parse_uuid
from minato.auth.wire.errors import AuthError, invalid
from minato.auth.wire.user_json import factor_json
from minato.auth.wire.validation import validate_phone


async def enroll(tx: Transaction) -> Response:
    who = await require_known_user(tx)
    params = tx.params(EnrollFactorParams)
    kind = KINDS.get(params.factor_type)
    if kind is None:
        raise invalid("factor_type needs to be totp, phone, or webauthn")
    if not is_enabled(tx, kind, "enroll"):
        raise AuthError(422, f"mfa_{kind.name}_enroll_not_enabled", f"MFA enroll is disabled for {kind.title}")
    await kind.make_room(tx, who.user, params)
    lifetime = timedelta(seconds=tx.settings.mfa_factor_expiry_duration)
    await factors.purge_abandoned(tx.db, who.user.id, tx.now - lifetime)
    await _require_room(tx, who, params.friendly_name)
    columns, shown = await kind.enroll(tx, who.user, params)
    factor_id = tx.backend.entropy.uuid4()
    row = {"id": factor_id, "user_id": who.user.id, "factor_type": kind.name, **columns}
    await factors.create(tx.db, tx.now, friendly_name=params.friendly_name, **row)
    await tx.record(who.user, "factor_in_progress", factor_id=str(factor_id), factor_type=kind.name)
    return Response({"id": str(factor_id), "type": kind.name, "friendly_name": params.friendly_name, **shown})


async def _require_room(tx: Transaction, who: Authenticated, name: str) -> None:
    enrolled = await factors.of_user(tx.db, who.user.id)
    verified = [factor for factor in enrolled if factor.is_verified]
    if any((factor.friendly_name or "") == name for factor in enrolled):
        message = f'A factor with the friendly name "{name}" for this user already exists'
        raise AuthError(422, "mfa_factor_name_conflict", message)
    settings = tx.settings
    if len(enrolled) >= settings.mfa_max_enrolled_factors or len(verified) >= settings.mfa_max_verified_factors:
        message = "Maximum number of verified factors reached, unenroll to continue"
        raise AuthError(422, "too_many_enrolled_mfa_factors", message)
    if verified and not who.is_strong:
        raise AuthError(403, "insufficient_aal", "AAL2 required to enroll a new factor")


async def unenroll(tx: Transaction) -> Response:
    who = await require_known_user(tx)
    factor = await require_factor(tx, who.user)
    if factor.is_verified and not who.is_strong:
        raise AuthError(422, "insufficient_aal", "AAL2 required to unenroll verified factor")
    await factors.remove(tx.db, factor, KINDS[factor.factor_type].method)
    traits = {
        "factor_id": str(factor.id),
        "factor_status": factor.status,
        "session_id": str(who.session_id or ""),
    }
    await tx.record(who.user, "factor_unenrolled", **traits)
    await notify(tx, who.user, Notification("mfa_factor_unenrolled", factor_type=factor.factor_type))
    return Response({"id": str(factor.id)})


async def require_factor(tx: ReadTransaction, user: User, name: str = "id") -> Factor:
    """The account's factor that the path names in its parameter `name`."""
    try:
        factor_id = UUID(tx.path_params[name])
    except ValueError as error:
        raise invalid("factor_id must be an UUID", 404) from error
    factor = await factors.find(tx.db, user.id, factor_id)
    if factor is None:
        raise AuthError(404, "mfa_factor_not_found", "Factor not found")
    return factor


async def challenge(context: RequestContext) -> Response:
    who, factor = await _require_own_factor(context)
    await context.require_rate("factor_challenge")
    kind = KINDS[factor.factor_type]
    _require_enabled(context, kind, "verify")
    challenge_id = context.backend.entropy.uuid4()
    async with context.transaction() as tx:
        shown, asked = await kind.challenge(tx, who.user, factor, challenge_id)
        await factors.challenge(tx.writer, challenge_id, factor.id, ip_address=tx.ip, **asked)
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
    await sessions.add_method(tx.writer, session_id, method)
    await sessions.strengthen(tx.writer, session_id, who.user.id, factor.id)
    token = await refresh_chain.continue_at_aal2(tx, who.user, session_id)
    body = await session_json(tx, who.user, session_id, token, method)
    return Response(body, headers=token_headers(who.user, session_id, token))


def _lifetime(data: RequestData) -> timedelta:
    return timedelta(seconds=data.settings.mfa_challenge_expiry_duration)


@dataclass
class adminUserUpdateFactorParams:  # Go's name for it, which a refusal shows
    friendly_name: str = ""
    phone: str = ""


async def list_factors(tx: ReadTransaction) -> Response:
    await require_admin(tx)
    user = await require_target(tx)
    return Response([factor_json(factor) for factor in await factors.of_user(tx.db, user.id)])


async def update_factor(tx: Transaction) -> Response:
    admin = await require_admin(tx)
    user = await require_target(tx)
    factor = await require_factor(tx, user, "factor")
    params = tx.params(adminUserUpdateFactorParams)
    values: dict[str, object] = {"friendly_name": params.friendly_name} if params.friendly_name else {}
    if params.phone and factor.factor_type == "phone":
        values["phone"] = validate_phone(params.phone)
    if values:
        factor = await factors.change(tx.db, factor, tx.now, **values)
    traits = {"user_id": str(user.id), "factor_id": str(factor.id), "factor_type": factor.factor_type}
    await tx.record_by(admin, "factor_updated", **traits)
    return Response(factor_json(factor))


async def delete_factor(tx: Transaction) -> Response:
    await require_admin(tx)
    user = await require_target(tx)
    factor = await require_factor(tx, user, "factor")
    await tx.record(user, "factor_deleted", user_id=str(user.id), factor_id=str(factor.id))
    await factors.remove(tx.db, factor, KINDS[factor.factor_type].method)
    return Response(factor_json(factor))
