"""API keys follow from the JWT secret."""

from __future__ import annotations

from minato.config.server import ServerSettings
from minato.tokens.api_keys import derive_api_keys

SECRET = "super-secret-jwt-token-with-at-least-32-characters-long"
# The anon key that every Supabase example ships.
KNOWN_ANON_KEY = (
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
    "eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6ImFub24iLCJleHAiOjE5ODM4MTI5OTZ9."
    "CRXP1A7WOeoJeXxjNni43kdQwgnWNReilDMblYTn_I0"
)


def test_the_secret_of_the_examples_gives_the_keys_of_the_examples() -> None:
    assert derive_api_keys(SECRET, ServerSettings()).anon == KNOWN_ANON_KEY


def test_opaque_keys_stand_for_the_legacy_ones() -> None:
    keys = derive_api_keys(SECRET, ServerSettings())
    assert keys.jwt_for(keys.publishable) == keys.anon
    assert keys.jwt_for(keys.secret) == keys.service_role
    assert keys.jwt_for("sb_secret_guess") is None


def test_another_secret_gives_other_keys() -> None:
    ours, theirs = (derive_api_keys(secret, ServerSettings()) for secret in (SECRET, SECRET[::-1]))
    assert {ours.anon, ours.publishable, ours.secret}.isdisjoint({theirs.anon, theirs.publishable, theirs.secret})
