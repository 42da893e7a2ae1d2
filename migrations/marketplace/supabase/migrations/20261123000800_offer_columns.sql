-- The first page of all offers is read from the table; what a search says beside each offer are columns of it there.

create function public.is_saved(public.agent_posts) returns boolean
language sql stable set search_path = '' as $$
    select exists (select from public.saved_posts k where k.user_id = (select auth.uid()) and k.post_id = $1.id)
$$;
comment on function public.is_saved(public.agent_posts) is 'Whether the caller saved the offer.';

create function public.is_followed(public.agent_posts) returns boolean
language sql stable set search_path = '' as $$
    select exists (select from public.follows f where f.follower_id = (select auth.uid()) and f.following_id = $1.agent_id)
$$;
comment on function public.is_followed(public.agent_posts) is 'Whether the caller follows the agent of the offer.';

create function public.cursor(public.agent_posts) returns text
language sql stable set search_path = '' as $$ select private.offer_cursor('new', ($1.created_at)::text, $1.id) $$;
comment on function public.cursor(public.agent_posts) is 'Where search_offers goes on behind the offer, newest first.';

-- It encodes what it is told.
grant execute on function private.offer_cursor(text, text, uuid) to authenticated;
revoke execute on function public.is_saved(public.agent_posts), public.is_followed(public.agent_posts),
    public.cursor(public.agent_posts) from public, anon;
grant execute on function public.is_saved(public.agent_posts), public.is_followed(public.agent_posts),
    public.cursor(public.agent_posts) to authenticated, service_role;
