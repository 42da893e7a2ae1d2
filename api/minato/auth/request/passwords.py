"""Password hashing: bcrypt for new passwords; argon2 and Firebase's scrypt are verified too.

Hashing takes tens of milliseconds of a core, so it runs in the process's threads, one for each core, never in the loop.
`password_queue` says whose turn it is.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re

import bcrypt
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from minato.auth.request.password_queue import PasswordQueue
from minato.entropy import Entropy
from minato.workers import Workers

COST = 10
UNGUESSABLE_BYTES = 32
# Compared when there is no account, so that the time taken does not tell.
_NOBODY = "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"
_FIREBASE = re.compile(
    r"\$fbscrypt\$v=1,n=(?P<n>\d+),r=(?P<r>\d+),p=(?P<p>\d+)(?:,ss=(?P<ss>[^,$]*))?(?:,sk=(?P<sk>[^,$]+))?"
    r"\$(?P<salt>[^$]+)\$(?P<hash>.+)"
)


class Passwords:
    """Hashes and verifies in a bounded pool of threads; `address` is who asks. Raises QueueFull."""

    def __init__(self, waiting_for_each_thread: int, workers: Workers) -> None:
        self._unguessable = ""
        at_once = workers.processors
        self.queue = PasswordQueue(workers.passwords, at_once, at_once * waiting_for_each_thread)

    async def hash(self, password: str, address: str) -> str:
        """A `$2a$` bcrypt hash. `password` has at most 72 bytes."""
        return await self.queue.run(address, hash_password, password)

    async def verify(self, password: str, hashed: str | None, address: str) -> bool:
        """Whether `password` belongs to `hashed`; without a hash it takes as long and is False."""
        fits = await self.queue.run(address, verify_password, password, hashed or _NOBODY)
        return fits and bool(hashed)

    async def unguessable(self, entropy: Entropy, address: str) -> str:
        """The hash of a password nobody knows, for accounts opened without one. It is made once: hashing again for
        every such account would only tell, by the time it takes, that there was none before."""
        if not self._unguessable:
            self._unguessable = await self.hash(entropy.bytes(UNGUESSABLE_BYTES).hex(), address)
        return self._unguessable


def hash_password(password: str) -> str:
    """bcrypt at cost 10 with the prefix GoTrue writes."""
    return bcrypt.hashpw(password.encode(), bcrypt.gensalt(COST, prefix=b"2a")).decode()


def is_supported_hash(hashed: str) -> bool:
    """Whether a password can be verified against `hashed` at all."""
    if hashed.startswith("$fbscrypt"):
        return _FIREBASE.fullmatch(hashed) is not None
    return re.match(r"\$(?:2[abxy]\$\d\d\$.{53}$|argon2id?\$v=\d+\$)", hashed) is not None


def verify_password(password: str, hashed: str) -> bool:
    """Whether the password fits a bcrypt, argon2, $fbscrypt or crypt(3) hash; False for a hash of another kind."""
    if hashed.startswith("$argon2"):
        return _verify_argon2(password, hashed)
    if hashed.startswith("$fbscrypt"):
        return _verify_firebase(password, hashed)
    if hashed.startswith(("$5$", "$6$")):
        return _verify_crypt(password, hashed)
    secret = password.encode()
    if len(secret) > 72:
        return False
    try:
        return bcrypt.checkpw(secret, hashed.encode())
    except ValueError:
        return False


def _verify_argon2(password: str, hashed: str) -> bool:
    import argon2  # no hash made here needs it
    from argon2.exceptions import Argon2Error, InvalidHashError

    try:
        return argon2.PasswordHasher().verify(hashed, password)
    except (Argon2Error, InvalidHashError):
        return False


def _verify_crypt(password: str, hashed: str) -> bool:
    """What crypt() makes in the embedded PostgreSQL, where a seed may hash its passwords."""
    from passlib.hash import sha256_crypt, sha512_crypt  # only seeded accounts need it

    scheme = sha512_crypt if hashed.startswith("$6$") else sha256_crypt
    try:
        return bool(scheme.verify(password, hashed))
    except (ValueError, TypeError):
        return False


def _verify_firebase(password: str, hashed: str) -> bool:
    """Firebase encrypts its signer key with a key scrypt makes of the password; the ciphertext is the hash."""
    match = _FIREBASE.fullmatch(hashed)
    if match is None:
        return False
    try:
        salt = base64.b64decode(match["salt"]) + base64.b64decode(match["ss"] or "")
        signer, expected = base64.b64decode(match["sk"] or ""), base64.b64decode(match["hash"])
        rounds, block, parallel = 1 << int(match["n"]), int(match["r"]), int(match["p"])
        key = hashlib.scrypt(
            password.encode(), salt=salt, n=rounds, r=block, p=parallel, maxmem=256 * rounds * block, dklen=32
        )
    except (binascii.Error, ValueError, OverflowError):
        return False
    encryptor = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
    return hmac.compare_digest(encryptor.update(signer) + encryptor.finalize(), expected)
