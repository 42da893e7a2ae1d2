"""What a provider's record says: where it is, what it is asked, and how its answer is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from minato.auth.providers.provider import Address

Known = tuple[list[Address], Mapping[str, object]]
"""Who came: the addresses and the claims, `sub` among them; `iss` and `provider_id` are added."""


@dataclass(frozen=True, slots=True)
class IdTokens:
    """ID tokens that apps got from the provider themselves: whose they are, and what they tell."""

    issuer: str
    read: Callable[[Mapping[str, object]], Known]
    also: tuple[str, ...] = ()
    nonce: bool = True
    # Apps may sign in with one; elsewhere it only tells who came back from the provider.
    from_apps: bool = True
    # The `url` of the settings is the issuer.
    own_issuer: bool = False
    # The issuer is Microsoft's for the tenant.
    tenants: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """One provider. URLs are a host and a path with a space between: the `url` of the settings replaces the host.

    `read` gets what `userinfo` (below `api`) answered, and what `emails` did. `api` is the `iss` of the claims too.
    With `id_token` an ID token tells who came instead, and `read` gets its claims.
    """

    name: str
    authorize: str
    token: str
    read: Callable[[Mapping[str, object], object], Known]
    scopes: str = ""
    api: str = ""
    userinfo: str = ""
    emails: str = ""
    id_token: IdTokens | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, str] = field(default_factory=dict)
    # Where the client's secret goes: in a header, in the form, or (None) in the form once the header is refused.
    secret_in_header: bool | None = None
    pkce: bool = False
    # Both URLs are those of the discovery document.
    discovers: bool = False
    # The ID token alone tells who came; nobody is asked where it is missing.
    only_id_token: bool = False
    # What the API of an installation of one's own is below.
    own_api: str = ""
    # Userinfo wants proof that who asks knows the secret.
    proves_secret: bool = False
    # The key of the token endpoint's answer that tells who came.
    comes_with_token: str = ""
    # The name comes with the browser, the first time.
    browser_tells_name: bool = False
    # Where a request token is had: OAuth 1.0a.
    request_token: str = ""
    # Whether GET /settings tells of it.
    listed: bool = True

    def url(self, given: str, own: str) -> str:
        """The URL written `given`, at the installation `own` where there is one.

        >>> read = lambda user, emails: ([], {})
        >>> Record("a", "a.example/v1 /me", "", read).url("a.example/v1 /me", "")
        'https://a.example/v1/me'
        >>> Record("a", "", "", read).url("a.example/v1 /me", "http://own/")
        'http://own/me'
        """
        host, _, path = given.partition(" ")
        return (own.rstrip("/") or f"https://{host}") + path

    def api_url(self, own: str) -> str:
        """What its userinfo is below."""
        return self.url(self.api, own) + (self.own_api if own else "")
