"""The tables of pg_net: the queue of requests, and the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import asyncpg
import orjson

from minato.jobs.leader import Leader

BATCH: Final = 200
TTL: Final = "6 hours"
# So many bytes of bodies are taken at a time, the last body whole.
TAKEN_BYTES: Final = 8 * 1024 * 1024

_TAKE = """with next as (
        select id, sum(size) over (order by id) - size as before
        from (select id, coalesce(octet_length(body), 0) as size from net.http_request_queue order by id limit $1) q),
    taken as (delete from net.http_request_queue q using next where q.id = next.id and next.before < $2 returning q.*),
    noted as (insert into net._taken (id) select id from taken)
    select id, upper(method::text) as method, url, body, timeout_milliseconds,
        array(select key || ': ' || value from jsonb_each_text(
            case when jsonb_typeof(headers) = 'object' then headers else '{}' end) where value is not null) as headers
    from taken order by id"""
# One that is no longer noted as taken has its answer: whoever was stopped while it was kept may keep it again.
_KEEP = """with ended as (delete from net._taken where id = any($1::bigint[]) returning id)
    insert into net._http_response (id, status_code, content_type, headers, content, timed_out, error_msg, created)
    select id, status_code, content_type, headers::jsonb, content, timed_out, error_msg, $8
    from unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::bool[], $7::text[])
        as answer (id, status_code, content_type, headers, content, timed_out, error_msg)
    where id in (select id from ended)"""
_TELL = """with lost as (delete from net._taken returning id)
    insert into net._http_response (id, timed_out, error_msg, created)
    select id, false, 'server restarted', $1 from lost"""
_EXPIRE = """with old as (select ctid from net._http_response where created < $1::timestamptz - $2::text::interval
        order by created limit $3)
    delete from net._http_response r using old where r.ctid = old.ctid returning 1"""
# `alter role postgres set pg_net.batch_size = …`, or of the database.
_SETTINGS = """select split_part(entry, '=', 1) as name, substr(entry, strpos(entry, '=') + 1) as value
    from pg_db_role_setting s, unnest(s.setconfig) as entry
    where entry like 'pg\\_net.%' and s.setrole in (0, coalesce(to_regrole('postgres')::oid, 0))
        and s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
    order by s.setdatabase, s.setrole"""


@dataclass(frozen=True)
class Request:
    """A row of `net.http_request_queue`; `fields` are its headers as lines."""

    id: int
    method: str
    url: str
    fields: Sequence[str]
    body: bytes | None
    milliseconds: int


@dataclass(frozen=True)
class Answer:
    """A row of `net._http_response`."""

    id: int
    status: int | None = None
    content_type: str | None = None
    headers: Mapping[str, str] | None = None
    content: str | None = None
    timed_out: bool = False
    error: str | None = None


@dataclass(frozen=True)
class NetSettings:
    """`pg_net.batch_size` and `pg_net.ttl`."""

    batch: int = BATCH
    ttl: str = TTL


class NetTables:
    """Reads and writes them in the leader's session; every method raises CONNECTION_ERRORS."""

    def __init__(self, leader: Leader) -> None:
        self._leader = leader

    async def tell_of_lost(self, now: datetime) -> None:
        """What a predecessor had on its way is not sent again, for it may have arrived."""
        await self._leader.rows(_TELL, now)

    async def settings(self) -> NetSettings:
        """What is set for the database or its owner."""
        found = {row["name"]: row["value"] for row in await self._leader.rows(_SETTINGS)}
        batch = found.get("pg_net.batch_size", "")
        return NetSettings(min(int(batch), 32767) if batch.isdecimal() else BATCH, found.get("pg_net.ttl", TTL))

    async def take(self, most: int) -> Sequence[Request]:
        """The oldest requests, gone from the queue for good."""
        return [
            Request(row["id"], row["method"], row["url"], row["headers"], row["body"], row["timeout_milliseconds"])
            for row in await self._leader.rows(_TAKE, most, TAKEN_BYTES)
        ]

    async def keep(self, answers: Sequence[Answer], now: datetime) -> None:
        """Let whoever asked see the answers."""
        rows = [
            (each.id, each.status, each.content_type, _json(each.headers), each.content, each.timed_out, each.error)
            for each in answers
        ]
        await self._leader.rows(_KEEP, *map(list, zip(*rows, strict=True)), now)

    async def expire(self, now: datetime, settings: NetSettings) -> int:
        """Remove some answers nobody fetched in time; how many."""
        try:
            return len(await self._leader.rows(_EXPIRE, now, settings.ttl, settings.batch))
        except asyncpg.DataError:
            return len(await self._leader.rows(_EXPIRE, now, TTL, settings.batch))


def _json(headers: Mapping[str, str] | None) -> str | None:
    return None if headers is None else orjson.dumps(headers).decode()
