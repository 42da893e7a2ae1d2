"""The room's numbers for /metrics, read off its parts at the moment somebody asks.

Nothing is counted by topic, user or table: what clients name must not grow the metrics.
"""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from minato.realtime.services import Services

PREFIX = "minato_realtime_"


class RealtimeCollector(Collector):
    """A Prometheus collector over one backend's services."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def collect(self) -> Iterator[Metric]:
        """Every series with its value now."""
        for name, text, level in self._levels():
            yield GaugeMetricFamily(PREFIX + name, text, value=level)
        for name, text, total in self._totals():
            yield CounterMetricFamily(PREFIX + name, text, value=total)

    def describe(self) -> Iterator[Metric]:
        """The same, so that registering asks for nothing else."""
        return self.collect()

    def _levels(self) -> Iterator[tuple[str, str, float]]:
        changes = self._services.changes
        yield "connections", "Open sockets", self._services.limits.sockets
        yield "channels", "Joined channels", self._services.hub.listeners
        yield "subscriptions", "Entries that follow row changes", changes.subscriptions
        yield "changes_live", "1 while row changes flow", changes.feed.status.current.live
        yield "changes_lag_seconds", "From the commit of the newest row change to its delivery", changes.lag

    def _totals(self) -> Iterator[tuple[str, str, float]]:
        limits = self._services.limits
        yield "joins", "Channels joined", limits.joins.seen
        yield "events", "Broadcasts taken from clients", limits.events.seen
        yield "presence_events", "Presence calls taken from clients", limits.presence.seen
        yield "changes", "Row changes of the feed", self._services.changes.seen
        yield "slow_consumers", "Sockets closed because they read too slowly", limits.slow_consumers
        yield "dropped", "Messages that never left for the other processes", self._services.hub.dropped
