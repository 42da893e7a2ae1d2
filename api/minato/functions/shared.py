"""One runtime of functions for all workers: the parent has the processes, a worker asks for one and speaks to it.

A connection to the parent is a lease: its end gives the process back, also when a worker is killed. What a request and
its answer consist of never goes through the parent.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from minato.functions import answers
from minato.functions.child import BootFailed
from minato.functions.discovery import Function
from minato.functions.pool import NoRoom, Pool
from minato.machine.exchange import Exchange, Machine
from minato.machine.link import Link, LinkLost, Member, connect

SERVICE: Final = "functions"
_CAUSE: Final = b"cause"
_UNREACHABLE: Final = "The process that runs functions does not answer; it is replaced with the server."


class PoolService:
    """The parent's side."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def welcome(self, link: Link, worker: int) -> None:
        """Nothing is told before it is asked for."""

    def farewell(self, link: Link) -> None:
        """The lease has ended with the connection."""

    async def serve(self, link: Link) -> None:
        asked = orjson.loads(await link.receive())
        name = asked.get("function")
        if name is None:
            await _post(link, await self._pool.figures())
            return
        try:
            await self._lend(link, name)
        except BootFailed as error:
            await _post(link, {"failed": str(error)})
        except NoRoom:
            await _post(link, {"full": True})

    async def _lend(self, link: Link, name: str) -> None:
        """Until the worker has had its answer, or is gone."""
        function = self._pool.functions.find(name)
        if function is None:
            raise BootFailed(f"{name} is not there any more.")
        async with self._pool.lease(function) as child:
            await _post(link, {"port": child.port, "pass": child.passing})
            while await link.receive() == _CAUSE:
                await _post(link, {"cause": await child.cause()})


@dataclass
class Lent:
    """A process of the parent's, as a worker has it."""

    port: int
    passing: str = field(repr=False)
    link: Link

    async def cause(self) -> int:
        """The status for a process that gave no answer."""
        try:
            await self.link.send(_CAUSE)
            return int((await _answer(self.link))["cause"])
        except LinkLost:
            return answers.WORKER_ERROR


class SharedPool:
    """A worker's side."""

    def __init__(self, member: Member) -> None:
        self._member = member

    @asynccontextmanager
    async def lease(self, function: Function) -> AsyncIterator[Lent]:
        """A process that serves `function`, until the block ends. Raises `BootFailed` and `NoRoom`."""
        try:
            link = await connect(self._member, SERVICE)
        except LinkLost:
            raise BootFailed(_UNREACHABLE) from None
        try:
            yield await _lent(link, function.name)
        finally:
            link.close()

    async def figures(self) -> Mapping[str, object]:
        """What runs just now, for its operator."""
        try:
            link = await connect(self._member, SERVICE)
            try:
                await link.send(b"{}")
                return await _answer(link)
            finally:
                link.close()
        except LinkLost:
            return {}


def runtime_of(machine: Machine, pool: Pool | None) -> Pool | SharedPool | None:
    """Where this process gets processes of functions from; that of a parent is offered to its workers."""
    if isinstance(machine, Member):
        return SharedPool(machine)
    if isinstance(machine, Exchange) and pool is not None:
        machine.offer(SERVICE, PoolService(pool))
    return pool


async def _lent(link: Link, name: str) -> Lent:
    try:
        await link.send(orjson.dumps({"function": name}))
        told = await _answer(link)
    except LinkLost:
        raise BootFailed(_UNREACHABLE) from None
    if "full" in told:
        raise NoRoom
    if "failed" in told:
        raise BootFailed(told["failed"])
    return Lent(told["port"], told["pass"], link)


async def _answer(link: Link) -> dict[str, Any]:
    """Raises `LinkLost`."""
    told: dict[str, Any] = orjson.loads(await link.receive())
    return told


async def _post(link: Link, told: Mapping[str, object]) -> None:
    await link.send(orjson.dumps(told))
