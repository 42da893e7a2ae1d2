"""What in the settings would be unsafe in production. Values stay out of the sentences: many are secrets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from ipaddress import ip_network
from urllib.parse import unquote, urlsplit

from minato.cli import published
from minato.cli.environment import process_environment
from minato.cli.findings import Finding, advised, refused
from minato.cli.listener import is_loopback, public_url
from minato.cli.secrets_file import SHORTEST, stored_secret
from minato.cli.unsafe_functions import function_findings
from minato.config import Settings
from minato.postgres.layout import Layout
from minato.project.folder import Project
from minato.project.minato_toml import read_minato_toml

Findings = Iterator[Finding]


def setting_findings(settings: Settings) -> Findings:
    """Everything, in the order of the checks below."""
    for check in CHECKS:
        yield from check(settings)


def _jwt_secret(settings: Settings) -> Findings:
    server = settings.server
    given = server.jwt_secret.get_secret_value() if server.jwt_secret else None
    if given is not None and len(given) < SHORTEST:
        yield refused("MINATO_JWT_SECRET is too short.", f"It must have at least {SHORTEST} characters.")
    if (given or stored_secret(server.data_dir)) in published.JWT_SECRETS:
        yield refused(
            "MINATO_JWT_SECRET is the published example, so everybody could sign in as anybody.", "Choose another."
        )
    if given is None and settings.database.database_url is not None:
        yield advised(
            "MINATO_JWT_SECRET is not set, so each data folder makes one of its own.",
            "Set it where several servers share DATABASE_URL, or where the data folder does not last.",
        )
    if server.hs256_tokens is None and server.jwt_keys is None:
        yield advised(
            "Users' tokens are signed with the JWT secret (HS256): whoever shall verify them could make them.",
            "Set MINATO_HS256_TOKENS=false for a key that is published, or true where services verify with the secret.",
        )


def _other_keys(settings: Settings) -> Findings:
    server, storage, rest = settings.server, settings.storage, settings.rest
    if rest.jwt_secret is not None and rest.jwt_secret.get_secret_value() in published.JWT_SECRETS:
        yield refused("PGRST_JWT_SECRET is a published example.", "Choose another.")
    keys = server.jwt_keys.get_secret_value() if server.jwt_keys else ""
    if any(private in keys for private in published.PRIVATE_KEYS):
        yield refused("GOTRUE_JWT_KEYS holds the published key of the Supabase CLI.", "Make a key of your own.")
    if server.secret_key and published.is_published_secret_key(server.secret_key.get_secret_value()):
        yield refused("MINATO_SECRET_KEY is a published example.", "Leave it out: one follows from the JWT secret.")
    s3 = storage.s3_protocol_access_key_secret
    if s3 and published.is_published_s3_secret(s3.get_secret_value()):
        yield refused(
            "S3_PROTOCOL_ACCESS_KEY_SECRET is a published example.", "Leave it out: one follows from the JWT secret."
        )
    if settings.auth.security_captcha_secret.get_secret_value() in published.CAPTCHA_SECRETS:
        yield refused("GOTRUE_SECURITY_CAPTCHA_SECRET is the one for tests.", "Set the one your provider gave you.")


def _passwords(settings: Settings) -> Findings:
    database, store = settings.database, settings.storage.url or ""
    urls = {
        "DATABASE_URL": database.database_url,
        "DATABASE_DIRECT_URL": database.direct_url,
        "DATABASE_READ_URL": database.read_url,
        "AUTHENTICATOR_URL": database.authenticator_url,
    }
    for name, url in urls.items():
        if url is not None and unquote(urlsplit(url.get_secret_value()).password or "") in published.PASSWORDS:
            yield refused(f"The password in {name} is a published example.", "Give the role another.")
    if database.database_url is None and Layout(settings.server.data_dir).owner_password.exists():
        yield refused(
            "The data folder is one of minato start: the database's password is known to everybody.",
            "Take a data folder of its own.",
        )
    if store.startswith("s3:") and process_environment().get("AWS_SECRET_ACCESS_KEY") in published.OBJECT_STORE_SECRETS:
        yield refused("AWS_SECRET_ACCESS_KEY is a published example.", "Give the object store another.")


def _demonstration(settings: Settings) -> Findings:
    server = settings.server
    password = server.demo_password.get_secret_value() if server.demo_password else None
    if password in published.PASSWORDS:
        yield refused("DEMO_PASSWORD is a published example.", "Choose another, or leave the demo data out.")
    address = server.admin_email.strip().lower()
    if address and address == _administrator_of_development(settings) and password is None:
        yield refused(
            f"MINATO_ADMIN_EMAIL is {address}, which the project's minato.toml has for development.",
            "Set it to the administrator's own address.",
        )
    if server.demo_mode:
        yield advised("MINATO_DEMO_MODE presents this as a demonstration.", "Set it to false.")


def _administrator_of_development(settings: Settings) -> str:
    """The address that stands in every copy of the project."""
    project = settings.server.project
    file = read_minato_toml(Project(project) if project is not None else None)
    return file.development.get("MINATO_ADMIN_EMAIL", "").strip().lower()


def _addresses(settings: Settings) -> Findings:
    server = settings.server
    url = public_url(server, server.port)
    for name, address in (("MINATO_PUBLIC_URL", url), ("GOTRUE_SITE_URL", settings.auth.site_url)):
        parts = urlsplit(address or "")
        if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
            yield refused(
                f"{name} is without TLS, so passwords and sessions travel in the clear.",
                "Let a proxy with a certificate stand in front and set it to the https address.",
            )
    if server.public_url is None and not is_loopback(server.host):
        yield advised("MINATO_PUBLIC_URL is not set, so mails lead to this machine's own address.", "Set it.")


def _accounts(settings: Settings) -> Findings:
    auth, server = settings.auth, settings.server
    if auth.mailer_autoconfirm and server.admin_email:
        yield refused(
            "GOTRUE_MAILER_AUTOCONFIRM believes every address, the administrator's too.",
            "Switch it off, or set MINATO_ADMIN_EMAIL to nothing.",
        )
    elif auth.mailer_autoconfirm:
        yield advised("GOTRUE_MAILER_AUTOCONFIRM believes every address.", "Switch it off.")
    if auth.sms_autoconfirm:
        yield advised("GOTRUE_SMS_AUTOCONFIRM believes every phone number.", "Switch it off.")
    if auth.sms_test_otp:
        yield advised("GOTRUE_SMS_TEST_OTP opens accounts with fixed codes.", "Leave it out.")
    if server.admin_email and server.admin_signup_enabled:
        yield advised(
            "The administrator's sign-up page is open.",
            "Set MINATO_ADMIN_SIGNUP_ENABLED=false once the administrator has an account.",
        )


def _other_issuers(settings: Settings) -> Findings:
    roles, free = settings.server.other_issuers_roles, ("service_role", "supabase_admin", "postgres")
    if settings.server.other_issuers and (roles is None or not roles.isdisjoint(free)):
        yield advised(
            "MINATO_THIRD_PARTY_ROLES lets other issuers make tokens that no policy binds.",
            "Name the roles of users alone: anon,authenticated.",
        )


def _guesses(settings: Settings) -> Findings:
    auth = settings.auth
    kinds = ("code_tries", "factor_tries", "factor_tries_hourly", "password_tries")
    endless = [f"GOTRUE_SECURITY_{kind.upper()}=0" for kind in kinds if not getattr(auth, f"security_{kind}")]
    if endless and auth.rate_limit_peers is False:
        problem = f"Nothing slows whoever guesses: {', '.join(endless)} and GOTRUE_RATE_LIMIT_PEERS=false."
        yield refused(problem, "Leave one or the other out.")
        return
    for setting in endless:
        yield advised(f"{setting} lets guesses go on as fast as requests may.", "Leave it out.")
    if auth.rate_limit_peers is False:
        yield advised("GOTRUE_RATE_LIMIT_PEERS=false limits nobody who comes without a header.", "Leave it out.")
    if auth.rate_limit_header and not settings.server.trusted_proxies:
        yield advised(
            "GOTRUE_RATE_LIMIT_HEADER is believed from nobody: MINATO_TRUSTED_PROXIES is empty.",
            "Name the proxies that write it, or leave the header out.",
        )


def _surroundings(settings: Settings) -> Findings:
    server, mail = settings.server, settings.mail
    if any(ip_network(text, strict=False).prefixlen == 0 for text in server.trusted_proxies):
        yield advised(
            "MINATO_TRUSTED_PROXIES trusts everybody, so whoever asks writes the address that is limited.",
            "Name the proxies alone.",
        )
    if mail.host is None:
        yield advised("SMTP_HOST is not set, so no mail leaves and no address can be confirmed.", "Set it.")
    elif mail.security == "none" and not is_loopback(mail.host):
        yield advised("SMTP_SECURITY=none sends mails and codes in the clear.", "Use starttls or tls.")
    if not server.cors_allowed_origins:
        yield advised("MINATO_CORS_ALLOWED_ORIGINS is empty, so pages of any origin may call.", "Name your own.")
    if server.metrics_token is None:
        yield advised("MINATO_METRICS_TOKEN is not set, so /metrics stays shut.", "Set it to be able to watch.")


CHECKS: tuple[Callable[[Settings], Findings], ...] = (
    _jwt_secret,
    _other_keys,
    _passwords,
    _demonstration,
    _addresses,
    _accounts,
    _other_issuers,
    _guesses,
    _surroundings,
    function_findings,
)
