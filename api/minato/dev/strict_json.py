"""Bodies of calls as JSON has it: Python's own reader takes `NaN` and halves of letters besides, which nothing that is
answered, kept or sent on can be written with."""

from __future__ import annotations

from collections.abc import Callable, Coroutine

import orjson
from fastapi import Request, Response
from fastapi.routing import APIRoute


class _StrictRequest(Request):
    async def json(self) -> object:
        # Raises a JSONDecodeError, as the other does; numbers are read by that one, which keeps large ones whole.
        orjson.loads(await self.body())
        return await super().json()


class StrictRoute(APIRoute):
    """A call whose body is strictly JSON, or refused as a bad request."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[object, object, Response]]:
        handler = super().get_route_handler()

        async def strict(request: Request) -> Response:
            return await handler(_StrictRequest(request.scope, request.receive))

        return strict
