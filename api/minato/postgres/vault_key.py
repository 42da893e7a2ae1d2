"""`vault.key`: the root keys of the vault, a line of 64 hexadecimal digits each, beside the cluster and never in it.

The first encrypts, all decrypt (`supabase_vault--0.3.1.sql` in share/extension reads them). Whoever has the database's
files or a dump of it without this file has no secret of the vault.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from minato.entropy import Entropy
from minato.kept_files import write_kept
from minato.postgres.account import Account, give_files
from minato.postgres.errors import PostgresError

KEY = re.compile(r"[0-9a-f]{64}")


def keep_vault_key(path: Path, account: Account) -> None:
    """Make the file with a key of its own, unless there is one."""
    if not path.exists():
        write_keys(path, [new_key()], account)


def prefer_key(path: Path, key: str, account: Account) -> None:
    """Let `key` encrypt from now on; those before it still decrypt. Raises `PostgresError` for what is none."""
    key = key.strip().lower()
    if not KEY.fullmatch(key):
        raise PostgresError("db.root_key in config.toml must be 64 hexadecimal digits.")
    keys = read_keys(path)
    if keys[:1] != [key]:
        write_keys(path, [key, *(other for other in keys if other != key)], account)


def new_key() -> str:
    """A line for the file."""
    return Entropy().bytes(32).hex()


def read_keys(path: Path) -> list[str]:
    """The keys in their order; none where there is no file."""
    try:
        return [word for word in path.read_text().split() if KEY.fullmatch(word)]
    except FileNotFoundError:
        return []


def write_keys(path: Path, keys: Sequence[str], account: Account) -> None:
    """Put them in the file's place in one step that outlasts a loss of power: what was encrypted needs them."""
    write_kept(path, "".join(f"{key}\n" for key in keys), partial(give_files, account=account))
