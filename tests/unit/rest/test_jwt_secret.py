"""How short a secret may be, whichever way it is written."""

from __future__ import annotations

import base64

import pytest
from minato.rest.jwt_secret import read_secret


@pytest.mark.parametrize("is_base64", [False, True])
def test_a_secret_of_32_bytes_is_a_key_and_a_shorter_one_is_refused(is_base64: bool) -> None:
    def written(length: int) -> str:
        secret = b"s" * length
        return base64.b64encode(secret).decode() if is_base64 else secret.decode()

    assert len(read_secret(written(32), is_base64)) == 1
    with pytest.raises(ValueError, match="at least 32 characters"):
        read_secret(written(31), is_base64)
