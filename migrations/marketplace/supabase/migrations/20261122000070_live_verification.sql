-- Agents follow their submission live.

-- Each event is checked against the subscriber's select policy: agents hear of their own submission alone.
alter publication supabase_realtime add table public.agent_verifications;
