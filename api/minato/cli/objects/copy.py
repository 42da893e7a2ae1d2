"""`storage cp`: from this machine to a bucket, or back."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from minato.cli.local.failures import CommandFailure
from minato.cli.objects.address import is_address, remote_path
from minato.cli.objects.download import download, download_all
from minato.cli.objects.service import ObjectService, UploadOptions
from minato.cli.objects.upload import upload, upload_all
from minato.project.config_file import ProjectConfig


@dataclass(frozen=True)
class Copy:
    """What was asked for. Raises `CommandFailure` where not one of the two places is an address."""

    source: str
    target: str
    recursive: bool
    jobs: int
    options: UploadOptions

    def __post_init__(self) -> None:
        if is_address(self.source) and is_address(self.target):
            raise CommandFailure("Copying between buckets is not supported")
        if not is_address(self.source) and not is_address(self.target):
            raise CommandFailure("Unsupported operation", "Run cp -r <src> <dst> to copy between local directories.")
        self._remote()

    def run(self, service: ObjectService, config: ProjectConfig) -> None:
        """Do it. Raises `CommandFailure`."""
        path = self._remote()
        if is_address(self.source):
            target = Path.cwd() / self.target
            download_all(service, path, target, self.jobs) if self.recursive else download(service, path, target)
            return
        source = Path(os.path.normpath(Path.cwd() / self.source))
        if self.recursive:
            upload_all(service, source, path, self.options, config, self.jobs)
        else:
            upload(service, source, path, self.options)

    def _remote(self) -> str:
        return remote_path(self.source if is_address(self.source) else self.target)
