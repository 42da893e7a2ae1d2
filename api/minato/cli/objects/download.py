"""Objects to files of this machine: one, or all below a path."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path, PurePosixPath
from uuid import uuid4

import typer

from minato.cli.local.failures import CommandFailure
from minato.cli.objects.address import below, is_folder
from minato.cli.objects.jobs import run_all
from minato.cli.objects.listing import OBJECT_NOT_FOUND, all_paths
from minato.cli.objects.service import ObjectService


def download(service: ObjectService, path: str, target: Path) -> None:
    """One object to a file that must not be there, or into a folder. Raises `CommandFailure`."""
    file = target / PurePosixPath(path).name if target.is_dir() else target
    with _told():
        _refuse_existing(file)
        _write(service, path, file, overwrite=False)


def download_all(service: ObjectService, path: str, target: Path, jobs: int) -> None:
    """Everything below a path, over the files that are there. Raises `CommandFailure`."""
    folder = target / PurePosixPath(path).name if target.is_dir() else target
    found = [(each, inside) for each in all_paths(service, path) if (inside := below(each, path)) is not None]
    if not found:
        raise CommandFailure(OBJECT_NOT_FOUND.format(path))
    # All names are looked at before the first is written.
    files = [(each, _inside(folder, each, inside)) for each, inside in found]
    run_all((partial(_download_one, service, each, file) for each, file in files), jobs)


def _inside(folder: Path, path: str, name: str) -> Path:
    """Where an object lies below a folder. Raises `CommandFailure` for one whose name leads out of it."""
    if ".." in name.split("/") or "\0" in name:
        raise CommandFailure(f"{path} would lie outside of {folder}.")
    return folder / name if name else folder


def _download_one(service: ObjectService, path: str, target: Path) -> None:
    typer.echo(f"Downloading: {path} => {target}", err=True)
    with _told():
        target.parent.mkdir(parents=True, exist_ok=True)
        if is_folder(path):
            target.mkdir(exist_ok=True)
        else:
            _write(service, path, target, overwrite=True)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CommandFailure(f"failed to create file: {error}") from None


def _write(service: ObjectService, path: str, target: Path, overwrite: bool) -> None:
    """The file is there when it is whole: half of one is never seen."""
    part = target.with_name(f".{uuid4().hex}.part")
    try:
        with part.open("xb") as stream:
            service.download(path, stream)
        if not overwrite:
            # Somebody else may have made it meanwhile.
            _refuse_existing(target)
        part.replace(target)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()


def _refuse_existing(file: Path) -> None:
    if file.exists():
        raise FileExistsError(f"{file} exists")
