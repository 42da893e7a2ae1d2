-- Which tables screens follow live.

-- Each event is checked against the subscriber's select policy; a DELETE carries the key alone (default replica identity).
alter publication supabase_realtime
    add table public.agent_posts, public.invitations, public.messages, public.car_requests;
