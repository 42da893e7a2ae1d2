"""Calls to others that go wrong: webhooks, hooks of auth, providers."""

from __future__ import annotations

import asyncio

import orjson

from minato.faults.fault import Faults
from minato.http.outgoing import Bounds, LocalOutgoing, OutgoingTimeout, Reply, Unreached
from minato.json_text import JsonMapping

REFUSED = "All connection attempts failed"


class FaultyOutgoing(LocalOutgoing):
    """The way out in development, where a rule may answer in place of who is called."""

    def __init__(self, public_url: str, faults: Faults) -> None:
        super().__init__(public_url)
        self._faults = faults

    async def _send(self, method: str, url: str, call: JsonMapping, bounds: Bounds) -> Reply:
        fault = self._faults.of("webhook", {"url": url}) if self._faults.rules else None
        if fault is None:
            return await super()._send(method, url, call, bounds)
        await fault.wait()
        do = fault.rule.do
        if do.status is not None:
            headers = {"content-type": "application/json", "x-minato-fault": fault.id}
            body = orjson.dumps(do.body) if "body" in do.model_fields_set else b"{}"
            return Reply(do.status, headers, body, list(headers.items()))
        if do.timeout:
            await asyncio.sleep(bounds.seconds)
            raise OutgoingTimeout(f"no reply from {url} within {bounds.seconds:g} seconds")
        if do.refuse:
            raise Unreached(do.refuse if isinstance(do.refuse, str) else REFUSED)
        return await super()._send(method, url, call, bounds)
