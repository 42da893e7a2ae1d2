"""Files of this machine to a bucket: one, or all below a folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath

import typer

from minato.cli.local.buckets import bucket_properties, bucket_tables
from minato.cli.local.failures import CommandFailure
from minato.cli.objects.address import is_folder, join, split_path
from minato.cli.objects.jobs import run_all
from minato.cli.objects.listing import names
from minato.cli.objects.service import ObjectService, UploadOptions
from minato.project.config_file import ProjectConfig


def upload(service: ObjectService, source: Path, path: str, options: UploadOptions) -> None:
    """One file to an object that must not be there, or into a folder. Raises `CommandFailure`."""
    if source.is_dir():
        raise CommandFailure(f"{source} is a folder.", "Copy all that is below it by cp -r.")
    _upload(service, source, join(path, source.name) if is_folder(split_path(path)[1]) else path, options)


def upload_all(
    service: ObjectService, source: Path, path: str, options: UploadOptions, config: ProjectConfig, jobs: int
) -> None:
    """A file or everything below a folder, over the objects that are there. Raises `CommandFailure`.

    A folder that is there takes the copy in; otherwise the copy becomes it. A bucket that is missing is made.
    """
    files = list(_files(source))
    if not files:
        raise CommandFailure(f"There is no file below {source}." if source.is_dir() else f"{source} does not exist.")
    root = _root(service, source, path)
    if is_folder(split_path(root)[1]) and source.is_file():
        raise CommandFailure("You must specify an object path")
    _make_bucket(service, split_path(root)[0], config)
    overwriting = replace(options, overwrite=True)
    run_all((partial(_upload_one, service, file, join(root, inside), overwriting) for file, inside in files), jobs)


def _root(service: ObjectService, source: Path, path: str) -> str:
    """Where the copy of a file or folder goes."""
    folder = path.rstrip("/")
    there = set(names(service, folder)) if folder else set()
    name = PurePosixPath(folder).name
    if source.is_file():
        into = is_folder(split_path(path)[1]) or (f"{name}/" in there and name not in there)
    else:
        into = not folder or f"{name}/" in there
    return join(path, source.name) if into else path


def _make_bucket(service: ObjectService, bucket: str, config: ProjectConfig) -> None:
    if bucket not in service.buckets():
        limit = config.number("storage.file_size_limit")
        service.create_bucket(bucket, bucket_properties(bucket_tables(config).get(bucket, {}), limit))


def _files(source: Path) -> Iterator[tuple[Path, str]]:
    """Every file below a folder with its name from there, or the one file; no links."""
    if source.is_file():
        yield source, ""
    for folder, folders, found in os.walk(source):
        folders.sort()
        for path in (Path(folder, name) for name in sorted(found)):
            if stat.S_ISREG(path.lstat().st_mode):
                yield path, path.relative_to(source).as_posix()


def _upload_one(service: ObjectService, source: Path, path: str, options: UploadOptions) -> None:
    typer.echo(f"Uploading: {source} => {path}", err=True)
    _upload(service, source, path, options)


def _upload(service: ObjectService, source: Path, path: str, options: UploadOptions) -> None:
    try:
        service.upload(path, source, options)
    except OSError as error:
        raise CommandFailure(f"failed to open file: {error}") from None
