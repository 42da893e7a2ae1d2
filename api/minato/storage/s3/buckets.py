"""Buckets over S3."""

from __future__ import annotations

from minato.storage.buckets import BucketPage, find_bucket
from minato.storage.buckets import list_buckets as list_rows
from minato.storage.endpoints.buckets import NewBucket, make_bucket, remove_bucket
from minato.storage.errors import no_such_bucket
from minato.storage.reply import Reply, encode_headers, iso_time
from minato.storage.s3_wire.payload import S3Request, payload
from minato.storage.s3_wire.xml import XML, render_xml
from minato.storage.services import Services


async def list_buckets(services: Services, request: S3Request) -> Reply:
    """Those the caller sees."""
    async with services.transactions.as_caller(request) as connection:
        found = await list_rows(connection, BucketPage(sort_column="name"))
    buckets = [{"Name": row.name, "CreationDate": iso_time(row.created_at)} for row in found]
    return Reply(200, [XML], render_xml("ListAllMyBucketsResult", {"Buckets": {"Bucket": buckets}}))


async def create_bucket(services: Services, request: S3Request) -> Reply:
    """Public when the ACL says so; where it lies is not for the client to choose."""
    async for _ in payload(request):
        pass
    public = request.headers.get("x-amz-acl") in ("public-read", "public-read-write")
    await make_bucket(services, request, NewBucket(request.bucket, request.bucket, public))
    return Reply(200, encode_headers({"location": f"/{request.bucket}"}))


async def delete_bucket(services: Services, request: S3Request) -> Reply:
    await remove_bucket(services, request)
    return Reply(204)


async def head_bucket(services: Services, request: S3Request) -> Reply:
    await _require_visible(services, request)
    return Reply(200, encode_headers({"x-amz-bucket-region": services.s3.region}))


async def get_bucket_location(services: Services, request: S3Request) -> Reply:
    await _require_visible(services, request)
    # AWS writes this one as a bare text inside its root.
    body = render_xml("LocationConstraint", {})
    return Reply(200, [XML], body.replace(b"></", b">" + services.s3.region.encode() + b"</"))


async def get_bucket_versioning(services: Services, request: S3Request) -> Reply:
    await _require_visible(services, request)
    body = {"Status": "Suspended", "MfaDelete": "Disabled"}
    return Reply(200, [XML], render_xml("VersioningConfiguration", body))


async def _require_visible(services: Services, request: S3Request) -> None:
    async with services.transactions.as_caller(request) as connection:
        if await find_bucket(connection, request.bucket) is None:
            raise no_such_bucket()
