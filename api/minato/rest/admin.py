"""The admin server of a data API that is served alone: health for orchestrators, numbers for Prometheus."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from dataclasses import dataclass

import orjson
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from minato.http.asgi import Header, Receive, Scope, Send, send_response
from minato.rest.app import RestRoom
from minato.rest.schema_cache.model import QualifiedName, SchemaCache
from minato.tokens.keys import CacheUse

TEXT: Header = (b"content-type", CONTENT_TYPE_LATEST.encode())
PREFIX = "pgrst_"


@dataclass(frozen=True)
class AdminServer:
    """ASGI: `/live` tells whether the API's socket accepts connections, `/ready` whether it would also answer.

    Statuses are PostgREST's: 200; 500 when that socket can't be reached; 503 while database or schema are waited for.
    `/metrics` and `/schema_cache` (empty before the first load) show what is inside.
    """

    api: socket.socket
    room: RestRoom

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match scope.get("path"):
            case "/live" | "/ready" as path:
                await send_response(send, await self._health(path))
            case "/metrics":
                await send_response(send, 200, [TEXT], self._metrics())
            case "/schema_cache":
                cache = self.room.keeper.loaded
                await send_response(send, 200, body=dump_schema_cache(cache) if cache else b"")
            case _:
                await send_response(send, 404)

    def _metrics(self) -> bytes:
        registry = CollectorRegistry()
        registry.register(DataApiCollector(self.room))
        return generate_latest(registry)

    async def _health(self, path: str) -> int:
        if not await self._is_reachable():
            return 500
        return 200 if path == "/live" or self.room.keeper.is_ready else 503

    async def _is_reachable(self) -> bool:
        """No request is sent: a connection is enough."""
        try:
            address = self.api.getsockname()
            if self.api.family == socket.AF_UNIX:
                _, writer = await asyncio.open_unix_connection(address)
            else:
                _, writer = await asyncio.open_connection(*address[:2])
        except OSError:
            return False
        writer.close()
        return True


class DataApiCollector(Collector):
    """A Prometheus collector over one data API."""

    def __init__(self, room: RestRoom) -> None:
        self._room = room

    def collect(self) -> Iterator[Metric]:
        """Every series with its value now."""
        for name, text, level in self._levels():
            yield GaugeMetricFamily(PREFIX + name, text, value=level)
        for name, text, total in self._totals():
            yield CounterMetricFamily(PREFIX + name, text, value=total)
        yield self._loads()

    def describe(self) -> Iterator[Metric]:
        """The same, so that registering asks for nothing else."""
        return self.collect()

    def _levels(self) -> Iterator[tuple[str, str, float]]:
        pool = self._room.database.sessions
        yield "db_pool_available", "Available connections in the pool", pool.idle
        yield "db_pool_waiting", "Requests waiting to acquire a pool connection", pool.waiting
        yield "db_pool_max", "Max pool connections", pool.size
        seconds = self._room.keeper.loads.seconds
        yield "schema_cache_query_time_seconds", "Seconds that the last load of the schema cache took", seconds

    def _totals(self) -> Iterator[tuple[str, str, float]]:
        yield "db_pool_timeouts", "Requests that got no connection in time", self._room.pool_timeouts
        keys = self._room.pipeline.keyring.of(self._room.keeper.settings)
        use = keys.cache_use if keys else CacheUse()
        yield "jwt_cache_requests", "Tokens looked up in the cache", use.requests
        yield "jwt_cache_hits", "Tokens found in the cache", use.hits
        yield "jwt_cache_evictions", "Tokens dropped from the cache", use.evictions

    def _loads(self) -> Metric:
        family = CounterMetricFamily(PREFIX + "schema_cache_loads", "Loads of the schema cache", labels=["status"])
        family.add_metric(["SUCCESS"], self._room.keeper.loads.succeeded)
        family.add_metric(["FAIL"], self._room.keeper.loads.failed)
        return family


def dump_schema_cache(cache: SchemaCache) -> bytes:
    """Tables, relationships, functions, media handlers and settings of roles.

    >>> dump_schema_cache(SchemaCache("1"))
    b'{"version":"1","tables":[],"relationships":[],"routines":[],"handlers":[],"roles":{}}'
    """
    document = {
        "version": cache.version,
        "tables": list(cache.tables.values()),
        "relationships": [each for found in cache.relationships.values() for each in found],
        "routines": [each for overloads in cache.routines.values() for each in overloads],
        "handlers": list(cache.handlers.values()),
        "roles": cache.roles,
    }
    return orjson.dumps(document, default=_plain)


def _plain(value: object) -> object:
    if isinstance(value, QualifiedName):
        return str(value)
    return value._asdict() if hasattr(value, "_asdict") else str(value)
