"""The data API's numbers under PostgREST's names, read off its parts at the moment somebody asks."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from minato.rest.app import RestRoom
from minato.tokens.keys import CacheUse

PREFIX = "pgrst_"


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
