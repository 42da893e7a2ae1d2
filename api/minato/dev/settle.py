"""`/_dev/v1/settle`: returns when all that was caused so far has been done, so that no test has to sleep."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from minato.at_work import Part, Pending
from minato.backend import Backend
from minato.config.base import Span

TIMEOUT, LONGEST = 5.0, 60.0
Kind = Literal["requests", "mails", "sms", "jobs", "cron", "webhooks", "functions", "changes", "frames"]


class Wish(BaseModel, extra="forbid"):
    """How long to wait at most, for what not, and whether it is an error when something is left.

    >>> Wish(timeout="250ms").timeout
    0.25
    """

    timeout: Annotated[Span, Field(gt=0, le=LONGEST)] = TIMEOUT
    excepted: list[Kind] = Field([], alias="except")
    required: bool = True


class Settling:
    """One wait for `parts`."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts
        self._before = [part.done for part in parts]
        self._waits_for: Part | None = None

    async def settle(self) -> None:
        """Return when a whole round has led to nothing new."""
        is_over = False
        while not is_over:
            before = self._led()
            for part in self._parts:
                self._waits_for = part
                await part.settle()
            is_over = self._led() == before
        self._waits_for = None

    def _led(self) -> list[int]:
        return [part.done for part in self._parts if part.leads_on]

    @property
    def did(self) -> dict[str, int]:
        """How much of each kind came to its end meanwhile."""
        done: dict[str, int] = {}
        for part, before in zip(self._parts, self._before, strict=True):
            if part.done > before:
                done[part.what] = done.get(part.what, 0) + part.done - before
        return done

    def pending(self) -> list[dict[str, object]]:
        """What is still under way."""
        found = [(part.what, part.pending() or self._silent(part)) for part in self._parts]
        return [pending.as_json(what) for what, pending in found if pending is not None]

    def _silent(self, part: Part) -> Pending | None:
        return Pending(0, "no look for more came to its end") if part is self._waits_for else None


def add_settle(app: FastAPI, backend: Backend, parts: Sequence[Part]) -> None:
    """The call. What several workers do no single one knows, so there nobody waits."""

    @app.post("/v1/settle")
    async def settle(wish: Wish | None = None) -> Response:
        if backend.machine is not None:
            message = "Several workers do not know of each other's work: serve with one."
            return JSONResponse({"code": "settle_unavailable", "message": message}, 501)
        return await _answered(wish or Wish(), parts)


async def _answered(wish: Wish, parts: Sequence[Part]) -> Response:
    loop = asyncio.get_running_loop()
    began, settling = loop.time(), Settling([part for part in parts if part.what not in wish.excepted])
    pending: list[dict[str, object]] = []
    try:
        async with asyncio.timeout(wish.timeout):
            await settling.settle()
    except TimeoutError:
        pending = settling.pending()
    told = {"settled": not pending, "ms": round((loop.time() - began) * 1000), "did": settling.did}
    if not pending:
        return JSONResponse(told)
    if not wish.required:
        return JSONResponse({**told, "pending": pending})
    message = f"Not all was done within {wish.timeout:g} seconds: {', '.join(str(each['what']) for each in pending)}."
    return JSONResponse({"code": "not_settled", "message": message, **told, "pending": pending}, 408)
