-- What a public profile tells of an agent's work.

create function public.member_figures(p_member uuid) returns table (
    completed_deals bigint, open_deals bigint, response_time text
)
language sql stable security definer set search_path = '' as $$
    with questions as (
        select sender_id as other, min(created_at) as asked from public.messages
        where receiver_id = p_member and created_at > now() - interval '90 days' group by 1
    ), answers as (
        select min(m.created_at) - q.asked as waited
        from questions q
        join public.messages m on m.sender_id = p_member and m.receiver_id = q.other and m.created_at > q.asked
        group by q.other, q.asked
    )
    select
        (select count(*) from public.deals where p_member in (agent_id, importer_id) and status = 'completed'),
        (select count(*) from public.deals where p_member in (agent_id, importer_id) and status = 'open'),
        (select private.response_time_text(percentile_cont(0.5) within group (order by waited)) from answers)
    where auth.uid() is not null
        and exists (select from public.profiles where user_id = p_member and is_confirmed)
$$;
comment on function public.member_figures(uuid) is 'What a public profile tells of a member''s work: deals, and how long an answer takes.';
revoke execute on function public.member_figures(uuid) from public, anon;
