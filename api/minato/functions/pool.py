"""The processes of all functions: one for each, begun by its first request, ended when it is idle or has changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from minato.at_work import Pending
from minato.backend import Backend
from minato.background import ended, pause_after
from minato.config.functions import FunctionsSettings
from minato.functions.child import BootFailed, Child, Orders, launch
from minato.functions.command import deno_variables, run_arguments, source_files, write_import_map
from minato.functions.compiler import compiler_flags
from minato.functions.discovery import Function, Functions, Version
from minato.functions.environment import function_environment
from minato.functions.folders import make_temporary
from minato.functions.inspector import PortTaken, inspect_mode, inspector_flag, inspector_port
from minato.functions.log_file import FunctionLog
from minato.functions.map_file import ImportMapError
from minato.functions.packages import REGISTRY_VARIABLE, Packages
from minato.functions.python_launch import launch_python
from minato.functions.watch import Watch

SWEEP_SECONDS: Final = 5.0
# A debugger may keep a function from serving for as long as its developer looks.
_UNHURRIED: Final = 24 * 3600.0
# After a failed start; doubled with each in a row, and forgotten when a file changes.
_BACKOFF_SECONDS: Final = 1.0


class NoRoom(Exception):
    """All processes there may be are busy, and none became free in time."""


@dataclass
class Slot:
    """A function's process, or its start; `users` are the requests it serves, `inspector` a debugger's port."""

    function: Function
    version: Version
    starting: asyncio.Task[None] | None = None
    child: Child | None = None
    users: int = 0
    idle_since: float = 0.0
    retired: bool = False
    inspector: int = 0
    watch: asyncio.Task[None] | None = None

    @property
    def is_idle(self) -> bool:
        return self.users == 0 and self.child is not None and self.child.background == 0

    @property
    def is_over(self) -> bool:
        """Whether its process is gone, or its start came to nothing."""
        begun = self.starting is None or self.starting.done()
        return begun and (self.child is None or self.child.has_ended)


@dataclass
class Failure:
    """A start that failed: the same files are not tried again before `until`."""

    version: Version
    error: BootFailed
    until: float
    count: int = field(default=1)


class Pool:
    """Of one backend. `deno` runs them where there is one, `work` is a folder for import maps and logs.

    It is a `Part`: work that goes on behind the answers of functions."""

    what = "functions"
    leads_on = True

    def __init__(self, backend: Backend, functions: Functions, deno: Path | None, work: Path, cache: Path) -> None:
        self._backend = backend
        self._settings = backend.settings.functions
        self.functions = functions
        self._deno, self._work, self._cache = deno, work, cache
        self._current: dict[str, Slot] = {}
        self._slots: list[Slot] = []
        self._failures: dict[str, Failure] = {}
        self._logs: dict[str, FunctionLog] = {}
        self._freed = asyncio.Condition()
        self._known: dict[str, Version] = {}

    @property
    def running(self) -> list[Slot]:
        """Every process there is, those that end too."""
        return list(self._slots)

    @property
    def done(self) -> int:
        """How much work behind answers came to its end, in the processes that there are."""
        return sum(slot.child.finished for slot in self._slots if slot.child is not None)

    async def settle(self) -> None:
        """Wait for what goes on behind answers now."""
        for slot in self.running:
            if slot.child is not None:
                await slot.child.quiet.wait()

    def pending(self) -> Pending | None:
        """What goes on."""
        busy = [slot for slot in self._slots if slot.child is not None and slot.child.background]
        count = sum(slot.child.background for slot in busy if slot.child is not None)
        return Pending(count, f"behind an answer of {busy[0].function.name}") if busy else None

    async def figures(self) -> Mapping[str, object]:
        """What runs just now, for its operator."""
        current = [slot for slot in self._current.values() if slot.child is not None and not slot.is_over]
        return {
            "activeUserWorkersCount": len(current),
            "retiredUserWorkersCount": len(self._slots) - len(self._current),
            "functions": {
                slot.function.name: {"pid": slot.child.pid, "requests": slot.users, "inspector": slot.inspector or None}
                for slot in current
                if slot.child is not None
            },
        }

    @asynccontextmanager
    async def lease(self, function: Function) -> AsyncIterator[Child]:
        """A process that serves `function` as its files are now, until the block ends. Raises `BootFailed`, `NoRoom`.

        A start goes on when the one who asked for it has left: the next finds it.
        """
        slot = await self._slot(function)
        slot.users += 1
        if self._settings.policy == "oneshot":
            # At once: who asks while it starts must find another.
            self._retire(slot)
        try:
            yield await _started(slot)
        finally:
            slot.users -= 1
            slot.idle_since = self._backend.clock.monotonic()
            await self._tidy(slot)
            async with self._freed:
                # Who waits for room may take that of an idle one.
                self._freed.notify_all()

    async def sweep(self) -> None:
        """End processes that nobody has asked for long, and forget those that are gone."""
        now = self._backend.clock.monotonic()
        for slot in self.running:
            unused = now - slot.idle_since if slot.users == 0 else 0.0
            if slot.inspector:
                # A debugger may look at it.
                unused = 0.0
            if slot.is_idle and unused > self._settings.stop_after:
                self._retire(slot)
            if unused > self._settings.stop_after + self._settings.wall_clock_limit and slot.child is not None:
                # Its work behind the answers never ends.
                slot.child.kill(limited=True)
            await self._tidy(slot)

    def renew(self, functions: Functions, settings: FunctionsSettings) -> None:
        """Look at the files again, as in production nobody does otherwise. With other settings every function begins
        anew, each after the requests that it is at; the sweep ends those that have none.
        """
        if settings != self._settings:
            for slot in list(self._current.values()):
                self._retire(slot)
        self._settings, self.functions = settings, functions
        self._known.clear()
        self._failures.clear()

    async def close(self) -> None:
        """End them all and wait for it."""
        slots = self.running
        await ended(*(slot.starting for slot in slots))
        await ended(*(slot.watch for slot in slots))
        for slot in slots:
            if slot.child is not None:
                slot.child.kill()
                await slot.child.ended()
        self._slots.clear()
        self._current.clear()

    async def _slot(self, function: Function) -> Slot:
        version = self._version(function)
        slot = self._current.get(function.name)
        if slot is not None and slot.version == version and not slot.is_over and not slot.retired:
            return slot
        if slot is not None:
            self._retire(slot)
            if slot.inspector:
                # A breakpoint would hold it, and its port, for ever.
                self._end(slot)
            await self._tidy(slot)
        self._refuse_hurry(function, version)
        await self._make_room()
        slot = self._current.get(function.name)
        # Somebody else may have begun one while we waited for room.
        if slot is not None and not slot.is_over and not slot.retired:
            return slot
        slot = Slot(function, version, idle_since=self._backend.clock.monotonic())
        slot.starting = asyncio.create_task(self._start(slot), name=f"function {function.name}")
        # Who waits for it is told what it raises; nobody may.
        slot.starting.add_done_callback(lambda done: None if done.cancelled() else done.exception())
        self._current[function.name] = slot
        self._slots.append(slot)
        return slot

    def _version(self, function: Function) -> Version:
        """The files are looked at again at each request of a developer's; in production a deployment is a restart."""
        if self._backend.development or function.name not in self._known:
            self._known[function.name] = self.functions.version(function)
        return self._known[function.name]

    def _refuse_hurry(self, function: Function, version: Version) -> None:
        failure = self._failures.get(function.name)
        if failure is not None and failure.version == version and self._backend.clock.monotonic() < failure.until:
            raise failure.error

    async def _make_room(self) -> None:
        """Raises `NoRoom`."""
        try:
            async with asyncio.timeout(self._settings.queue_timeout), self._freed:
                while len(self._slots) >= self._settings.processes:
                    idle = [slot for slot in self._slots if slot.is_idle]
                    if not idle:
                        await self._freed.wait()
                        continue
                    longest = min(idle, key=lambda slot: slot.idle_since)
                    self._retire(longest)
                    self._end(longest)
        except TimeoutError:
            raise NoRoom from None

    async def _start(self, slot: Slot) -> None:
        try:
            child = await self._boot(slot)
        except BootFailed as error:
            self._note_failure(slot.function, slot.version, error)
            raise
        slot.child = child
        self._failures.pop(slot.function.name, None)
        if slot.inspector:
            # Who stands at a breakpoint answers nothing.
            return
        watch = Watch(child, self._settings.cpu_limit, self._settings.memory_mb)
        slot.watch = asyncio.create_task(watch.run(), name=f"watch of function {slot.function.name}")

    async def _boot(self, slot: Slot) -> Child:
        function = slot.function
        if function.is_python:
            child = await launch_python(
                self._backend, self._settings, function, self._work, self._cache, self._log_of(function)
            )
        else:
            child = await self._launch_deno(slot)
        try:
            await child.serving(_UNHURRIED if slot.inspector else self._settings.boot_timeout)
        except BaseException:
            child.kill()
            raise
        self._backend.log.info("function started", function=function.name, pid=child.pid)
        return child

    async def _launch_deno(self, slot: Slot) -> Child:
        """Raises `BootFailed`."""
        function = slot.function
        assert self._deno is not None
        packages = Packages.of(function, self._cache)
        try:
            installed = packages.run_from_node_modules
            map_path = write_import_map(function, source_files(slot.version), self._work, packages=not installed)
            self._cache.mkdir(parents=True, exist_ok=True)
            compiling = compiler_flags(function, self._work)
            flags = [*packages.run_flags(self._work), *compiling, *await self._inspector(slot)]
            temporary = make_temporary(self._work, function.name)
        except (ImportMapError, PortTaken, OSError) as error:
            raise BootFailed(str(error)) from None
        variables = function_environment(self._backend, self._settings, function)
        variables |= deno_variables(self._cache, packages.folder)
        # It would lead away from what was fetched.
        variables.pop(REGISTRY_VARIABLE, None)
        kept = (*function.readable, self._cache, packages.folder, temporary)
        orders = Orders(
            function.entrypoint.resolve().as_uri(),
            self._backend.entropy.bytes(32).hex(),
            self._backend.development,
            {"temporary": {"folder": str(temporary), "kept": [str(path) for path in kept]}},
        )
        arguments = run_arguments(function, map_path, temporary, self._settings.memory_mb, flags)
        return await launch(self._deno, arguments, variables, orders, self._log_of(function), temporary)

    def _note_failure(self, function: Function, version: Version, error: BootFailed) -> None:
        before = self._failures.get(function.name)
        count = before.count + 1 if before is not None and before.version == version else 1
        until = self._backend.clock.monotonic() + pause_after(count, _BACKOFF_SECONDS)
        self._failures[function.name] = Failure(version, error, until, count)
        self._backend.log.error("function did not start", function=function.name, reason=str(error)[:2000])

    async def _inspector(self, slot: Slot) -> list[str]:
        """Raises `PortTaken`."""
        mode = inspect_mode(slot.function, self._settings, self._backend.development)
        if not mode:
            return []
        others = {other.inspector for other in self._slots if other is not slot}
        slot.inspector = self._settings.inspector_port
        slot.inspector = await inspector_port(slot.inspector, others)
        return [inspector_flag(mode, slot.inspector)]

    def _log_of(self, function: Function) -> FunctionLog:
        name, backend = function.name, self._backend
        return self._logs.setdefault(name, FunctionLog(self._work, name, backend.clock, backend.log, backend.journal))

    def _retire(self, slot: Slot) -> None:
        """Give it no more requests; those that it has come to their end."""
        slot.retired = True
        if self._current.get(slot.function.name) is slot:
            del self._current[slot.function.name]

    async def _tidy(self, slot: Slot) -> None:
        """End a retired process that has nothing left to do; forget one that is gone."""
        if (slot.retired and slot.is_idle) or (slot.is_over and slot.users == 0):
            async with self._freed:
                self._end(slot)
                self._freed.notify_all()

    def _end(self, slot: Slot) -> None:
        self._retire(slot)
        if slot in self._slots:
            self._slots.remove(slot)
        if slot.child is not None:
            slot.child.kill()


async def _started(slot: Slot) -> Child:
    """Its process; a start goes on when the one who waits for it has left. Raises `BootFailed`."""
    assert slot.starting is not None
    await asyncio.shield(slot.starting)
    assert slot.child is not None
    return slot.child
