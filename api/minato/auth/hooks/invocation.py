"""Calling a hook, wherever it lives: what it is told, what it may answer, and how its refusal reaches the client."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.auth.call import Call
from minato.auth.errors import AuthError
from minato.auth.hooks.database_hook import call_function
from minato.auth.hooks.http_hook import post_to_hook
from minato.auth.json_format import render_json, render_time
from minato.config.auth_hooks import HookPoint

Told = Mapping[str, Any]
# What the payload calls each hook.
NAMES = {
    "custom_access_token": "customize-access-token",
    "mfa_verification_attempt": "mfa-verification",
    "password_verification_attempt": "password-verification",
}


async def invoke(call: Call, name: str, told: Told) -> dict[str, Any] | None:
    """The answer of the hook `name`, None when it is off. It runs within the request's transaction."""
    point = call.settings.hook(name)
    return None if point is None else await _run(call, call.db, name, point, told)


async def invoke_before_writing(call: Call, name: str, told: Told) -> dict[str, Any] | None:
    """As `invoke`, at a point where nothing is written: a hook on the web is waited for without a connection."""
    point = call.settings.hook(name)
    if point is None:
        return None
    if point.function is not None:
        return await _run(call, call.db, name, point, told)
    async with call.without_connection():
        return await _run(call, None, name, point, told)


async def invoke_afterwards(call: Call, name: str, told: Told) -> dict[str, Any] | None:
    """As `invoke`, once the request's transaction is over: a function gets one of its own."""
    point = call.settings.hook(name)
    if point is None:
        return None
    if point.function is None:
        return await _run(call, None, name, point, told)
    async with call.connect() as db:
        answer = await _run(call, db, name, point, told)
        await db.commit()
        return answer


async def _run(call: Call, db: AsyncConnection | None, name: str, point: HookPoint, told: Told) -> dict[str, Any]:
    metadata = {"uuid": str(call.backend.entropy.uuid4()), "time": render_time(call.now)}
    metadata |= {"name": NAMES.get(name, name.replace("_", "-")), "ip_address": call.ip}
    payload = render_json({"metadata": metadata, **told})
    answer: bytes | str | None
    if point.function is not None and db is not None:
        try:
            answer = await call_function(db, point.function, payload)
        except DBAPIError as error:
            call.backend.log.warning("hook failed", hook=name, error=str(error.orig))
            raise AuthError(500, "unexpected_failure", f"Error running hook URI: {point.uri}") from error
    else:
        answer = await post_to_hook(call.backend, point, payload)
    return _read(answer)


def _read(answer: bytes | str | None) -> dict[str, Any]:
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


def _require_no_error(refusal: Any) -> None:
    """`{"error": {"http_code", "message"}}` is a refusal once it has a message."""
    if not isinstance(refusal, dict) or not isinstance(refusal.get("message"), str) or not refusal["message"]:
        return
    status = refusal.get("http_code")
    if not isinstance(status, int) or isinstance(status, bool) or not 200 <= status <= 599:
        status = 500
    raise AuthError(status, "unexpected_failure" if status == 500 else "unknown", refusal["message"])
