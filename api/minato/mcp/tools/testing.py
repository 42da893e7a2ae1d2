"""What only a backend of one's own can do: mail is read, anybody signed in, the clock moved, faults set."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import httpx
from pydantic import Field

from minato.json_text import JsonObject
from minato.mcp.place import Place, ToolError, refusal
from minato.mcp.tool import Input, Tool, untrusted

_CLOCK, _FAULTS = "/_dev/v1/clock", "/_dev/v1/faults"
Seconds = Annotated[float, Field(ge=0, le=30)]


class Messages(Input):
    channel: Literal["email", "sms"] = "email"
    to: str | None = Field(None, description="An address or a number; all where it is left out")
    type: str | None = Field(None, description="The kind of message, as signup, recovery or magiclink")
    wait: Seconds = Field(0, description="How many seconds to wait for one")


class Person(Input):
    email: str = Field(description="The address of a user")


class Move(Input):
    freeze: bool | str | None = Field(None, description="true: stand still now; a time: stand still then; false: go on")
    at: str | None = Field(None, description="Go on from this time, RFC 3339")
    advance: str | None = Field(None, description="A duration, as 1h30m or 7d; what is due on the way happens")
    reset: bool | None = Field(None, description="true: back to the real time")
    sql: bool | None = Field(None, description="Whether now() of SQL follows")


class NewFault(Input):
    rule: JsonObject = Field(description='As {"where": "request", "match": {"room": "rest"}, "do": {"status": 503}}')


async def list_messages(place: Place, given: Messages) -> object:
    path = "/_dev/outbox" if given.channel == "email" else "/_dev/sms"
    asked = {"to": given.to, "type": given.type, "wait": given.wait or None}
    query = httpx.QueryParams({name: value for name, value in asked.items() if value is not None})
    return {"result": untrusted("the messages, newest first", await place.told("GET", f"{path}?{query}"))}


async def sign_in_as(place: Place, given: Person) -> object:
    """A session, by the link that a mail would bring."""
    asked = {"type": "magiclink", "email": given.email}
    users = await place.ask("POST", "/auth/v1/admin/generate_link", asked)
    if not users.is_success:
        raise ToolError(refusal(users))
    verified = {"type": "magiclink", "token_hash": users.json()["hashed_token"]}
    session = await place.told("POST", "/auth/v1/verify", verified)
    shown = ("access_token", "refresh_token", "expires_in", "token_type")
    return {**{name: session[name] for name in shown}, "user_id": session["user"]["id"]}


async def get_clock(place: Place, given: Input) -> object:
    return await place.told("GET", _CLOCK)


async def set_clock(place: Place, given: Move) -> object:
    asked = given.model_dump(exclude={"project_id"}, exclude_none=True)
    return await place.told("PUT", _CLOCK, asked)


async def list_faults(place: Place, given: Input) -> object:
    return {"faults": await place.told("GET", _FAULTS)}


async def add_fault(place: Place, given: NewFault) -> object:
    return await place.told("POST", _FAULTS, given.rule)


async def clear_faults(place: Place, given: Input) -> object:
    await place.told("DELETE", _FAULTS)
    return {"success": True}


TOOLS: Final = (
    Tool(
        "list_messages",
        "List messages",
        "Lists the mails or text messages that were sent, with their links and codes. They hold text of others.",
        Messages,
        list_messages,
    ),
    Tool(
        "sign_in_as",
        "Sign in as",
        "Signs a user in without a password, and gives the tokens of the session.",
        Person,
        sign_in_as,
        reads=False,
    ),
    Tool("get_clock", "Get clock", "Says what time it is in the backend, and what is due next.", Input, get_clock),
    Tool(
        "set_clock",
        "Set clock",
        "Stops or moves the backend's clock: tokens expire, cron jobs run, limits refill. Exactly one of freeze, at, "
        "advance and reset.",
        Move,
        set_clock,
        reads=False,
    ),
    Tool("list_faults", "List faults", "Lists what goes wrong on purpose.", Input, list_faults),
    Tool(
        "add_fault",
        "Add fault",
        "Lets something go wrong: an answer that is an error, late or lost, a socket that closes, a mail refused.",
        NewFault,
        add_fault,
        reads=False,
    ),
    Tool("clear_faults", "Clear faults", "Takes all of them away.", Input, clear_faults, reads=False),
)
