"""What was asked of a backend, by whom, what it led to, and why it was refused."""

from __future__ import annotations

from typing import Annotated, Final, Literal
from urllib.parse import quote

import httpx
from pydantic import Field

from minato.mcp.place import Place
from minato.mcp.tool import Input, Tool, untrusted

LAST: Final = "A request by its x-request-id, `last`, or `last:error`: the last one that was refused or failed"


class Listed(Input):
    text: str = Field("", max_length=200, description="Words in method, path or status, as /rest/v1/cars or 403")
    level: Literal["info", "warn", "error"] = Field("info", description="warn: refused ones; error: failed ones alone")
    limit: Annotated[int, Field(ge=1, le=200)] = 50


class One(Input):
    request: str = Field("last:error", min_length=1, max_length=100, pattern="^[A-Za-z0-9_.:-]+$", description=LAST)


class Wait(Input):
    timeout: Annotated[float, Field(gt=0, le=30)] = Field(5, description="How many seconds to wait at most")


async def list_requests(place: Place, given: Listed) -> object:
    return {"result": untrusted("the requests, newest first", await requests_of(place, given))}


async def requests_of(place: Place, given: Listed) -> object:
    """The events of requests, without bodies. Raises ToolError."""
    asked = {"kind": "request,socket", "level": given.level, "q": given.text, "limit": given.limit}
    return await place.told("GET", f"/_dev/v1/events?{httpx.QueryParams(asked)}")


async def get_request(place: Place, given: One) -> object:
    return {"result": untrusted("the request, and what it led to", await place.told("GET", _path(given)))}


async def why_refused(place: Place, given: One) -> object:
    told = await place.told("GET", f"{_path(given)}/why")
    return {"allowed": told["allowed"], "explanation": untrusted("the explanation, with values of rows", told)}


async def settle(place: Place, given: Wait) -> object:
    return await place.told("POST", "/_dev/v1/settle", {"timeout": given.timeout, "required": False})


async def changes_of(place: Place) -> object:
    """The last row changes, and which requests made them. Raises ToolError."""
    return await place.told("GET", "/_dev/v1/events?kind=change&limit=50")


def _path(given: One) -> str:
    return f"/_dev/v1/requests/{quote(given.request, safe=':')}"


TOOLS: Final = (
    Tool(
        "list_requests",
        "List requests",
        "Lists what clients asked last, with caller, status, code and hint. They hold text of others.",
        Listed,
        list_requests,
    ),
    Tool(
        "get_request",
        "Get request",
        "Gets one request whole: its body and answer, the SQL that was run for it, and what it led to.",
        One,
        get_request,
    ),
    Tool(
        "why_refused",
        "Explain a request",
        "Says why a request that was answered was refused, or found no rows: which privilege or policy, on which row, "
        "with which values. Nothing is done.",
        One,
        why_refused,
    ),
    Tool(
        "settle",
        "Settle",
        "Waits until all that was caused so far has been done: mails, jobs, webhooks, functions, changes. Says what is "
        "left when the time is over.",
        Wait,
        settle,
    ),
)
