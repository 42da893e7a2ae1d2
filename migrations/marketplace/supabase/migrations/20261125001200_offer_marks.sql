-- What a member saved and whom they follow, of the offers that a page shows: for whoever comes back from another device.

create function public.offer_marks(p_shown uuid[]) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
begin
    perform private.refuse_many(p_shown);
    return jsonb_build_object(
        'saved', coalesce((select jsonb_agg(k.post_id) from public.saved_posts k
            where k.user_id = auth.uid() and k.post_id = any (p_shown)), '[]'),
        'followed', coalesce((select jsonb_agg(distinct o.agent_id) from public.agent_posts o
            join public.follows f on f.following_id = o.agent_id and f.follower_id = auth.uid()
            where o.id = any (p_shown)), '[]'));
end
$$;
comment on function public.offer_marks(uuid[]) is
    'Of the offers shown: which the caller saved, and which of their agents the caller follows.';
revoke execute on function public.offer_marks(uuid[]) from public, anon;
grant execute on function public.offer_marks(uuid[]) to authenticated, service_role;
