"""Copies of objects on this machine, where the service or a name in it is not to be trusted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from minato.cli.local.failures import CommandFailure
from minato.cli.objects.change import move
from minato.cli.objects.download import download, download_all
from minato.cli.objects.service import ObjectService, content_type


def service(objects: dict[str, bytes | None]) -> ObjectService:
    """One with a bucket `b`; of an object without bytes half comes, then the line is cut."""

    def cut() -> Iterator[bytes]:
        yield b"half"
        raise httpx.ReadError("cut off")

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/object/list/b":
            return httpx.Response(200, json=[{"name": name, "id": "1"} for name in objects])
        if request.url.path == "/object/move":
            return httpx.Response(400, json={"error": "not_found"})
        found = objects[request.url.path.removeprefix("/object/b/")]
        return httpx.Response(200, content=cut() if found is None else found)

    return ObjectService(httpx.Client(base_url="http://storage", transport=httpx.MockTransport(answer)))


@pytest.mark.parametrize("name", ["../out.txt", "a/../../out.txt", ".."])
def test_no_object_is_written_outside_of_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(CommandFailure, match="would lie outside of"):
        download_all(service({"good.txt": b"good", name: b"bad"}), "/b/", tmp_path / "in", jobs=2)
    assert list(tmp_path.iterdir()) == []


def test_an_object_whose_name_is_a_path_of_this_machine_lies_below_the_folder(tmp_path: Path) -> None:
    """A key may begin with a slash, and whoever may upload chooses it."""
    download_all(service({"good.txt": b"good", f"{tmp_path}/out.txt": b"bad"}), "/b/", tmp_path / "in", jobs=2)
    assert list(tmp_path.iterdir()) == [tmp_path / "in"]
    assert (tmp_path / "in" / str(tmp_path).lstrip("/") / "out.txt").read_bytes() == b"bad"


def test_a_name_with_a_slash_too_many_is_moved_to_its_place() -> None:
    moved: list[object] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked = json.loads(request.content)
        if request.url.path == "/object/list/b":
            return httpx.Response(200, json=[{"name": "/a.md", "id": "1"}])
        moved.append(asked["destinationKey"])
        return httpx.Response(400 if len(moved) == 1 else 200, json={"error": "not_found", "message": "moved"})

    storage = ObjectService(httpx.Client(base_url="http://storage", transport=httpx.MockTransport(answer)))
    move(storage, "/b/docs", "/b/new", recursive=True)
    assert moved == ["new", "new/a.md"]


def test_half_a_file_is_never_left(tmp_path: Path) -> None:
    with pytest.raises(httpx.ReadError):
        download(service({"a": None}), "/b/a", tmp_path / "a")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "a").write_text("before")
    with pytest.raises(httpx.ReadError):
        download_all(service({"a": None}), "/b/a", tmp_path / "b" / "a", jobs=1)
    assert [path.name for path in tmp_path.iterdir()] == ["b"]
    assert [(path.name, path.read_text()) for path in (tmp_path / "b").iterdir()] == [("a", "before")]


def test_a_folder_is_not_moved_into_itself() -> None:
    with pytest.raises(CommandFailure, match="moved into itself"):
        move(service({}), "/b/docs", "/b/docs/old", recursive=True)


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.png", b"", "image/png"),
        ("LICENSE", b"words", "text/plain; charset=utf-8"),
        ("cut", "é".encode() * 300, "text/plain; charset=utf-8"),
        ("odd", b"x" + "é".encode() * 300, "text/plain; charset=utf-8"),
        ("bytes", b"\xff\xfe", "application/octet-stream"),
        ("zero", b"a\0b", "application/octet-stream"),
    ],
)
def test_the_type_of_a_file_is_that_of_its_name_or_its_bytes(
    tmp_path: Path, name: str, content: bytes, expected: str
) -> None:
    (tmp_path / name).write_bytes(content)
    assert content_type(tmp_path / name) == expected
