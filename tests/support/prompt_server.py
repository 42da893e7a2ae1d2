"""uvicorn that ends when it is told to: by itself it looks every tenth of a second, and tests start hundreds."""

from __future__ import annotations

import asyncio

import uvicorn


class PromptServer(uvicorn.Server):
    """`end` instead of `should_exit`, which works as ever."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._told = asyncio.Event()

    def end(self) -> None:
        self.should_exit = True
        self._told.set()

    async def main_loop(self) -> None:
        both = [asyncio.create_task(work) for work in (super().main_loop(), self._told.wait())]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in both:
                task.cancel()
            await asyncio.gather(*both, return_exceptions=True)
