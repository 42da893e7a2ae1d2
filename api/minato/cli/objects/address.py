"""Where an object is: `ss:///bucket/key`. Below, a path is what follows the two slashes: `/bucket/key`."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final
from urllib.parse import unquote, urlsplit

from minato.cli.local.failures import CommandFailure

SCHEME: Final = "ss"
PATTERN: Final = "URL must match pattern ss:///bucket/[prefix]"


def is_address(given: str) -> bool:
    """Whether it names an object, and no file of this machine.

    >>> is_address("ss:///pictures/a.png"), is_address("SS:///pictures"), is_address("ss/a.png")
    (True, True, False)
    """
    return urlsplit(given).scheme == SCHEME


def remote_path(address: str) -> str:
    """The path of an address, of which percent signs may stand for characters. Raises `CommandFailure`.

    >>> remote_path("ss:///pictures/a%3Fb c.png"), remote_path("ss:///")
    ('/pictures/a?b c.png', '/')
    """
    parts = urlsplit(address)
    if parts.scheme != SCHEME or parts.netloc or not parts.path:
        raise CommandFailure(PATTERN)
    if parts.query or parts.fragment:
        # The CLI leaves out what follows, and would take another object than the one that was meant.
        raise CommandFailure(PATTERN, "Write %3F for a question mark, %23 for a number sign.")
    return unquote(parts.path)


def split_path(path: str) -> tuple[str, str]:
    """Bucket and key, both of which may be empty.

    >>> split_path("/pictures/a/b.png"), split_path("/pictures/"), split_path("/pictures"), split_path("/")
    (('pictures', 'a/b.png'), ('pictures', ''), ('pictures', ''), ('', ''))
    """
    bucket, _, key = path.removeprefix("/").partition("/")
    return bucket, key


def is_folder(name: str) -> bool:
    """Whether a key or path can only be a folder.

    >>> is_folder(""), is_folder("a/"), is_folder("a")
    (True, True, False)
    """
    return not name or name.endswith("/")


def below(path: str, root: str) -> str | None:
    """What of `path` is left behind `root`, a folder or the object itself; None for what only begins like it.

    Never a path of its own: a key may begin with a slash, and whoever may upload chooses it.

    >>> below("/b/docs/a.md", "/b/docs"), below("/b/docs/a.md", "/b/docs/"), below("/b/a", "/"), below("/b/a", "/b/a")
    ('a.md', 'a.md', 'b/a', '')
    >>> below("/b//etc/hosts", "/b"), below("/b/docs2/a.md", "/b/docs") is None
    ('etc/hosts', True)
    """
    folder = root.rstrip("/")
    if path == folder:
        return ""
    return path[len(folder) :].lstrip("/") if path.startswith(f"{folder}/") else None


def join(path: str, name: str) -> str:
    """A path with a name behind it, both of which may be empty.

    >>> join("/", "docs"), join("/b/docs/", "a.md"), join("/b/a.md", "")
    ('/docs', '/b/docs/a.md', '/b/a.md')
    """
    return str(PurePosixPath(path) / name)
