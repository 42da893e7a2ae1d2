"""The answers of the reference's runtime, word for word."""

from __future__ import annotations

from collections.abc import Mapping

import orjson

from minato.http.asgi import Header, Send, send_response

TEXT: Header = (b"content-type", b"text/plain")
JSON: Header = (b"content-type", b"application/json")
BOOT_ERROR = 503
WORKER_ERROR = 500
WORKER_LIMIT = 546
_REASONS = {
    BOOT_ERROR: ("BOOT_ERROR", "Worker failed to boot (please check logs)"),
    WORKER_ERROR: ("WORKER_ERROR", "Function exited due to an error (please check logs)"),
    WORKER_LIMIT: ("WORKER_LIMIT", "Worker failed to respond due to a resource limit (please check logs)"),
}


async def answer_json(send: Send, status: int, body: Mapping[str, object]) -> None:
    """One JSON object."""
    await send_response(send, status, [JSON], orjson.dumps(body))


async def not_found(send: Send) -> None:
    """No function is called so."""
    await send_response(send, 404, [TEXT], b"Function not found")


async def failed(send: Send, status: int, trace: str = "") -> None:
    """What a runtime says of a function that gave no answer; `trace`, which the reference has not, is a developer's."""
    code, message = _REASONS[status]
    await answer_json(send, status, {"code": code, "message": message, **({"trace": trace} if trace else {})})


async def timed_out(send: Send) -> None:
    """The gateway's word for a function that says nothing."""
    await answer_json(send, 504, {"message": "The upstream server is timing out"})
