"""What a new passkey is called: the name of its authenticator, known by AAGUID (the community's registry)."""

from __future__ import annotations

from uuid import UUID

UNKNOWN = "Passkey"
NAMES = {
    UUID("ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4"): "Google Password Manager",
    UUID("fbfc3007-154e-4ecc-8c0b-6e020557d7bd"): "Apple Passwords",
    UUID("dd4ec289-e01d-41c9-bb89-70fa845d4bf2"): "iCloud Keychain (Managed)",
    UUID("08987058-cadc-4b81-b6e1-30de50dcbe96"): "Windows Hello",
    UUID("9ddd1817-af5a-4672-a2b9-3e3dd95000a9"): "Windows Hello",
    UUID("6028b017-b1d4-4c02-b4b3-afcdafc96bb2"): "Windows Hello",
    UUID("adce0002-35bc-c60a-648b-0b25f1f05503"): "Chrome on Mac",
    UUID("771b48fd-d3d4-4f74-9232-fc157ab0507a"): "Edge on Mac",
    UUID("53414d53-554e-4700-0000-000000000000"): "Samsung Pass",
    UUID("bada5566-a7aa-401f-bd96-45619a55120d"): "1Password",
    UUID("d548826e-79b4-db40-a3d8-11116f7e8349"): "Bitwarden",
    UUID("531126d6-e717-415c-9320-3d9aa6981239"): "Dashlane",
    UUID("b84e4048-15dc-4dd0-8640-f4f60813c8af"): "NordPass",
    UUID("50726f74-6f6e-5061-7373-50726f746f6e"): "Proton Pass",
    UUID("fdb141b2-5d84-443e-8a35-4698c205a502"): "KeePassXC",
}


def passkey_name(aaguid: UUID) -> str:
    """A name for a passkey of this authenticator.

    >>> passkey_name(UUID("d548826e-79b4-db40-a3d8-11116f7e8349")), passkey_name(UUID(int=0))
    ('Bitwarden', 'Passkey')
    """
    return NAMES.get(aaguid, UNKNOWN)
