"""The request and its answer: who asks, what for, and what became of each row."""

from __future__ import annotations

import base64
import json
import logging
import os
from typing import Final

import httpx
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from stock_lists.checking import CheckedRow, check_rows, counts
from stock_lists.database import Unavailable, add_offers, agent_may_import, stock_numbers
from stock_lists.reading import MOST_BYTES, Refused, StockList, read_list

# Which numbers an agent's stock has is nobody's business who reads the log.
logging.getLogger("httpx").setLevel(logging.WARNING)

_SECONDS: Final = 60
_UNAVAILABLE: Final = "The marketplace did not answer. Try again in a moment."


async def handle(request: Request) -> Response:
    """`POST import-offers?mode=check|import` with the bytes of a CSV file; as the agent whose token it has."""
    try:
        return JSONResponse(await _answer(request))
    except Refused as refused:
        return JSONResponse({"code": refused.code, "message": refused.text}, refused.status)
    except Unavailable:
        return JSONResponse({"code": "unavailable", "message": _UNAVAILABLE}, 503)
    except ClientDisconnect:
        return Response(status_code=499)


async def _answer(request: Request) -> dict[str, object]:
    mode = request.query_params.get("mode", "check")
    if request.method != "POST" or mode not in ("check", "import"):
        raise Refused("unknown_mode", "Send the file by POST with mode=check or mode=import.", 400)
    agent = _caller(request)
    content = await _content(request)
    async with _as_caller(request) as api:
        await agent_may_import(api, agent)
        given = read_list(content)
        rows = check_rows(given.rows, await stock_numbers(api, agent))
        reason = await add_offers(api, agent, rows) if mode == "import" else None
    return _report(mode, given, rows, reason)


def _caller(request: Request) -> str:
    """The id in the token. The gateway has looked at the signature, and the data API does again."""
    try:
        claims = request.headers["authorization"].split(".")[1]
        said = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
        subject = said["sub"]
    except (KeyError, IndexError, ValueError, TypeError):
        subject = None
    if not isinstance(subject, str):
        raise Refused("signed_out", "Sign in as an agent to import offers.", 401)
    return subject


async def _content(request: Request) -> bytes:
    """The body, of which no more is read than a file may have."""
    content = bytearray()
    async for piece in request.stream():
        content += piece
        if len(content) > MOST_BYTES:
            break
    return bytes(content)


def _as_caller(request: Request) -> httpx.AsyncClient:
    """With the caller's own token: what that agent may not do, this function cannot do either."""
    headers = {
        "apikey": os.environ["SUPABASE_ANON_KEY"],
        "authorization": request.headers["authorization"],
        "x-request-id": request.headers.get("x-request-id", ""),
    }
    return httpx.AsyncClient(base_url=os.environ["SUPABASE_URL"], headers=headers, timeout=_SECONDS)


def _report(mode: str, given: StockList, rows: list[CheckedRow], reason: str | None) -> dict[str, object]:
    return {
        "mode": mode,
        "encoding": given.encoding,
        "columns": [{"name": heading.name, "column": heading.column} for heading in given.headings],
        "counts": counts(rows),
        "reason": reason,
        "rows": [row.shown() for row in rows],
    }
