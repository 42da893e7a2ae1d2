"""Calling a hook, wherever it lives: what it is told, what it may answer, and how its refusal reaches the client."""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy.exc import DBAPIError

from minato.auth.request.context import RequestContext, Transaction
from minato.auth.request.data import RequestData
from minato.auth.wire.errors import AuthError
from minato.auth.wire.json_format import render_json, render_time
from minato.config.auth_hooks import HookPoint
from minato.database.identifiers import quote_qualified
from minato.database.wire.session import Command
from minato.database.wire.transaction import ServiceTransaction

Told = Mapping[str, object]
# How long a hook in the database may take.
TIMED = Command("set local statement_timeout to 2000")
UNTIMED = Command("set local statement_timeout to default")
# What the payload calls each hook.
NAMES = {
    "custom_access_token": "customize-access-token",
    "mfa_verification_attempt": "mfa-verification",
    "password_verification_attempt": "password-verification",
}


async def invoke(context: RequestContext, name: str, told: Told) -> dict[str, object] | None:
    """The answer of the hook `name`, None when it is off. A function has a transaction of its own, which stays unless
    it refuses; the web is waited for without a connection."""
    point = context.settings.hook(name)
    if point is None:
        return None
    if point.function is None:
        return _read(await context.services.web_hooks.post(point, _payload(context, name, told)))
    async with context.transaction() as tx:
        return await _run(tx, point.function, name, point, told)


async def invoke_within(tx: Transaction, name: str, told: Told) -> dict[str, object] | None:
    """As `invoke`, within `tx`, where GoTrue does the same: what the hook refuses is rolled back."""
    point = tx.settings.hook(name)
    if point is None:
        return None
    if point.function is None:
        return _read(await tx.web_hooks.post(point, _payload(tx, name, told)))
    return await _run(tx, point.function, name, point, told)


async def _run(
    tx: Transaction, function: tuple[str, str], name: str, point: HookPoint, told: Told
) -> dict[str, object]:
    try:
        return _read(await call_function(tx.db, function, _payload(tx, name, told)))
    except DBAPIError as error:
        tx.backend.log.warning("hook failed", hook=name, error=str(error.orig))
        raise AuthError(500, "unexpected_failure", f"Error running hook URI: {point.uri}") from error


def _payload(data: RequestData, name: str, told: Told) -> bytes:
    metadata = {"uuid": str(data.backend.entropy.uuid4()), "time": render_time(data.now)}
    metadata |= {"name": NAMES.get(name, name.replace("_", "-")), "ip_address": data.ip}
    return render_json({"metadata": metadata, **told})


def _read(answer: bytes | str | None) -> dict[str, object]:
    if not answer:
        return {}
    try:
        document = json.loads(answer)
    except ValueError as error:
        raise AuthError(500, "unexpected_failure", "Error unmarshaling JSON output.") from error
    if document is None:
        return {}
    if not isinstance(document, dict):
        raise AuthError(500, "unexpected_failure", "Error unmarshaling JSON output.")
    _require_no_error(document.get("error"))
    return document


def _require_no_error(refusal: object) -> None:
    """`{"error": {"http_code", "message"}}` is a refusal once it has a message."""
    if not isinstance(refusal, dict) or not isinstance(refusal.get("message"), str) or not refusal["message"]:
        return
    status = refusal.get("http_code")
    if not isinstance(status, int) or isinstance(status, bool) or not 200 <= status <= 599:
        status = 500
    raise AuthError(status, "unexpected_failure" if status == 500 else "unknown", refusal["message"])


async def call_function(db: ServiceTransaction, function: tuple[str, str], payload: bytes) -> str | None:
    """The JSON that the function answers `payload` with. Raises DBAPIError when it fails or takes too long."""
    # Not bound as text: PostgreSQL then takes the type from the function, which may say json or jsonb.
    called = Command(f"select {quote_qualified(*function)}($1)::text", [payload.decode()])
    _, rows, _ = await db.ask(TIMED, called, UNTIMED)
    answer = rows[0][0]
    return None if answer is None else answer.decode()
