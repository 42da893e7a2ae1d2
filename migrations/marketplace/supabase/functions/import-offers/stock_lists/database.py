"""The marketplace's data API, asked as the agent who calls: the row policies decide what that agent may do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import httpx

from stock_lists.checking import EMPTY, CheckedRow
from stock_lists.reading import Refused

BATCH: Final = 500
_BUSY: Final = "The server did not answer. Import the same file again: cars that are there are not added twice."
_REFUSED: Final = "The server did not take one of these cars, so none of this part was added."


class _BatchFailed(Exception):
    """One batch was not taken; its text says why."""


class Unavailable(Exception):
    """The data API gave no answer, or none that goes with the question."""


async def agent_may_import(api: httpx.AsyncClient, agent: str) -> None:
    """Raises `Refused` for everybody but agents who are not suspended. Verification is the policy's to ask for."""
    asked = {"select": "user_type,status", "user_id": f"eq.{agent}"}
    found = await _read(api, "profiles", asked)
    if not found or found[0]["user_type"] != "agent":
        raise Refused("not_agent", "Only agents can import offers.", 403)
    if found[0]["status"] == "suspended":
        raise Refused("suspended", "Your account is suspended: it can add no offers.", 403)


async def stock_numbers(api: httpx.AsyncClient, agent: str) -> set[str]:
    """Of all offers that the agent has; page by page, however few rows the server gives at a time."""
    numbers: set[str] = set()
    asked = {"select": "stock_no", "agent_id": f"eq.{agent}", "order": "stock_no", "stock_no": "not.is.null"}
    while page := await _read(api, "agent_posts", asked):
        numbers.update(row["stock_no"] for row in page)
        asked["stock_no"] = f"gt.{page[-1]['stock_no']}"
    return numbers


async def add_offers(api: httpx.AsyncClient, agent: str, rows: Sequence[CheckedRow]) -> str | None:
    """Write the rows that are new, a batch at a time; each batch is added whole or not at all.

    Rows become `added`, `there` (somebody was quicker) or `failed`. Returns why rows failed, the first reason.
    Raises `Refused` where nothing at all may be added.
    """
    wanted = [row for row in rows if row.state == "new"]
    reasons: list[str] = []
    for start in range(0, len(wanted), BATCH):
        batch = wanted[start : start + BATCH]
        try:
            await _add_batch(api, agent, batch)
        except _BatchFailed as failed:
            reasons.append(str(failed))
            _fail(batch)
        except (Refused, Unavailable) as error:
            if start == 0:
                raise
            reasons.append(str(error) or _BUSY)
            _fail(wanted[start:])
            break
    return reasons[0] if reasons else None


async def _add_batch(api: httpx.AsyncClient, agent: str, batch: Sequence[CheckedRow]) -> None:
    columns = ["agent_id", *EMPTY]
    asked = {"on_conflict": "agent_id,stock_no", "columns": ",".join(columns), "select": "stock_no"}
    prefer = {"prefer": "resolution=ignore-duplicates,return=representation"}
    offers = [{"agent_id": agent, **row.offer} for row in batch]
    try:
        answer = await api.post("/rest/v1/agent_posts", params=asked, headers=prefer, json=offers)
    except httpx.HTTPError as error:
        raise Unavailable from error
    _raise_for(answer)
    if answer.is_error:
        raise _BatchFailed(_told(answer))
    added = {row["stock_no"] for row in answer.json()}
    for row in batch:
        row.state = "added" if row.stock_no in added else "there"


def _fail(rows: Sequence[CheckedRow]) -> None:
    for row in rows:
        row.state = "failed"


def _raise_for(answer: httpx.Response) -> None:
    """Raises what every other question would meet too."""
    if answer.status_code == 401:
        raise Refused("signed_out", "Your session has ended. Sign in again.", 401)
    if answer.status_code == 403:
        raise Refused("may_not_post", "Only verified agents can create posts", 403)
    if answer.status_code == 429 or answer.status_code >= 500:
        raise Unavailable


def _told(answer: httpx.Response) -> str:
    """Sentences that the marketplace's own functions raise are for people; PostgreSQL's have quotes around names."""
    said = answer.json()
    own = said.get("code") in ("23514", "P0001") and '"' not in said.get("message", '"')
    return f"{_REFUSED} {said['message']}." if own else _REFUSED


async def _read(api: httpx.AsyncClient, table: str, asked: Mapping[str, str]) -> list[dict[str, str]]:
    try:
        answer = await api.get(f"/rest/v1/{table}", params=asked)
    except httpx.HTTPError as error:
        raise Unavailable from error
    _raise_for(answer)
    if answer.is_error:
        raise Unavailable
    found: list[dict[str, str]] = answer.json()
    return found
