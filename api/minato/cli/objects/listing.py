"""What there is below a path, page by page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Final

import typer

from minato.cli.objects.address import is_folder, split_path
from minato.cli.objects.service import PAGE, ObjectService

OBJECT_NOT_FOUND: Final = "Object not found: {}"


def names(service: ObjectService, path: str) -> Iterator[str]:
    """The names that begin as the last part of a path does; those of folders and buckets end with a slash."""
    bucket, prefix = split_path(path)
    if not bucket or (not prefix and not is_folder(path)):
        yield from (f"{name}/" for name in service.buckets() if name.startswith(bucket))
        return
    for number in count():
        page = service.page(bucket, prefix, number)
        yield from page
        if len(page) < PAGE:
            return
        typer.echo(f"Loading page: {number + 1}", err=True)


def all_paths(service: ObjectService, path: str) -> Iterator[str]:
    """The paths of all objects that begin so, however deep; of a bucket without any its own, with a slash."""
    folders = [path]
    while folders:
        folder = folders.pop()
        parent, found = folder[: folder.rindex("/") + 1], False
        for name in names(service, folder):
            found = True
            if is_folder(name):
                folders.append(parent + name)
            else:
                yield parent + name
        bucket, prefix = split_path(folder)
        if not found and bucket and not prefix and is_folder(folder):
            yield folder
