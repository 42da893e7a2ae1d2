"""boto3 against a running server, in a thread: it does not know of the event loop the server lives in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from tests.integration.storage.conftest import Storage


def s3_client(storage: Storage, token: str | None = None, region: str = "local", **config: Any) -> Any:
    """A client with the key pair, or a user's with the user's token."""
    keys = storage.minato.backend.api_keys
    pair = ("stub", keys.anon) if token else (keys.s3_access_key_id, keys.s3_access_key_secret)
    return boto3.client(
        "s3",
        endpoint_url=f"{storage.minato.url}/storage/v1/s3",
        region_name=region,
        aws_access_key_id=pair[0],
        aws_secret_access_key=pair[1],
        aws_session_token=token,
        config=Config(s3={"addressing_style": "path"}, retries={"max_attempts": 0}, **config),
    )


async def call(function: Callable[..., Any], **arguments: Any) -> Any:
    """Its result."""
    return await asyncio.to_thread(function, **arguments)


async def refusal(function: Callable[..., Any], **arguments: Any) -> tuple[int, str]:
    """HTTP status and code of the error it must raise."""
    try:
        await asyncio.to_thread(function, **arguments)
    except ClientError as error:
        return error.response["ResponseMetadata"]["HTTPStatusCode"], error.response["Error"]["Code"]
    raise AssertionError("the server did not refuse")
