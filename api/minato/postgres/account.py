"""Whose rights PostgreSQL runs with: it refuses to be root, so root gives it another face.

In a user namespace root appears to PostgreSQL as an unprivileged user while its files stay root's; where a container
forbids namespaces, PostgreSQL runs as that unprivileged user and owns its files.
"""

from __future__ import annotations

import os
import pwd
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from minato.postgres.errors import PostgresError

Mode = Literal["direct", "namespace", "setuid"]


@dataclass(frozen=True)
class Account:
    """`uid` and `gid` are what PostgreSQL believes to be; `owner` is whom its files belong to on the disk."""

    mode: Mode
    uid: int
    gid: int

    @property
    def owner(self) -> int:
        """The user id outside that PostgreSQL's files must have."""
        return self.uid if self.mode == "setuid" else os.geteuid()

    def without_namespace(self) -> Account:
        """The next best account when the namespace was refused."""
        return Account("setuid", self.uid, self.gid)


def choose_account(cluster: Path) -> Account:
    """The account for the files in `cluster`: what they were created with, else the best this system offers."""
    if os.geteuid() != 0:
        return Account("direct", os.geteuid(), os.getegid())
    uid, gid = unprivileged_user()
    namespaces = sys.platform == "linux" and not (cluster.exists() and cluster.stat().st_uid == uid)
    return Account("namespace" if namespaces else "setuid", uid, gid)


def unprivileged_user() -> tuple[int, int]:
    """User and group id of `nobody`, or of any user that is not root: initdb looks the name up."""
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        others = [candidate for candidate in pwd.getpwall() if candidate.pw_uid > 0]
        if not others:
            raise PostgresError("PostgreSQL can't run as root and this system has no other user.") from None
        entry = others[-1]
    # macOS counts nobody as -2.
    return entry.pw_uid % 2**32, entry.pw_gid % 2**32


def give_files(folder: Path, account: Account) -> None:
    """Make everything in `folder` the account's; the folder itself comes last, so that an interruption is repeated."""
    if os.geteuid() != 0 or not folder.exists() or folder.stat().st_uid == account.owner:
        return
    group = account.gid if account.mode == "setuid" else 0
    for parent, folders, files in os.walk(folder, topdown=False):
        for name in [*folders, *files]:
            os.lchown(os.path.join(parent, name), account.owner, group)
    os.lchown(folder, account.owner, group)
