"""The parts every endpoint of this room works with."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from api.clock import Clock
from api.config.storage import StorageSettings
from api.entropy import Entropy
from api.storage.backend.namespace import Namespace
from api.storage.imaging.cache import PictureCache
from api.storage.imaging.pool import ImagePool
from api.storage.installation import Installation
from api.storage.s3.caller import S3Credentials
from api.storage.signed_url import UrlSigner
from api.storage.transactions import Transactions
from api.storage.tus.upload_folder import UploadFolder
from api.tokens.keys import KeySet


@dataclass(frozen=True)
class Services:
    """Of one backend; passed to each endpoint. `base_url` is the room's, where the operator says what it is."""

    settings: StorageSettings
    clock: Clock
    entropy: Entropy
    keys: KeySet
    transactions: Transactions
    installation: Installation
    files: Namespace
    uploads: UploadFolder
    images: ImagePool
    pictures: PictureCache
    signer: UrlSigner
    s3: S3Credentials
    base_url: str | None
    log: structlog.stdlib.BoundLogger
