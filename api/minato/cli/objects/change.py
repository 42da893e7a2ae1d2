"""`storage mv` and `storage rm`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import typer

from minato.cli.local.failures import CommandFailure, bold
from minato.cli.local.prompts import Console
from minato.cli.objects.address import below, is_folder, join, remote_path, split_path
from minato.cli.objects.listing import OBJECT_NOT_FOUND, all_paths
from minato.cli.objects.service import PAGE, ObjectService, ServiceRefusal

NOT_FOUND: Final = "not_found"
NO_BUCKET: Final = "Bucket not found"
NO_RECURSION: Final = "You must specify -r flag to delete directories."


def move(service: ObjectService, source: str, target: str, recursive: bool) -> None:
    """One object, or everything below a folder, to another place of its bucket. Raises `CommandFailure`."""
    (bucket, key), (other, new_key) = split_path(source), split_path(target)
    if not key and not new_key:
        raise CommandFailure("You must specify an object path")
    if bucket != other:
        raise CommandFailure("Moving between buckets is unsupported")
    typer.echo(f"Moving object: {source} => {target}", err=True)
    try:
        typer.echo(service.move(bucket, key, new_key), err=True)
    except ServiceRefusal as refusal:
        if not recursive or refusal.error != NOT_FOUND:
            raise
        _move_all(service, source, target)


def _move_all(service: ObjectService, source: str, target: str) -> None:
    if below(target, source) is not None:
        raise CommandFailure("A folder can't be moved into itself.")
    folder = f"{source.rstrip('/')}/"
    # All are known before the first is moved: moving changes the pages.
    found = [path for path in all_paths(service, folder) if path != folder]
    if not found:
        raise CommandFailure(OBJECT_NOT_FOUND.format(folder))
    for path in found:
        new = join(target, below(path, folder) or "")
        typer.echo(f"Moving object: {path} => {new}", err=True)
        bucket, key = split_path(path)
        service.move(bucket, key, split_path(new)[1])


def keys_by_bucket(addresses: Sequence[str], recursive: bool) -> Mapping[str, list[str]]:
    """What is to go, of each bucket; an empty key is all of it. Raises `CommandFailure`."""
    if not addresses and not recursive:
        raise CommandFailure(NO_RECURSION)
    found: dict[str, list[str]] = {}
    for path in map(remote_path, addresses):
        bucket, key = split_path(path)
        if not bucket:
            raise CommandFailure("You must specify a bucket to delete.")
        if is_folder(key) and not recursive:
            raise CommandFailure(NO_RECURSION)
        found.setdefault(bucket, []).append(key)
    return found


def remove(service: ObjectService, keys: Mapping[str, list[str]], recursive: bool, console: Console) -> None:
    """Delete objects, folders and buckets, each bucket's after a question; of all buckets where none is named."""
    for bucket, named in (keys or {bucket: [""] for bucket in service.buckets()}).items():
        if console.confirm(f"Confirm deleting files in bucket {bold(bucket)}?", False):
            _remove(service, bucket, named, recursive)


def _remove(service: ObjectService, bucket: str, keys: Sequence[str], recursive: bool) -> None:
    # What looks like a folder may be an object without an extension: the service knows.
    named = [key for key in keys if not is_folder(key)]
    removed = set(_delete(service, bucket, named))
    for key in keys:
        if key in removed:
            continue
        if not recursive:
            typer.echo(f"Object not found: {key}", err=True)
        else:
            _remove_folder(service, bucket, key.rstrip("/"))


def _remove_folder(service: ObjectService, bucket: str, folder: str) -> None:
    root = f"/{bucket}/{folder}/" if folder else f"/{bucket}/"
    found = [split_path(path)[1] for path in all_paths(service, root) if path != root]
    if folder and not found:
        raise CommandFailure(OBJECT_NOT_FOUND.format(root.removeprefix("/")))
    for start in range(0, len(found), PAGE):
        _delete(service, bucket, found[start : start + PAGE])
    if not folder:
        _remove_bucket(service, bucket)


def _remove_bucket(service: ObjectService, bucket: str) -> None:
    typer.echo(f"Deleting bucket: {bucket}", err=True)
    try:
        typer.echo(service.delete_bucket(bucket), err=True)
    except ServiceRefusal as refusal:
        if refusal.error != NO_BUCKET:
            raise
        typer.echo(f"{NO_BUCKET}: {bucket}", err=True)


def _delete(service: ObjectService, bucket: str, keys: Sequence[str]) -> list[str]:
    if not keys:
        return []
    typer.echo(f"Deleting objects: [{' '.join(keys)}]", err=True)
    return service.remove(bucket, keys)
