"""`GET /status`, `/version`, `/health`."""

from __future__ import annotations

from sqlalchemy import text

from minato.http.asgi import Header
from minato.storage.reply import Reply, json_reply
from minato.storage.request import Request
from minato.storage.services import Services

VERSION = b"1.60.2"
TEXT: Header = (b"content-type", b"text/plain; charset=utf-8")


async def get_status(services: Services, request: Request) -> Reply:
    return Reply()


async def get_version(services: Services, request: Request) -> Reply:
    """The version of the reference whose clients this speaks to."""
    return Reply(200, [TEXT], VERSION)


async def get_health(services: Services, request: Request) -> Reply:
    """Whether the database answers."""
    try:
        async with services.transactions.look_up() as connection:
            await connection.execute(text("select 1"))
    except Exception:
        return json_reply({"healthy": False})
    return json_reply({"healthy": True})
