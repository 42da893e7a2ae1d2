"""Who may speak S3: signatures of every kind, bodies that are not what was signed, users under their policies."""

from __future__ import annotations

import hashlib
import zlib
from base64 import b64encode
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from minato.storage.s3_wire.chunked import SIGNED, SIGNED_TRAILER, UNSIGNED_TRAILER
from minato.storage.s3_wire.signature import Signer, canonical_request, read_signature

from tests.integration.storage.conftest import Storage
from tests.integration.storage.s3_client import call, refusal, s3_client
from tests.integration.storage.test_policies import POLICIES
from tests.support.examples import of_hundred

EMPTY = hashlib.sha256().hexdigest()


class Client:
    """Signs by hand, so that it can do wrong."""

    def __init__(self, storage: Storage, secret: str | None = None, service: str = "s3", region: str = "local") -> None:
        self.keys = storage.minato.backend.api_keys
        self.secret = secret or self.keys.s3_access_key_secret
        self.scope = f"{service}/aws4_request"
        self.region = region
        self.clock = storage.minato.backend.clock
        self.url = storage.minato.url

    def request(
        self, method: str, path: str, payload_hash: str = "UNSIGNED-PAYLOAD", query: str = "", **headers: str
    ) -> tuple[httpx.Request, Signer, str]:
        """The request without its body, what signed it, and the signature."""
        time = self.clock.now().strftime("%Y%m%dT%H%M%SZ")
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        sent |= {"host": self.url.removeprefix("http://"), "x-amz-date": time, "x-amz-content-sha256": payload_hash}
        credential = f"{self.keys.s3_access_key_id}/{time[:8]}/{self.region}/{self.scope}"
        said = f"AWS4-HMAC-SHA256 Credential={credential}, SignedHeaders={';'.join(sent)}, Signature="
        known = read_signature({**sent, "authorization": said + "0"}, {})
        signer = Signer.of(self.secret, known)
        raw = [(name.encode(), value.encode()) for name, value in sent.items()]
        signature = signer.sign_request(canonical_request(method, f"/storage/v1/s3{path}", query, raw, known))
        url = f"{self.url}/storage/v1/s3{path}" + (f"?{query}" if query else "")
        return httpx.Request(method, url, headers={**sent, "authorization": said + signature}), signer, signature


async def send(request: httpx.Request, body: bytes = b"") -> httpx.Response:
    headers = {**request.headers, "content-length": str(len(body))}
    async with httpx.AsyncClient() as client:
        return await client.request(request.method, request.url, headers=headers, content=body)


def code(answer: httpx.Response) -> str:
    return answer.text.partition("<Code>")[2].partition("</Code>")[0]


def chunks(signer: Signer, seed: str, pieces: list[bytes], trailer: str | None = None) -> bytes:
    """An aws-chunked body as a client makes it, signed piece by piece."""
    body, previous = b"", seed
    for piece in (*pieces, b""):
        previous = signer.sign("AWS4-HMAC-SHA256-PAYLOAD", previous, EMPTY, hashlib.sha256(piece).hexdigest())
        body += f"{len(piece):x};chunk-signature={previous}\r\n".encode() + piece + (b"\r\n" if piece else b"")
    if trailer is not None:
        signed = signer.sign("AWS4-HMAC-SHA256-TRAILER", previous, hashlib.sha256(f"{trailer}\n".encode()).hexdigest())
        body += f"{trailer}\r\nx-amz-trailer-signature:{signed}\r\n".encode()
    return body + b"\r\n"


async def test_a_body_in_signed_pieces_is_unpacked_and_every_piece_checked(storage: Storage) -> None:
    bucket, client = await storage.bucket(), Client(storage)
    pieces = [b"a" * 70_000, b"b" * 10]
    put, signer, seed = client.request("PUT", f"/{bucket}/k", SIGNED, x_amz_decoded_content_length="70010")
    body = chunks(signer, seed, pieces)
    assert (await send(put, body)).status_code == 200
    async with storage.service() as service:
        assert (await service.get(f"/object/{bucket}/k")).content == b"".join(pieces)
    put, signer, seed = client.request("PUT", f"/{bucket}/other", SIGNED, x_amz_decoded_content_length="70010")
    body = chunks(signer, seed, pieces)
    for broken, expected in (
        (body.replace(b"bbb", b"bbc", 1), "SignatureDoesNotMatch"),
        (body[:-90], "InvalidRequest"),
        (body.replace(b";chunk-signature", b";x", 1), "InvalidRequest"),
        (body + b"more", "InvalidRequest"),
        (b"zz\r\n", "InvalidRequest"),
        (b"f" * 5000, "InvalidRequest"),
    ):
        assert code(await send(put, broken)) == expected
    assert await storage.orphans() == 0


@pytest.mark.parametrize("kind", [SIGNED_TRAILER, UNSIGNED_TRAILER])
async def test_a_checksum_behind_the_body_is_compared(storage: Storage, kind: str) -> None:
    bucket, client, content = await storage.bucket(), Client(storage), b"0123456789"
    good = b64encode(zlib.crc32(content).to_bytes(4, "big")).decode()
    for value, expected in ((good, ""), ("AAAAAA==", "BadDigest")):
        put, signer, seed = client.request(
            "PUT", f"/{bucket}/k", kind, x_amz_decoded_content_length="10", x_amz_trailer="x-amz-checksum-crc32"
        )
        trailer = f"x-amz-checksum-crc32:{value}"
        plain = b"a\r\n" + content + b"\r\n0\r\n" + f"{trailer}\r\n\r\n".encode()
        body = plain if kind == UNSIGNED_TRAILER else chunks(signer, seed, [content], trailer)
        assert code(await send(put, body)) == expected
        if kind == SIGNED_TRAILER:
            forged = body.replace(b"x-amz-trailer-signature:", b"x-amz-trailer-signature:0")
            assert code(await send(put, forged)) == "SignatureDoesNotMatch"


async def test_a_body_that_is_not_what_was_announced_is_not_kept(storage: Storage) -> None:
    bucket, client = await storage.bucket(), Client(storage)
    other = b64encode(hashlib.md5(b"other").digest()).decode()
    cases = [
        (hashlib.sha256(b"other").hexdigest(), {}, "XAmzContentSHA256Mismatch"),
        ("UNSIGNED-PAYLOAD", {"content_md5": other}, "BadDigest"),
        ("UNSIGNED-PAYLOAD", {"x_amz_checksum_sha1": other}, "BadDigest"),
        ("nonsense", {}, "AccessDenied"),
        (UNSIGNED_TRAILER, {"x_amz_decoded_content_length": "9"}, "IncompleteBody"),
    ]
    for payload_hash, headers, expected in cases:
        put, _, _ = client.request("PUT", f"/{bucket}/k", payload_hash, **headers)
        body = b"4\r\nbody\r\n0\r\n\r\n" if payload_hash == UNSIGNED_TRAILER else b"body"
        assert code(await send(put, body)) == expected
    assert await storage.orphans() == 0
    async with storage.service() as service:
        assert (await service.get(f"/object/{bucket}/k")).json()["code"] == "NoSuchKey"


async def test_a_signature_that_is_wrong_old_or_missing_is_refused(storage: Storage) -> None:
    bucket = await storage.bucket()
    path = f"/{bucket}/k"
    good, _, _ = Client(storage).request("GET", path)
    cases = [
        (Client(storage, secret="other").request("GET", path)[0], 403, "SignatureDoesNotMatch"),
        (Client(storage, service="sts").request("GET", path)[0], 403, "AccessDenied"),
        (Client(storage, region="mars").request("GET", path)[0], 403, "AccessDenied"),
        (Client(storage, region="us-east-1").request("GET", path)[0], 404, "NoSuchKey"),
        (httpx.Request("GET", good.url), 403, "AccessDenied"),
        (httpx.Request("GET", good.url, headers={**good.headers, "x-amz-acl": "x"}), 403, "AccessDenied"),
        (httpx.Request("GET", good.url, headers={"authorization": "AWS4-HMAC-SHA256 x"}), 400, "InvalidSignature"),
        (httpx.Request("DELETE", good.url, headers=good.headers), 403, "SignatureDoesNotMatch"),
        (httpx.Request("GET", good.url.copy_with(path=f"{good.url.path}2"), headers=good.headers), 403, None),
    ]
    for request, status, expected in cases:
        answer = await send(request)
        assert (answer.status_code, code(answer)) == (status, expected or "SignatureDoesNotMatch")
    clock = storage.minato.backend.clock
    for delta in (timedelta(minutes=16), timedelta(minutes=-16)):
        clock.advance(delta)
        try:
            assert code(await send(good)) == "RequestTimeTooSkewed"
        finally:
            clock.advance(-delta)


@pytest.fixture
async def users(storage: Storage) -> Any:
    """A private bucket under the usual policies, its name, and two people's clients."""
    bucket = await storage.bucket()
    for action, rule in POLICIES.items():
        sql = f'create policy "{action} {bucket}" on storage.objects {rule.format(bucket=bucket)}'
        await storage.minato.db.execute(sql)
    names = [str(uuid4()), str(uuid4())]
    yield bucket, names, [s3_client(storage, storage.minato.token(name)) for name in names]
    for action in POLICIES:
        await storage.minato.db.execute(f'drop policy "{action} {bucket}" on storage.objects')


@pytest.mark.parametrize("date", ["soon", "Mon, 01 Jan 99999999999999999999 00:00:00 GMT"])
@pytest.mark.parametrize("condition", ["modified", "unmodified"])
async def test_a_copy_since_no_moment_at_all_is_refused(storage: Storage, condition: str, date: str) -> None:
    bucket = await storage.bucket()
    put, _, _ = Client(storage).request("PUT", f"/{bucket}/k")
    assert (await send(put, b"x")).status_code == 200
    headers = {"x_amz_copy_source": f"{bucket}/k", f"x_amz_copy_source_if_{condition}_since": date}
    copy, _, _ = Client(storage).request("PUT", f"/{bucket}/copy", **headers)
    answer = await send(copy)
    assert (answer.status_code, code(answer)) == (400, "InvalidParameter")


async def test_a_users_token_brings_the_users_policies(storage: Storage, users: Any) -> None:
    bucket, (owner_id, _), (owner, stranger) = users
    place = {"Bucket": bucket, "Key": f"{owner_id}/k"}
    await call(owner.put_object, **place, Body=b"mine")
    upload = {**place, "UploadId": (await call(owner.create_multipart_upload, **place))["UploadId"]}
    source = {"Bucket": bucket, "Key": place["Key"]}
    refused: list[tuple[Any, dict[str, Any]]] = [
        (stranger.put_object, {**place, "Body": b"x"}),
        (stranger.create_multipart_upload, place),
        (stranger.upload_part, {**upload, "PartNumber": 1, "Body": b"x"}),
        (stranger.upload_part_copy, {**upload, "PartNumber": 1, "CopySource": source}),
        (stranger.complete_multipart_upload, upload),
        (stranger.abort_multipart_upload, upload),
        (stranger.list_parts, upload),
        (stranger.delete_object, place),
        (stranger.create_bucket, {"Bucket": "theirs"}),
    ]
    for function, arguments in refused:
        assert (await refusal(function, **arguments))[0] in (403, 404), function
    for function in (stranger.get_object, stranger.head_object, stranger.get_object_tagging):
        assert (await refusal(function, **place))[0] == 404
    assert (await refusal(stranger.copy_object, Bucket=bucket, Key="k", CopySource=source))[1] == "NoSuchKey"
    assert (await call(stranger.list_buckets))["Buckets"] == []
    assert (await refusal(stranger.head_bucket, Bucket=bucket))[0] == 404
    assert (await refusal(stranger.delete_bucket, Bucket=bucket))[0] in (404, 409)
    assert "Contents" not in await call(stranger.list_objects_v2, Bucket=bucket)
    assert "Contents" not in await call(stranger.list_objects, Bucket=bucket)
    assert "Uploads" not in await call(stranger.list_multipart_uploads, Bucket=bucket)
    kept = await call(stranger.delete_objects, Bucket=bucket, Delete={"Objects": [{"Key": place["Key"]}]})
    assert kept["Errors"][0]["Code"] == "AccessDenied"
    one = await call(owner.upload_part, **upload, PartNumber=1, Body=b"parts")
    parts = {"Parts": [{"PartNumber": 1, "ETag": one["ETag"]}]}
    await call(owner.complete_multipart_upload, **upload, MultipartUpload=parts)
    assert [item["Size"] for item in (await call(owner.list_objects_v2, Bucket=bucket))["Contents"]] == [5]
    await call(owner.delete_object, **place)
    assert await storage.orphans() == 0


async def test_a_token_that_is_no_longer_good_opens_nothing(storage: Storage) -> None:
    bucket = await storage.bucket()
    for token in ("nonsense", storage.minato.token(str(uuid4()), exp=1)):
        assert (await refusal(s3_client(storage, token).list_objects_v2, Bucket=bucket))[0] == 403


@settings(max_examples=of_hundred(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    method=st.sampled_from(["GET", "PUT", "POST", "DELETE", "HEAD"]),
    key=st.text("ab/%.&é <", max_size=5),
    query=st.dictionaries(
        st.sampled_from(["uploads", "uploadId", "partNumber", "delete", "list-type", "max-keys", "marker", "versions"]),
        st.text("0129-az%&", max_size=4),
        max_size=3,
    ),
    payload_hash=st.sampled_from(["UNSIGNED-PAYLOAD", SIGNED, UNSIGNED_TRAILER, EMPTY, "x"]),
    body=st.one_of(st.binary(max_size=40), st.just(b"<Delete><Object><Key>a</Key></Object></Delete>")),
)
async def test_whatever_is_asked_gets_an_answer_and_leaves_no_file_without_a_row(
    storage: Storage, method: str, key: str, query: dict[str, str], payload_hash: str, body: bytes
) -> None:
    url = httpx.URL("http://x", path=f"/b/{key}", params=query)
    raw = url.raw_path.decode()
    path, _, text = raw.partition("?")
    request, _, _ = Client(storage).request(method, path, payload_hash, text)
    answer = await send(request, body)
    assert answer.status_code < 500 or answer.status_code == 501, answer.text
    assert await storage.orphans() == 0
