"""Edge Functions: one Deno process for each function, behind `/functions/v1`.

Reference: supabase/cli `internal/functions/serve/templates/main.ts` and supabase/edge-runtime.
"""
