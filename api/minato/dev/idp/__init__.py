"""A provider that stands in for Google, GitHub and all others, so that a sign-in through them needs no network."""
