"""Second factors and passkeys: authenticator apps, phones, security keys."""
