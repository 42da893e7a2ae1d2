"""Values encrypted by dotenvx: the vector is the Supabase CLI's own, the others are made here from the scheme."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from ecdsa import SECP256k1, SigningKey
from ecdsa.ellipticcurve import PointJacobi
from minato.project.config_file import ProjectConfig, read_config
from minato.project.dotenv import project_environment
from minato.project.encrypted import NotDecrypted, decrypted, private_keys
from minato.project.errors import ProjectError
from minato.project.workdir import Workdir

KEY = "7fd7210cef8f331ee8c55897996aaaafd853a2b20a4dc73d6d75759f65d2a7eb"
VALUE = (
    "encrypted:BKiXH15AyRzeohGyUrmB6cGjSklCrrBjdesQlX1VcXo/Xp20Bi2gGZ3AlIqxPQDmjVAALnhZamKnuY73l8Dz1P+"
    "BYiZUgxTSLzdCvdYUyVbNekj2UudbdUizBViERtZkuQwZHIv/"
)
OTHER_KEY = "01" * 32


def encrypted(text: str, key: str, once: int) -> str:
    """As an encrypter does it that knows the whole shared point."""

    def uncompressed(point: PointJacobi) -> bytes:
        found = point.to_affine()
        return b"\x04" + int(found.x()).to_bytes(32, "big") + int(found.y()).to_bytes(32, "big")

    public = SigningKey.from_string(bytes.fromhex(key), SECP256k1).verifying_key.pubkey.point
    first = uncompressed(SECP256k1.generator * once)
    secret = HKDF(SHA256(), 32, salt=None, info=None).derive(first + uncompressed(public * once))
    nonce = bytes(range(16))
    sealed = AESGCM(secret).encrypt(nonce, text.encode(), None)
    return "encrypted:" + base64.b64encode(first + nonce + sealed[-16:] + sealed[:-16]).decode()


def config(folder: Path, text: str, **environment: str) -> ProjectConfig:
    workdir = Workdir(folder)
    workdir.supabase.mkdir(exist_ok=True)
    workdir.config_file.write_text(text)
    return read_config(workdir, project_environment(workdir, environment))


def test_a_value_of_dotenvx_is_read() -> None:
    assert decrypted(VALUE, [KEY]) == "value"


@pytest.mark.parametrize("once", [2, 3, 5, 7, 11, 12345678901234567890])
def test_both_halves_of_the_curve_are_read(once: int) -> None:
    assert decrypted(encrypted("grüße ✓", KEY, once), [KEY]) == "grüße ✓"


def test_the_first_key_that_fits_is_taken_and_comes_from_every_variable_for_keys() -> None:
    assert decrypted(VALUE, [OTHER_KEY, KEY]) == "value"
    environment = {"DOTENV_PRIVATE_KEY": f"{OTHER_KEY}, {OTHER_KEY}", "DOTENV_PRIVATE_KEY_PRODUCTION": KEY}
    assert decrypted(VALUE, private_keys(environment)) == "value"
    assert private_keys({"DOTENV_PRIVATE_KEYS": KEY, "DOTENV_PRIVATE_KEY": ""}) == []


@pytest.mark.parametrize(
    ("value", "keys", "sentence"),
    [
        (VALUE, [], "missing private key"),
        (VALUE, ["invalid"], "failed to hex decode private key: cannot decode hex string"),
        ("encrypted:invalid", [KEY], "failed to base64 decode secret: "),
        ("encrypted:", [KEY], "failed to decrypt secret: invalid length of message"),
        (VALUE, [OTHER_KEY], "failed to decrypt secret: cannot decrypt ciphertext"),
        (VALUE, ["00" * 32], "failed to decrypt secret: cannot decrypt ciphertext"),
        (VALUE, ["ff" * 32], "failed to decrypt secret: cannot decrypt ciphertext"),
        (f"encrypted:{base64.b64encode(bytes(200)).decode()}", [KEY], "failed to decrypt secret: cannot decrypt"),
    ],
)
def test_what_is_wrong_is_told_without_the_value(value: str, keys: list[str], sentence: str) -> None:
    with pytest.raises(NotDecrypted, match=sentence) as refused:
        decrypted(value, keys)
    assert not any(secret in str(refused.value) for secret in (VALUE, KEY, "invalid=="))


def test_secrets_of_a_project_are_decrypted_in_its_files(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"GITHUB={VALUE}\nDOTENV_PRIVATE_KEY={KEY}\n")
    text = f'[auth.external.github]\nsecret = "env(GITHUB)"\n[db.vault]\nstripe = "{VALUE}"\n'
    found = config(tmp_path, text)
    assert found.values[("auth", "external", "github", "secret")] == "value"
    assert found.values[("db", "vault", "stripe")] == "value"
    assert found.warnings == []


def test_a_key_that_does_not_fit_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(ProjectError) as refused:
        config(tmp_path, f'[db.vault]\nstripe = "{VALUE}"\n', DOTENV_PRIVATE_KEY=OTHER_KEY)
    assert "* error decoding 'db.vault.stripe': failed to decrypt secret: " in str(refused.value)
    assert VALUE not in str(refused.value)
