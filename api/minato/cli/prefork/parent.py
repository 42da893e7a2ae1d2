"""The parent: owns the port, PostgreSQL, the jobs and the log's decoding, and serves no request itself."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial

from minato.cli.announcement import announcement
from minato.cli.environment import process_environment, processors
from minato.cli.errors import CommandError
from minato.cli.prefork.crew import Crew, WorkerFailed
from minato.cli.prefork.shares import share_of
from minato.cli.prefork.template import Template, TemplateGone
from minato.cli.prefork.worker import Boot
from minato.cli.running import Run, look_for_web_app
from minato.cli.seed import Seed
from minato.cli.target import Target
from minato.config import Settings
from minato.host.host import Host
from minato.log import create_log, wants_json
from minato.log_lines import LogLines
from minato.machine.exchange import Exchange
from minato.machine.link import Member
from minato.main import Application
from minato.postgres.layout import Layout


@dataclass(frozen=True)
class ParentRun(Run):
    """`reread` gives the settings anew, for workers that take the place of others; raises what says why not.
    `hangups` are those that came during the start, which may have read the settings before."""

    template: Template
    reread: Callable[[], Settings]
    hangups: list[int]
    # By which all workers started, then those that were read since: the last ones are what the next worker is told.
    told: list[Settings] = field(default_factory=list)

    @cached_property
    def lines(self) -> LogLines:
        """The log of this process."""
        return LogLines()

    @cached_property
    def host(self) -> Host:
        """What this process has one of."""
        pictures = self.settings.storage.image_workers
        return Host(processors(), pictures, self.lines, cluster=self.postgres, machine=self.exchange)

    @cached_property
    def exchange(self) -> Exchange:
        """Where workers ask."""
        layout = Layout(self.settings.server.data_dir)
        layout.prepare()
        path = layout.socket_folder(process_environment().get("XDG_RUNTIME_DIR")) / f"w{os.getpid()}"
        path.unlink(missing_ok=True)
        return Exchange(path, create_log(self.lines, wants_json(self._is_production)))

    async def _serve_http(self, target: Target, seed: Seed | None) -> None:
        url, database_url = self._addresses(target)
        application = self.host.create(self.settings, target.address, url, self.secret)
        server = self.settings.server
        look_for_web_app(server.web_root, self.progress)
        self.told[:] = [self.settings]
        crew = Crew(
            server.workers,
            self.template.copy,
            lambda number: self._boot(number, target, url),
            self.log,
            patience=server.worker_timeout,
            renewed=partial(self._judge, application),
        )
        await self._start(application)
        try:
            await crew.start()
            self._heed_signals(crew, application)
            self._announce(announcement(application.backend, self.secret, database_url), seed)
            await crew.keep()
        except WorkerFailed:
            raise CommandError("A worker did not start; the reason stands above.") from None
        except TemplateGone:
            raise CommandError("The process that workers are copies of is gone: start the server again.") from None
        finally:
            self.listener.close()
            await crew.stop()
            await self.exchange.stop()

    async def _start(self, application: Application) -> None:
        """What a request would find wanting is found here, once, before there is a worker."""
        try:
            await self.exchange.start()
            await application.start()
        except Exception:
            self.log.exception("start failed")
            raise CommandError("The server did not start; the reason stands above.") from None

    def _boot(self, number: int, target: Target, url: str) -> bytes:
        count = self.settings.server.workers
        settings = share_of(self.told[-1], count)
        member = Member(number, self.exchange.path)
        share = max(processors() // count, 1)
        return pickle.dumps(Boot(member, settings, target.address, url, self.secret, share))

    def _heed_signals(self, crew: Crew, application: Application) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, lambda: crew.stop_soon(loop.time()))
        loop.add_signal_handler(signal.SIGHUP, self._renew, crew, application)
        if self.hangups:
            self._renew(crew, application)

    def _renew(self, crew: Crew, application: Application) -> None:
        """New workers with the settings as they are now; with those that can't be read none."""
        try:
            self.told.append(self.reread())
        except Exception as error:
            self.log.error("the settings can't be read anew, all workers stay", reason=str(error))
            return
        application.renew(self.told[-1])
        crew.renew_soon()

    def _judge(self, application: Application, started: bool) -> None:
        """Settings by which a worker did not start are no worker's any more: the next one is to start."""
        self.told[:] = self.told[-1:] if started else self.told[:1]
        if not started:
            application.renew(self.told[-1])
