"""`/_dev/v1/requests/<id>/plan`: how PostgreSQL would run what a recorded request ran, for the same caller."""

from __future__ import annotations

from typing import Final

import orjson
from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from minato.backend import Backend, Plan
from minato.dev.journal import unknown
from minato.dev.why import DATA_API, NotExplained, again
from minato.journal.record import Record

NO_SQL: Final = "Only requests to the data API run a statement of their own; this one went to another service"
BEFORE: Final = "The request was answered before PostgreSQL was asked, so it had no statement"


class Wish(BaseModel, extra="forbid"):
    """Whether it is run, so that the plan says what each part took, and that also if it writes: it is undone.

    >>> Wish(analyze=True)
    Wish(analyze=True, force=False)
    """

    analyze: bool = False
    force: bool = False


def add_plan(app: FastAPI, backend: Backend, plan: Plan) -> None:
    """The call."""

    @app.post("/v1/requests/{asked}/plan")
    async def planned(asked: str, wish: Wish | None = None) -> Response:
        event = backend.journal.request(asked)
        if event is None:
            return unknown(backend.journal, asked)
        return await _of(event, wish or Wish(), plan)


async def _of(event: Record, wish: Wish, plan: Plan) -> Response:
    recorded = event.recorded()
    try:
        if not recorded.path.startswith(f"{DATA_API}/"):
            raise NotExplained(NO_SQL)
        _, asked = again(recorded)
        if event.statement is None:
            raise NotExplained(BEFORE)
    except NotExplained as error:
        return JSONResponse({"code": "not_planned", "message": str(error)}, 400)
    status, answer = await plan(asked, wish.analyze, wish.force)
    return JSONResponse({**orjson.loads(answer), "request": {"id": event.id, "title": event.title}}, status)
