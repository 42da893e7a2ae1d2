"""A whole data folder of release 0.1 is opened by this one: keys, passwords, sessions, rows and files are all there."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.support.command import run_minato, served
from tests.support.former_folder import MEMBER, FormerFolder, lay_former_folder, rows_by_table
from tests.support.made_start import made_start

Opened = Callable[[Path], AbstractContextManager[Mapping[str, Any]]]


@contextmanager
def by_serve(folder: Path) -> Iterator[Mapping[str, Any]]:
    with served(folder) as server:
        yield server.info


@pytest.mark.parametrize("opened", [by_serve, made_start])
def test_a_folder_of_the_former_release_is_opened_with_nothing_lost(tmp_path: Path, opened: Opened) -> None:
    folder = tmp_path / "data"
    former = lay_former_folder(folder)
    with opened(folder) as info:
        assert {name: info[name] for name in former.keys} == former.keys
        holds_its_people(info, former)
        holds_its_files(info, former)
        login = urlsplit(info["db_url"])
        assert (login.username, login.password) == ("postgres", former.password)
        assert former.rows["auth.users"] == 22
        assert rows_by_table(info["db_url"]).items() >= former.rows.items()
    assert (folder / "postgres.password").read_text() == former.password
    # What the first start has brought up to date the second finds as it is, whoever starts it.
    with served(folder) as again:
        assert {name: again.info[name] for name in former.keys} == former.keys
        holds_its_files(again.info, former)
        assert rows_by_table(again.info["db_url"]).items() >= former.rows.items()


def test_its_keys_are_printed_before_it_was_ever_opened(tmp_path: Path) -> None:
    former = lay_former_folder(tmp_path / "data")
    printed = run_minato("keys", "--json", "--data-dir", str(tmp_path / "data"))
    assert httpx.Response(200, text=printed.stdout).json().items() >= former.keys.items()


def holds_its_people(info: Mapping[str, Any], former: FormerFolder) -> None:
    """The session goes on by either token, and the password is the one that was chosen."""
    auth, headers = f"{info['url']}/auth/v1", {"apikey": info["anon_key"]}
    bearer = {**headers, "authorization": f"Bearer {former.access_token}"}
    assert httpx.get(f"{auth}/user", headers=bearer).json()["email"] == MEMBER
    token = {"refresh_token": former.refresh_token}
    renewed = httpx.post(f"{auth}/token?grant_type=refresh_token", json=token, headers=headers)
    assert renewed.status_code == 200, renewed.text
    words = {"email": MEMBER, "password": "minato-demo"}
    assert httpx.post(f"{auth}/token?grant_type=password", json=words, headers=headers).status_code == 200


def holds_its_files(info: Mapping[str, Any], former: FormerFolder) -> None:
    headers = {"authorization": f"Bearer {info['service_role_key']}"}
    for file in former.files:
        answer = httpx.get(f"{info['url']}/storage/v1/object/authenticated/{file.bucket}/{file.name}", headers=headers)
        assert answer.status_code == 200, answer.text
        assert hashlib.md5(answer.content, usedforsecurity=False).hexdigest() == file.md5
