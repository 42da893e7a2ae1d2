"""The pure rules of storage: names, types, ranges, headers, cursors, validation."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from minato.clock import Clock
from minato.storage.backend.base import file_path
from minato.storage.content import (
    content_disposition,
    content_policy,
    require_honest_type,
    require_robots_tag,
    served_type,
)
from minato.storage.errors import StorageError
from minato.storage.limits import is_allowed, parse_mime_types, parse_size
from minato.storage.list_cursor import Cursor, parse_cursor
from minato.storage.names import require_bucket_name, require_key
from minato.storage.ranges import parse_range
from minato.storage.signed_url import UrlSigner
from minato.storage.signer import Seal
from minato.storage.validation import BUCKET_LIMITS, validate
from minato.tokens.caller import Caller
from minato.tokens.keys import KeySet, secret_key


@pytest.mark.parametrize("key", ["a", "a//b", ".hidden", "a b/c!-_.*'()&$@=;:+,?"])
def test_keys_that_are_taken(key: str) -> None:
    require_key(key)


@pytest.mark.parametrize("key", ["", "a#b", "ä", "a%b", "a\nb", "a\n", "..", "a/../b", "./a", "a\\b", "a\x00"])
def test_keys_that_are_refused(key: str) -> None:
    with pytest.raises(StorageError, match="Invalid key"):
        require_key(key)


@pytest.mark.parametrize("name", ["", " a", "a ", "a/b", "x--table-s3", "a" * 101, "ä"])
def test_bucket_names_that_are_refused(name: str) -> None:
    with pytest.raises(StorageError, match="Bucket name invalid"):
        require_bucket_name(name)


@given(st.text(max_size=40))
def test_no_bucket_name_escapes_the_folder_of_files(bucket: str) -> None:
    path = file_path(bucket, "0a1b")
    assert path.count("/") == 2
    assert "." not in path


@pytest.mark.parametrize(
    ("given_size", "size"),
    [(None, None), (0, 0), (60, 60), ("20MB", 20_000_000), ("1.5kb", 1500), ("12345b", 12300)],
)
def test_sizes(given_size: int | str | None, size: int | None) -> None:
    assert parse_size(given_size, 10**9) == size


@pytest.mark.parametrize(
    ("mime_type", "allowed", "fits"),
    [
        ("image/png", None, True),
        ("image/png", [], True),
        ("image/png", ["image/*"], True),
        ("image/png", ["*/*"], False),
        ("text/plain;charset=UTF-8", ["text/plain"], False),
        ("image/png", ["image/jpeg", "image/png"], True),
    ],
)
def test_types_a_bucket_takes(mime_type: str, allowed: list[str] | None, fits: bool) -> None:
    assert is_allowed(mime_type, allowed) is fits


def test_an_ill_formed_type_is_refused_and_an_empty_one_dropped() -> None:
    assert parse_mime_types(["", "image/*", "text/plain; charset=utf-8"]) == ["image/*", "text/plain; charset=utf-8"]
    with pytest.raises(StorageError, match="mime type thisisinvalid is not supported"):
        parse_mime_types(["thisisinvalid"])


@pytest.mark.parametrize(
    ("header", "size", "part"),
    [
        ("bytes=0-0", 10, (0, 1)),
        ("bytes=5-", 10, (5, 10)),
        ("bytes=-3", 10, (7, 10)),
        ("bytes=-30", 10, (0, 10)),
        ("bytes=2-99", 10, (2, 10)),
    ],
)
def test_ranges(header: str, size: int, part: tuple[int, int]) -> None:
    found = parse_range(header, size)
    assert found is not None
    assert (found.start, found.stop) == part


@pytest.mark.parametrize(
    ("header", "size"),
    [("bytes=10-", 10), ("bytes=3-2", 10), ("bytes=-", 10), ("bytes=0-", 0), ("lines=1-2", 10), ("bytes=0-1,3-4", 10)],
)
def test_ranges_that_can_not_be_served(header: str, size: int) -> None:
    with pytest.raises(StorageError, match="invalid range provided"):
        parse_range(header, size)


@given(st.text(max_size=30), st.integers(0, 100))
def test_any_range_header_gives_a_part_inside_the_file_or_a_refusal(header: str, size: int) -> None:
    try:
        found = parse_range(f"bytes={header}", size)
    except StorageError:
        return
    assert found is not None
    assert 0 <= found.start < found.stop <= size


def test_active_content_is_defused() -> None:
    assert served_type("TEXT/html; charset=utf-8") == "text/plain"
    assert served_type("image/svg+xml") == "image/svg+xml"
    assert "sandbox" in (content_policy("image/svg+xml") or "")
    assert content_policy("image/png") is None


def test_download_names_are_escaped() -> None:
    assert content_disposition(None) is None
    assert content_disposition("") == "attachment;"
    assert content_disposition('"\r\nx') == "attachment; filename=%22%0D%0Ax; filename*=UTF-8''%22%0D%0Ax"


@pytest.mark.parametrize(
    ("mime_type", "head", "honest"),
    [
        ("image/png", b"\x89PNG\r\n\x1a\n", True),
        ("image/png", b"\xff\xd8\xff\xe0", True),
        ("image/webp", b"RIFF\x00\x00\x00\x00WEBP", True),
        ("image/png", b"<svg onload=x>", False),
        ("application/pdf", b"MZ", False),
        ("text/csv", b"a,b", True),
    ],
)
def test_the_first_bytes_must_fit_the_type(mime_type: str, head: bytes, honest: bool) -> None:
    if honest:
        require_honest_type(mime_type, head)
    else:
        with pytest.raises(StorageError):
            require_honest_type(mime_type, head)


@pytest.mark.parametrize("header", ["noindex, nofollow", "googlebot: noindex", "max-snippet: 10", "all"])
def test_robots_tags_that_are_taken(header: str) -> None:
    require_robots_tag(header)


def test_a_robots_tag_that_is_refused_names_its_rule() -> None:
    with pytest.raises(StorageError, match='Invalid X-Robots-Tag rule: "x"'):
        require_robots_tag("noindex, x")


@given(st.text(max_size=60))
def test_any_cursor_is_read_or_refused(text: str) -> None:
    with suppress(StorageError):
        assert parse_cursor(text).after


@pytest.mark.parametrize("text", ["%", "%" + Cursor("a").encode(), Cursor("a").encode() + "\n", Cursor("").encode()])
def test_a_cursor_that_is_not_one_of_ours_is_refused(text: str) -> None:
    with pytest.raises(StorageError, match="continuation token"):
        parse_cursor(text)


def test_a_cursor_comes_back_as_it_was() -> None:
    cursor = Cursor("a/b:c.txt", "desc", "created_at", "2024-01-02T03:04:05.678Z")
    assert parse_cursor(cursor.encode()) == cursor


SCHEMA = {
    "type": "object",
    "required": ["n"],
    "properties": {
        "n": {"type": "integer", "minimum": 1},
        "list": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "flag": {"type": "boolean"},
        "sort": {"type": "object", "properties": {"column": {"type": "string", "enum": ["a"]}}},
        **BUCKET_LIMITS,
    },
}


@pytest.mark.parametrize(
    ("body", "checked"),
    [
        ({"n": "60", "flag": "true", "list": "x"}, {"n": 60, "flag": True, "list": ["x"]}),
        ({"n": [5], "unknown": None}, {"n": 5, "unknown": None}),
        ({"n": 1, "file_size_limit": "20MB"}, {"n": 1, "file_size_limit": "20MB"}),
        ({"n": 1, "file_size_limit": None}, {"n": 1, "file_size_limit": None}),
    ],
)
def test_bodies_are_coerced(body: dict[str, Any], checked: dict[str, Any]) -> None:
    assert validate(SCHEMA, body, "body") == checked


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (None, "body must be object"),
        ({}, "body must have required property 'n'"),
        ({"n": None}, "body/n must be >= 1"),
        ({"n": "x"}, "body/n must be integer"),
        ({"n": 1, "list": []}, "body/list must NOT have fewer than 1 items"),
        ({"n": 1, "sort": {"column": "b"}}, "body/sort/column must be equal to one of the allowed values"),
        (
            {"n": 1, "file_size_limit": "x"},
            "body/file_size_limit must be integer, body/file_size_limit must match pattern "
            '"^[0-9]+(?:\\.[0-9]+)?(?:[gG][bB]|[mM][bB]|[kK][bB]|[bB])$", '
            "body/file_size_limit must match a schema in anyOf",
        ),
    ],
)
def test_bodies_are_refused_in_ajvs_words(body: Any, message: str) -> None:
    with pytest.raises(StorageError) as refused:
        validate(SCHEMA, body, "body")
    assert refused.value.message == message


@pytest.mark.parametrize(("asked_again", "own"), [(True, ["signer"]), (False, [])])
def test_a_signed_url_carries_the_references_claims(asked_again: bool, own: list[str]) -> None:
    keys, clock = KeySet([secret_key("a-secret-of-at-least-thirty-two-characters")]), Clock()
    signer, someone = UrlSigner(keys, clock, Seal("key"), asked_again), Caller("authenticated", {"sub": "someone"})
    claims = keys.verify(signer.sign_upload("b", "k", someone, upsert=True, expires_in=60))
    assert list(claims) == ["owner", "url", "upsert", "scope", *own, "iat", "exp"]
    assert claims["exp"] - claims["iat"] == 60
    assert list(keys.verify(signer.sign_download("b", "k", 60))) == ["url", "scope", "iat", "exp"]


def test_a_token_without_a_scope_is_what_its_upsert_says() -> None:
    keys = KeySet([secret_key("a-secret-of-at-least-thirty-two-characters")])
    signer = UrlSigner(keys, Clock(), Seal("key"), asked_again=True)
    assert signer.verify_download(keys.sign({"url": "b/k"}), "b", "k")
    with pytest.raises(StorageError, match="not scoped for download"):
        signer.verify_download(keys.sign({"url": "b/k", "upsert": False}), "b", "k")
