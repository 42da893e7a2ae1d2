"""Edge Functions, by real Deno processes."""
