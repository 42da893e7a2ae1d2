"""A hook on the web: one signed POST, tried again while nobody answers, its reply read with care."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
from collections.abc import Iterable
from typing import NoReturn

from minato.auth.wire.errors import AuthError
from minato.backend import Backend
from minato.config.auth_hooks import HookPoint
from minato.http.outgoing import OutgoingError, OutgoingTimeout, Reply, ReplyTooLarge

TRIES = 3
LARGEST_REPLY = 200 * 1024
_REFUSALS = {
    429: "Service currently unavailable due to hook",
    503: "Service currently unavailable due to hook",
    400: "Invalid payload sent to hook",
    401: "Hook requires authorization token",
}


class HTTPHooks:
    """Calls hooks of the settings, with their timeout and pauses."""

    def __init__(self, backend: Backend) -> None:
        self._settings = backend.settings.auth
        self._outgoing = backend.outgoing
        self._clock = backend.clock
        self._entropy = backend.entropy

    async def post(self, point: HookPoint, payload: bytes) -> bytes | None:
        """The JSON a hook answers `payload` with; None for a 204."""
        limit = self._settings.hook_http_timeout
        try:
            async with asyncio.timeout(limit):
                return _content(await self._reach(point, payload))
        except (TimeoutError, OutgoingTimeout) as error:
            message = f"Failed to reach hook within maximum time of {limit:f} seconds"
            raise AuthError(422, "hook_timeout", message) from error

    async def _reach(self, point: HookPoint, payload: bytes) -> Reply:
        for remaining in reversed(range(TRIES)):
            try:
                reply = await self._post(point, payload)
            except OutgoingTimeout:
                raise
            except OutgoingError as error:
                if not remaining:
                    message = "Failed to reach hook after maximum retries"
                    raise AuthError(422, "hook_timeout_after_retry", message) from error
                await asyncio.sleep(self._settings.hook_http_backoff)
                continue
            if not (reply.status in (429, 503) and reply.headers.get("retry-after")):
                return reply
        raise AuthError(500, "unexpected_failure", _REFUSALS[503])

    async def _post(self, point: HookPoint, payload: bytes) -> Reply:
        now, seconds = int(self._clock.timestamp()), self._settings.hook_http_timeout
        signed = signed_headers(point.secrets, str(self._entropy.uuid4()), now, payload)
        headers = {"content-type": "application/json", "accept-encoding": "identity", **signed}
        try:
            return await self._outgoing.post(
                point.uri, content=payload, headers=headers, seconds=seconds, limit=LARGEST_REPLY
            )
        except ReplyTooLarge as error:
            message = f"Payload size exceeded size limit of {LARGEST_REPLY} bytes"
            raise AuthError(422, "hook_payload_over_size_limit", message) from error


def _content(reply: Reply) -> bytes | None:
    if reply.status == 204:
        return None
    if reply.status not in (200, 202):
        unexpected = f"Unexpected status code returned from hook: {reply.status}"
        raise AuthError(500, "unexpected_failure", _REFUSALS.get(reply.status, unexpected))
    given = reply.headers.get("content-type", "")
    if not given:
        _refuse_type("Invalid Content-Type: Missing Content-Type header")
    media = given.partition(";")[0].strip().lower()
    if not media:
        _refuse_type("Invalid Content-Type header: mime: no media type")
    if media != "application/json":
        _refuse_type(f"Invalid JSON response. Received content-type: {given}")
    return reply.body


def _refuse_type(message: str) -> NoReturn:
    raise AuthError(400, "hook_payload_invalid_content_type", message)


def signed_headers(secrets: Iterable[str], message_id: str, timestamp: int, payload: bytes) -> dict[str, str]:
    """The three headers of a message; each secret is `v1,whsec_<base64>`."""
    content = f"{message_id}.{timestamp}.".encode() + payload
    signatures = ", ".join(f"v1,{_sign(secret, content)}" for secret in secrets)
    return {"webhook-id": message_id, "webhook-timestamp": str(timestamp), "webhook-signature": signatures}


def _sign(secret: str, content: bytes) -> str:
    key = base64.b64decode(secret.removeprefix("v1,").removeprefix("whsec_"))
    return base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
