"""What only a backend of one's own can do: mail is read, anybody signed in, the clock moved, faults set."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import httpx
from pydantic import Field

from minato.json_text import JsonObject
from minato.mcp.place import Place
from minato.mcp.tool import Input, Tool, untrusted

_CLOCK, _FAULTS = "/_dev/v1/clock", "/_dev/v1/faults"
Seconds = Annotated[float, Field(ge=0, le=30)]


class Messages(Input):
    channel: Literal["email", "sms"] = "email"
    to: str | None = Field(None, description="An address or a number; all where it is left out")
    type: str | None = Field(None, description="The kind of message, as signup, recovery or magiclink")
    wait: Seconds = Field(0, description="How many seconds to wait for one")


class Person(Input):
    user: str = Field(description="Who: an address, a number, an id, or a name of users.toml")
    aal: Literal["aal1", "aal2"] = Field("aal1", description="aal2: as if a second factor had been proven")


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
    session = await place.told("POST", "/_dev/v1/users/sign-in", {"user": given.user, "aal": given.aal})
    shown = ("access_token", "refresh_token", "expires_in", "token_type", "link")
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
        "Signs a user in without a password: the tokens of the session, and a link that signs a browser in.",
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
