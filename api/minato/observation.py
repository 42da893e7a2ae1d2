"""What is seen of every request: its id on the answer, one log line, counters for Prometheus.

Paths are counted by room, never one by one, so that a scanner can't grow the metrics. Tokens and bodies are not logged.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.registry import Collector

from minato.backend import Backend
from minato.http.asgi import Header, Message, Scope, Send
from minato.journal.record import Record
from minato.machine.exchange import Exchange
from minato.machine.link import Member
from minato.machine.metrics import offer_metrics, telling, whole_page

ADDS_UP = frozenset({b"vary"})


class Observer:
    """Counts, times and logs requests of one backend, in a registry of its own."""

    def __init__(self, backend: Backend) -> None:
        self._clock = backend.clock
        self._log = backend.log
        self._outage = backend.database.outage
        self._machine = backend.machine
        self._supervisor = backend.supervisor
        if isinstance(self._machine, Exchange):
            offer_metrics(self._machine)
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "minato_http_requests", "Requests answered", ["room", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "minato_http_request_seconds", "Time to the first byte of an answer", ["room"], registry=self._registry
        )
        self._answered: dict[tuple[str, int], Counter] = {}
        self._timed: dict[str, Histogram] = {}

    def watch(self, collector: Collector) -> None:
        """Show a room's own numbers, too."""
        self._registry.register(collector)

    def observing(
        self,
        scope: Scope,
        send: Send,
        prefix: str,
        request_id: str,
        added: Sequence[Header] = (),
        record: Record | None = None,
    ) -> Send:
        """A `send` that notes when and how the request was answered, and tells its `record`.

        Answers carry their id and `added`; a header that the answer sets by itself stays as it is, but what an answer
        depends on adds up.
        """
        began = self._clock.monotonic()
        room = prefix.split("/")[1] if prefix else "site"

        def sending(message: Message) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                present = {name.lower() for name, _ in headers} - ADDS_UP
                headers += [header for header in added if header[0] not in present]
                headers.append((b"x-request-id", request_id.encode("latin-1")))
                message["headers"] = headers
                self._note(scope, room, message["status"], self._clock.monotonic() - began)
            if record is not None:
                record.saw(message)
            return send(message)

        return sending

    def _note(self, scope: Scope, room: str, status: int, seconds: float) -> None:
        answered = self._answered.get((room, status))
        if answered is None:
            # Finding a counter by its labels takes a lock; there are few of them.
            answered = self._answered[room, status] = self._requests.labels(room, str(status))
            self._timed[room] = self._seconds.labels(room)
        answered.inc()
        self._timed[room].observe(seconds)
        # An outage is told once, not by each request that meets it.
        if status >= 500 and status != 501 and not (status == 503 and self._outage.lasts):
            self._log.error("request failed", method=scope["method"], path=scope["path"], status=status)

    def start(self) -> None:
        """Let the parent know the counters, where there is one."""
        if isinstance(self._machine, Member):
            self._supervisor.keep("telling the parent our figures", telling(self._machine, self._own))

    async def metrics(self) -> bytes:
        """The counters in Prometheus' text format, those of all workers."""
        return await whole_page(self._machine, self._own) if isinstance(self._machine, Member) else self._own()

    def _own(self) -> bytes:
        return generate_latest(self._registry)
