"""A replica's numbers for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from minato.database.replica.replica import Replica


class ReplicaCollector(Collector):
    """A Prometheus collector over one replica."""

    def __init__(self, replica: Replica) -> None:
        self._replica = replica

    def collect(self) -> Iterator[Metric]:
        """Every series with its value now."""
        replica = self._replica
        yield GaugeMetricFamily("minato_replica_in_use", "1 while reads go there", value=replica.unused is None)
        yield GaugeMetricFamily("minato_replica_lag_seconds", "How far it was behind when last seen", value=replica.lag)
        reads = CounterMetricFamily(
            "minato_replica_reads", "Reads that it could take, by what came of it", None, ["by"]
        )
        for by, count in replica.served.items():
            reads.add_metric([by], count)
        yield reads

    def describe(self) -> Iterator[Metric]:
        """The same, so that registering asks for nothing else."""
        return self.collect()
