"""Every key of `supabase/config.toml`, named as in version 3 of the Supabase CLI: its type, its default, its use here.

A key has a setting of ours, is read by `minato start` itself, or has no counterpart, with the reason. A part of a name
in `<…>` stands for any. Defaults are those of the Supabase CLI: a key that is not in the file has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["bool", "int", "text", "secret", "list", "duration", "size", "map"]
Value = bool | int | str | list[str] | dict[str, str] | None

START: Final = "start"


@dataclass(frozen=True)
class Key:
    """`setting` is an environment name, `!` before it for the opposite, `start`, or empty: then `why` says why."""

    name: str
    kind: Kind
    default: Value = None
    setting: str = ""
    why: str = ""


def _without(why: str, section: str, **keys: tuple[Kind, Value]) -> tuple[Key, ...]:
    return tuple(Key(f"{section}.{name}", kind, default, why=why) for name, (kind, default) in keys.items())


def _auth(section: str, **keys: tuple[Kind, Value]) -> tuple[Key, ...]:
    """Keys whose setting stands in `config.supabase_toml`."""
    prefix = f"auth.{section}." if section else "auth."
    return tuple(Key(f"{prefix}{name}", kind, default, "auth") for name, (kind, default) in keys.items())


_ONE_PROCESS = "everything is one process"
_HOSTED = "it is of hosted projects"
_STUDIO = "there is no Studio"
_LOG_SERVER = "there is no log server; minato logs to supabase/.minato/server.log"
_EMBEDDED = "the embedded PostgreSQL has settings of its own"

API: Final = (
    Key("api.enabled", "bool", True, START),
    Key("api.port", "int", 54321, "MINATO_PORT"),
    Key("api.schemas", "list", ["public", "graphql_public"], "PGRST_DB_SCHEMAS"),
    Key("api.extra_search_path", "list", ["public", "extensions"], "PGRST_DB_EXTRA_SEARCH_PATH"),
    Key("api.max_rows", "int", 1000, "PGRST_DB_MAX_ROWS"),
    Key("api.auto_expose_new_tables", "bool", None, START),
    Key("api.external_url", "text", "", "MINATO_PUBLIC_URL"),
    Key("api.tls.enabled", "bool", False, why="the server speaks http; let a proxy with a certificate stand in front"),
    *_without("the server speaks http", "api.tls", cert_path=("text", ""), key_path=("text", "")),
)
DB: Final = (
    Key("db.port", "int", 54322, "MINATO_POSTGRES_PORT"),
    *_without("there is no shadow database", "db", shadow_port=("int", 54320)),
    *_without("the start waits for the database as long as it takes", "db", health_timeout=("duration", "2m")),
    Key("db.major_version", "int", 17, START),
    Key("db.root_key", "secret", None, START),
    *_without(
        "clients connect to PostgreSQL itself",
        "db.pooler",
        enabled=("bool", False),
        port=("int", 54329),
        pool_mode=("text", "transaction"),
        default_pool_size=("int", 20),
        max_client_conn=("int", 100),
    ),
    Key("db.migrations.enabled", "bool", True, START),
    *_without("db diff reads them", "db.migrations", schema_paths=("list", [])),
    Key("db.migrations.checks", "map", None, why="minato db advisors looks at the same"),
    *_without("the embedded PostgreSQL keeps tables its own way", "db", orioledb_version=("text", "")),
    Key("db.seed.enabled", "bool", True, START),
    Key("db.seed.sql_paths", "list", ["./seed.sql"], START),
    Key("db.settings.<name>", "text", None, why=_EMBEDDED),
    *_without(
        _HOSTED,
        "db.network_restrictions",
        enabled=("bool", False),
        allowed_cidrs=("list", ["0.0.0.0/0"]),
        allowed_cidrs_v6=("list", ["::/0"]),
    ),
    *_without(_HOSTED, "db.ssl_enforcement", enabled=("bool", None)),
    Key("db.vault.<name>", "secret", None, START),
)
SERVICES: Final = (
    Key("realtime.enabled", "bool", True, START),
    *_without("the server listens where it is told to", "realtime", ip_version=("text", "IPv4")),
    *_without("headers have a limit of their own", "realtime", max_header_length=("int", 4096)),
    # The template has it on, so that a file says nothing by it.
    *_without(
        _STUDIO,
        "studio",
        enabled=("bool", True),
        port=("int", 54323),
        api_url=("text", "http://127.0.0.1"),
        openai_api_key=("secret", "env(OPENAI_API_KEY)"),
    ),
    Key("local_smtp.enabled", "bool", True, START),
    Key("local_smtp.port", "int", 54324, START),
    Key("local_smtp.smtp_port", "int", None, START),
    Key("local_smtp.pop3_port", "int", None, START),
    Key("local_smtp.admin_email", "text", "admin@email.com", START),
    Key("local_smtp.sender_name", "text", "Admin", START),
    Key("storage.enabled", "bool", True, START),
    Key("storage.file_size_limit", "size", "50MiB", "UPLOAD_FILE_SIZE_LIMIT"),
    Key("storage.buckets.<name>.public", "bool", None, START),
    Key("storage.buckets.<name>.file_size_limit", "size", None, START),
    Key("storage.buckets.<name>.allowed_mime_types", "list", None, START),
    Key("storage.buckets.<name>.objects_path", "text", None, START),
    Key("storage.s3_protocol.enabled", "bool", True, START),
    *_without("pictures are always transformed", "storage.image_transformation", enabled=("bool", None)),
    *_without(
        _HOSTED,
        "storage.analytics",
        enabled=("bool", False),
        max_namespaces=("int", 5),
        max_tables=("int", 10),
        max_catalogs=("int", 2),
    ),
    Key("storage.analytics.buckets.<name>", "map", None, why=_HOSTED),
    Key("storage.vector.enabled", "bool", True, "VECTOR_ENABLED"),
    Key("storage.vector.max_buckets", "int", 10, "VECTOR_MAX_BUCKETS"),
    Key("storage.vector.max_indexes", "int", 5, "VECTOR_MAX_INDEXES"),
    Key("storage.vector.buckets.<name>", "map", None, START),
    Key("edge_runtime.enabled", "bool", True, START),
    Key("edge_runtime.policy", "text", "per_worker", START),
    Key("edge_runtime.inspector_port", "int", 8083, "MINATO_FUNCTIONS_INSPECTOR_PORT"),
    *_without("the Deno is that of minato[functions]", "edge_runtime", deno_version=("int", 2)),
    Key("edge_runtime.secrets.<name>", "secret", None, START),
    Key("functions.<name>.enabled", "bool", None, START),
    Key("functions.<name>.verify_jwt", "bool", None, START),
    Key("functions.<name>.import_map", "text", None, START),
    Key("functions.<name>.entrypoint", "text", None, START),
    Key("functions.<name>.static_files", "list", None, START),
    Key("functions.<name>.env.<name>", "secret", None, START),
    *_without(
        _LOG_SERVER,
        "analytics",
        enabled=("bool", True),
        port=("int", 54327),
        backend=("text", "postgres"),
        gcp_project_id=("text", None),
        gcp_project_number=("text", None),
        gcp_jwt_path=("text", None),
        vector_port=("int", None),
    ),
    *_without(
        "it is of the reference's own image",
        "experimental",
        compute=("bool", None),
        stack=("bool", None),
        s3_host=("text", "env(S3_HOST)"),
        s3_region=("text", "env(S3_REGION)"),
        s3_access_key=("text", "env(S3_ACCESS_KEY)"),
        s3_secret_key=("text", "env(S3_SECRET_KEY)"),
    ),
    *_without("it is of the reference's own inspections", "experimental.inspect", rules=("list", [])),
    *_without("webhooks need no switch", "experimental.webhooks", enabled=("bool", None)),
    *_without(
        "there is one way to compare schemas",
        "experimental.pgdelta",
        enabled=("bool", True),
        declarative_schema_path=("text", None),
        format_options=("text", None),
    ),
    Key("local.services.<name>.version", "text", None, why="all services are one, of one version"),
    Key("compute.<name>", "map", None, why=_HOSTED),
)
AUTH: Final = (
    Key("auth.enabled", "bool", True, START),
    *_auth(
        "",
        site_url=("text", "http://127.0.0.1:3000"),
        additional_redirect_urls=("list", ["https://127.0.0.1:3000"]),
        jwt_expiry=("int", 3600),
        jwt_issuer=("text", ""),
        signing_keys_path=("text", ""),
        enable_refresh_token_rotation=("bool", True),
        refresh_token_reuse_interval=("int", 10),
        enable_signup=("bool", True),
        enable_anonymous_sign_ins=("bool", False),
        enable_manual_linking=("bool", False),
        minimum_password_length=("int", 6),
        password_requirements=("text", ""),
    ),
    *_without("it follows from api.external_url", "auth", external_url=("text", "")),
    Key("auth.jwt_secret", "secret", None, "MINATO_JWT_SECRET"),
    Key("auth.anon_key", "secret", None, "MINATO_ANON_KEY"),
    Key("auth.service_role_key", "secret", None, "MINATO_SERVICE_ROLE_KEY"),
    Key("auth.publishable_key", "secret", None, "MINATO_PUBLISHABLE_KEY"),
    Key("auth.secret_key", "secret", None, "MINATO_SECRET_KEY"),
    *_auth("passkey", enabled=("bool", None)),
    *_auth("webauthn", rp_display_name=("text", None), rp_id=("text", None), rp_origins=("list", None)),
    *_auth(
        "rate_limit",
        email_sent=("int", 2),
        sms_sent=("int", 30),
        anonymous_users=("int", 30),
        token_refresh=("int", 150),
        sign_in_sign_ups=("int", 30),
        token_verifications=("int", 30),
        web3=("int", 30),
    ),
    *_auth("captcha", enabled=("bool", None), provider=("text", None), secret=("secret", None)),
    *_auth(
        "email",
        enabled=("bool", True),
        double_confirm_changes=("bool", True),
        enable_confirmations=("bool", False),
        secure_password_change=("bool", False),
        require_current_password=("bool", None),
        max_frequency=("duration", "1s"),
        otp_length=("int", 6),
        otp_expiry=("int", 3600),
    ),
    Key("auth.email.smtp.enabled", "bool", None, START),
    *_auth(
        "email.smtp",
        host=("text", None),
        port=("int", None),
        user=("text", None),
        admin_email=("text", None),
        sender_name=("text", None),
    ),
    Key("auth.email.smtp.pass", "secret", None, "auth"),
    *_auth("email.template.<name>", subject=("text", None), content=("text", None), content_path=("text", None)),
    *_auth(
        "email.notification.<name>",
        enabled=("bool", None),
        subject=("text", None),
        content=("text", None),
        content_path=("text", None),
    ),
    *_auth(
        "sms",
        enabled=("bool", False),
        enable_confirmations=("bool", False),
        template=("text", "Your code is {{ .Code }}"),
        max_frequency=("duration", "5s"),
        otp_length=("int", None),
        otp_expiry=("int", None),
    ),
    Key("auth.sms.test_otp", "map", None, "auth"),
    *_auth(
        "sms.twilio",
        enabled=("bool", False),
        account_sid=("text", ""),
        message_service_sid=("text", ""),
        content_sid=("text", None),
        auth_token=("secret", None),
    ),
    *_without(
        "codes are made here and sent by twilio",
        "auth.sms.twilio_verify",
        enabled=("bool", False),
        account_sid=("text", None),
        message_service_sid=("text", None),
        auth_token=("secret", None),
    ),
    *_auth("sms.messagebird", enabled=("bool", False), originator=("text", None), access_key=("secret", None)),
    *_auth("sms.textlocal", enabled=("bool", False), sender=("text", None), api_key=("secret", None)),
    *_auth("sms.vonage", enabled=("bool", False), api_key=("text", None), api_secret=("secret", None)),
    Key("auth.sms.vonage.from", "text", None, "auth"),
    *_auth("sessions", timebox=("duration", None), inactivity_timeout=("duration", None)),
    *_auth("hook.<name>", enabled=("bool", None), uri=("text", None), secrets=("secret", None)),
    *_auth("mfa", max_enrolled_factors=("int", 10)),
    *_auth("mfa.totp", enroll_enabled=("bool", False), verify_enabled=("bool", False)),
    *_auth(
        "mfa.phone",
        enroll_enabled=("bool", False),
        verify_enabled=("bool", False),
        otp_length=("int", 6),
        template=("text", "Your code is {{ .Code }}"),
        max_frequency=("duration", "5s"),
    ),
    *_auth("mfa.web_authn", enroll_enabled=("bool", False), verify_enabled=("bool", False)),
    *_auth(
        "external.<name>",
        enabled=("bool", None),
        client_id=("text", None),
        secret=("secret", None),
        redirect_uri=("text", None),
        url=("text", None),
        skip_nonce_check=("bool", None),
        email_optional=("bool", None),
    ),
    *_auth("web3.<name>", enabled=("bool", False)),
    *_auth("third_party.firebase", enabled=("bool", False), project_id=("text", None)),
    *_auth("third_party.auth0", enabled=("bool", False), tenant=("text", None), tenant_region=("text", None)),
    *_auth(
        "third_party.aws_cognito",
        enabled=("bool", False),
        user_pool_id=("text", None),
        user_pool_region=("text", None),
    ),
    *_auth("third_party.clerk", enabled=("bool", False), domain=("text", None)),
    *_auth("third_party.workos", enabled=("bool", False), issuer_url=("text", None)),
    *_auth(
        "oauth_server",
        enabled=("bool", False),
        authorization_url_path=("text", "/oauth/consent"),
        allow_dynamic_registration=("bool", False),
    ),
)
KEYS: Final = (Key("project_id", "text", "", START), *API, *DB, *SERVICES, *AUTH)
