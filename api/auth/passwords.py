"""Password hashes: bcrypt for new ones, and the formats of imported users; and the rules a new password must meet.

A hash costs some 60 ms of CPU, so it is made in a small pool of threads, never on the event loop.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import bcrypt
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from passlib.hash import sha256_crypt, sha512_crypt

from api.auth.errors import AuthError, WeakPasswordError, invalid
from api.config.auth import AuthSettings

COST = 10
LONGEST_BYTES = 72
QUEUE = 64
T = TypeVar("T")


class Passwords:
    """Hashes and checks passwords in threads; with more than `QUEUE` waiting it refuses instead of growing."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(max_workers=os.cpu_count() or 1, thread_name_prefix="passwords")
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """A bcrypt hash, `$2a$10$…`."""
        return await self._run(lambda: hash_password(password))

    async def verify(self, password: str, hashed: str | None) -> bool:
        """Whether `password` made `hashed`; an account without one costs the same time and never matches."""
        return await self._run(lambda: verify_password(password, hashed))

    def close(self) -> None:
        """End the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= QUEUE:
            raise AuthError(504, "request_timeout", "Processing this request timed out, please retry after a moment.")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def hash_password(password: str, cost: int = COST) -> str:
    """A bcrypt hash with the prefix Go's library writes."""
    hashed = bcrypt.hashpw(password.encode()[:LONGEST_BYTES], bcrypt.gensalt(cost, prefix=b"2a"))
    return hashed.decode()


# Of nobody's password: checked in place of a missing hash, so an unknown address takes as long as a wrong password.
DECOY = "$2a$10$C6UzMDM.H6dfI/f/IKcEeO7ZpQ0GJ7vYQ1F0vX0nQ8y1Qe7m3Yp9e"


def verify_password(password: str, hashed: str | None) -> bool:
    """Check a password against bcrypt, argon2, Firebase scrypt or the sha-crypt hashes of the pgcrypto shim."""
    if not hashed:
        _verify_bcrypt(password, DECOY)
        return False
    if hashed.startswith("$argon2"):
        return _verify_argon2(password, hashed)
    if hashed.startswith("$fbscrypt$"):
        return _verify_firebase(password, hashed)
    if hashed.startswith(("$5$", "$6$")):
        scheme = sha256_crypt if hashed.startswith("$5$") else sha512_crypt
        return bool(scheme.verify(password, hashed))
    return _verify_bcrypt(password, hashed)


def require_strong(password: str, settings: AuthSettings) -> None:
    """Raises what GoTrue says of a password that is too long or breaks the rules."""
    if len(password.encode()) > LONGEST_BYTES:
        raise invalid("Password cannot be longer than 72 characters")
    problems: list[tuple[str, str]] = []
    if len(password.encode()) < settings.password_min_length:
        problems.append(("length", f"Password should be at least {settings.password_min_length} characters."))
    sets = settings.password_required_characters
    if any(not set(characters) & set(password) for characters in sets):
        wanted = ", ".join(sets)
        problems.append(("characters", f"Password should contain at least one character of each: {wanted}."))
    if problems:
        raise WeakPasswordError(" ".join(text for _, text in problems), [reason for reason, _ in problems])


def _verify_bcrypt(password: str, hashed: str) -> bool:
    try:
        return bcrypt.checkpw(password.encode()[:LONGEST_BYTES], hashed.encode())
    except ValueError:
        return False


def _verify_argon2(password: str, hashed: str) -> bool:
    try:
        return PasswordHasher().verify(hashed, password)
    except (VerificationError, InvalidHashError):
        return False


def _verify_firebase(password: str, hashed: str) -> bool:
    """Firebase's scrypt: `$fbscrypt$v=1,n=14,r=8,p=1,ss=<separator>,sk=<signer key>$<salt>$<hash>`, all base64."""
    try:
        _, _, parameters, salt, expected = hashed.split("$")
        values = dict(part.split("=", 1) for part in parameters.split(","))
        decode = base64.b64decode
        kdf = Scrypt(decode(salt) + decode(values["ss"]), 32, 2 ** int(values["n"]), int(values["r"]), int(values["p"]))
        # The derived key encrypts the project's signer key in counter mode from zero; the result is the hash.
        encryptor = Cipher(algorithms.AES(kdf.derive(password.encode())), modes.CTR(b"\0" * 16)).encryptor()
        made = encryptor.update(decode(values["sk"])) + encryptor.finalize()
        return hmac.compare_digest(made, decode(expected))
    except (ValueError, KeyError):
        return False
