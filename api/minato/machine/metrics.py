"""One page of metrics for all workers of a server, whichever is asked: each series with the number of its worker."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final

from minato.machine.exchange import Circle, Exchange
from minato.machine.link import Link, LinkLost, Member, connect

TELL, ASK = "figures", "metrics"
SECONDS: Final = 2.0
"""A worker that is busy for longer is left out of this page."""
SAMPLE: Final = re.compile(r"([A-Za-z_:][A-Za-z0-9_:]*)(\{)?")

Own = Callable[[], bytes]
"""The figures of this process, in Prometheus' text format."""


class Figures(Circle):
    """The parent's side for workers that tell: each is asked by an empty frame."""

    def __init__(self) -> None:
        super().__init__()
        self._turn = asyncio.Lock()
        self._answers: dict[Link, asyncio.Future[bytes]] = {}

    async def serve(self, link: Link) -> None:
        while True:
            told = await link.receive()
            if link in self._answers and not self._answers[link].done():
                self._answers[link].set_result(told)

    def farewell(self, link: Link) -> None:
        super().farewell(link)
        if link in self._answers:
            self._answers.pop(link).cancel()

    async def page(self) -> bytes:
        """The figures of all who answer in time."""
        async with self._turn:
            loop = asyncio.get_running_loop()
            self._answers = {link: loop.create_future() for link in self.links}
            self.tell(b"")
            if self._answers:
                await asyncio.wait(self._answers.values(), timeout=SECONDS)
            given = [(self.links[link], answer) for link, answer in self._answers.items() if link in self.links]
            told = {number: answer.result().decode() for number, answer in given if _is_given(answer)}
        return labelled(told).encode()


class Page:
    """The parent's side for workers that were asked for the page."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures

    def welcome(self, link: Link, worker: int) -> None:
        """Nothing is told before it is asked for."""

    def farewell(self, link: Link) -> None:
        """Nothing is left."""

    async def serve(self, link: Link) -> None:
        while True:
            await link.receive()
            link.post(await self._figures.page())


def offer_metrics(exchange: Exchange) -> None:
    """Let workers tell, and ask for, their figures."""
    figures = Figures()
    exchange.offer(TELL, figures)
    exchange.offer(ASK, Page(figures))


def telling(member: Member, own: Own) -> Callable[[], Awaitable[None]]:
    """Work of a worker that goes on for as long as the parent asks: tells it its figures."""

    async def tell() -> None:
        with suppress(LinkLost):
            link = await connect(member, TELL)
            try:
                while True:
                    await link.receive()
                    await link.send(own())
            finally:
                link.close()

    return tell


async def whole_page(member: Member, own: Own) -> bytes:
    """The page of all workers; while the parent does not answer that of this one."""
    try:
        async with asyncio.timeout(2 * SECONDS):
            link = await connect(member, ASK)
            try:
                await link.send(b"")
                return await link.receive()
            finally:
                link.close()
    except (LinkLost, TimeoutError):
        return labelled({member.number: own().decode()}).encode()


def labelled(texts: Mapping[int, str]) -> str:
    """Several workers' figures as one page: what a series is stands once, above all of its samples.

    >>> print(labelled({1: 'a 1', 2: 'a{b="c"} 2'}), end="")
    a{worker="1"} 1
    a{worker="2",b="c"} 2
    """
    families: dict[str, list[str]] = {}
    for number, text in sorted(texts.items()):
        head: list[str] = []
        is_head = False
        for line in text.splitlines():
            if line.startswith("#"):
                head = [*head, line] if is_head else [line]
                is_head = True
            else:
                is_head = False
                families.setdefault("\n".join(head), []).append(_with_worker(line, number))
    lines = [line for head, samples in families.items() for line in ([head] if head else []) + samples]
    return "".join(f"{line}\n" for line in lines)


def _with_worker(sample: str, number: int) -> str:
    found = SAMPLE.match(sample)
    if found is None:
        return sample
    name, brace = found.groups()
    label = f'worker="{number}"'
    return f"{name}{{{label},{sample[found.end() :]}" if brace else f"{name}{{{label}}}{sample[found.end() :]}"


def _is_given(answer: asyncio.Future[bytes]) -> bool:
    return answer.done() and not answer.cancelled()
