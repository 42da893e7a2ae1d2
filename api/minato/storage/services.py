"""The parts every endpoint of this room works with."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from minato.clock import Clock
from minato.config.storage import StorageSettings
from minato.entropy import Entropy
from minato.http.body_memory import BodyMemory
from minato.storage.backend.namespace import Namespace
from minato.storage.imaging.cache import PictureCache
from minato.storage.imaging.pool import ImagePool
from minato.storage.installation import Installation
from minato.storage.removals import Removals
from minato.storage.s3_wire.caller import S3Credentials
from minato.storage.signed_url import UrlSigner
from minato.storage.transactions import Transactions
from minato.storage.tus.uploads import Uploads
from minato.storage.writers import KnownWriters
from minato.tokens.keys import TokenKeys
from minato.why.hints import Hints


@dataclass(frozen=True)
class Services:
    """Of one backend; passed to each endpoint. `base_url` is the room's, where the operator says what it is."""

    settings: StorageSettings
    clock: Clock
    entropy: Entropy
    keys: TokenKeys
    transactions: Transactions
    installation: Installation
    files: Namespace
    removals: Removals
    uploads: Uploads
    bodies: BodyMemory
    images: ImagePool
    pictures: PictureCache
    writers: KnownWriters
    signer: UrlSigner
    s3: S3Credentials
    base_url: str | None
    log: structlog.stdlib.BoundLogger
    hints: Hints | None
