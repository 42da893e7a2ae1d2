-- Reviews are read a page at a time, counted in the database, and told about as they change. Whose standing changed
-- while a page had no line is told too. The directory of agents is read by a cursor.

create index reviews_about_idx on public.reviews (reviewed_id, created_at desc, id desc);
create index reviews_by_idx on public.reviews (reviewer_id, created_at desc, id desc);
drop index public.reviews_reviewed_id_idx;

alter publication supabase_realtime add table public.reviews;

create function public.review_figures(p_member uuid) returns jsonb
language sql stable security invoker set search_path = '' as $$
    select jsonb_build_object(
        'stars', jsonb_build_array(
            count(*) filter (where r.rating = 1), count(*) filter (where r.rating = 2),
            count(*) filter (where r.rating = 3), count(*) filter (where r.rating = 4),
            count(*) filter (where r.rating = 5)),
        'own', (select jsonb_build_object('id', o.id, 'rating', o.rating, 'comment', o.comment)
            from public.reviews o where o.reviewer_id = auth.uid() and o.reviewed_id = p_member),
        'is_connected', private.are_connected(auth.uid(), p_member))
    from public.reviews r where r.reviewed_id = p_member
$$;
comment on function public.review_figures(uuid) is
    'How many reviews of a member gave one, two, three, four and five stars; own: what the caller wrote; is_connected: whether an accepted invitation lets the caller write.';

-- `r` is the review; only one side is who it was asked about, but a reader may look at both lists.
create function private.review_card(r public.reviews) returns jsonb
language sql stable security invoker set search_path = '' as $$
    select jsonb_build_object(
        'id', r.id, 'reviewer_id', r.reviewer_id, 'reviewed_id', r.reviewed_id, 'rating', r.rating,
        'comment', r.comment, 'created_at', r.created_at, 'updated_at', r.updated_at,
        'reviewer', (select jsonb_build_object('full_name', p.full_name, 'avatar_url', p.avatar_url)
            from public.profiles p where p.user_id = r.reviewer_id),
        'reviewed', (select jsonb_build_object('full_name', p.full_name, 'avatar_url', p.avatar_url,
            'user_type', p.user_type) from public.profiles p where p.user_id = r.reviewed_id))
$$;
comment on function private.review_card(public.reviews) is 'What a list shows of a review, with both sides.';

-- How long ago, not when: clocks of browsers go as they like.
create function public.review_changes(p_member uuid, p_side text, p_seconds integer, p_shown uuid[] default '{}')
returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
declare
    -- Ten seconds more: what is written in a transaction carries the time of its beginning.
    since timestamptz := now() - make_interval(secs => greatest(coalesce(p_seconds, 0), 0) + 10.0);
    told jsonb;
begin
    if p_side is null or p_side not in ('about', 'by') then
        perform private.refuse_search('side');
    elsif cardinality(p_shown) > 1000 then
        perform private.refuse_search('shown');
    end if;
    with changed as (
        select r from public.reviews r
        where (p_side = 'about' and r.reviewed_id = p_member or p_side = 'by' and r.reviewer_id = p_member)
            and r.updated_at >= since
        limit 61)
    select jsonb_build_object(
        'rows', coalesce(jsonb_agg(private.review_card(r) order by (r).created_at desc, (r).id desc), '[]'),
        'is_more', count(*) > 60,
        'gone', coalesce((select jsonb_agg(shown) from unnest(coalesce(p_shown, '{}')) as shown
            where not exists (select from public.reviews s where s.id = shown)), '[]'))
    into told from changed;
    return told || jsonb_build_object('figures', public.review_figures(p_member));
end
$$;
comment on function public.review_changes(uuid, text, integer, uuid[]) is
    'What a list of reviews about a member, or by one, missed in the last seconds: rows that changed, which of those shown are gone, the figures now. is_more: too much, read the list again.';

revoke execute on function private.review_card(public.reviews) from public, anon;
revoke execute on function public.review_figures(uuid), public.review_changes(uuid, text, integer, uuid[])
    from public, anon;
grant execute on function private.review_card(public.reviews) to authenticated, service_role;
grant execute on function public.review_figures(uuid), public.review_changes(uuid, text, integer, uuid[])
    to authenticated, service_role;

-- Ten seconds more, as above; more than 60 are left to whoever reads everything again.
create function public.standing_changes(p_seconds integer) returns table (user_id uuid, is_suspended boolean)
language sql stable security invoker set search_path = '' rows 10 as $$
    select s.user_id, s.is_suspended from public.member_standing s
    where s.changed_at >= now() - make_interval(secs => greatest(coalesce(p_seconds, 0), 0) + 10.0)
    order by s.changed_at desc, s.user_id limit 61
$$;
comment on function public.standing_changes(integer) is
    'Who was suspended or came back in the last seconds, of those the caller may hear of; the latest first, 61 at most.';
create index member_standing_changed_idx on public.member_standing (changed_at);
revoke execute on function public.standing_changes(integer) from public, anon;
grant execute on function public.standing_changes(integer) to authenticated, service_role;

-- The directory goes on behind an agent, not behind a number of agents, and counts them with the page.
drop function public.agent_directory(text, text, text);
create function public.agent_directory(
    p_search text default null, p_city text default null, p_specialty text default null,
    p_cursor text default null, p_limit integer default null
) returns table (
    user_id uuid, full_name text, company_name text, country text, city text, avatar_url text, bio text,
    languages_spoken text[], specialties text[], experience text, verification_status text, verified_at timestamptz,
    created_at timestamptz, rating numeric, reviews_count bigint, active_deals bigint, response_time text,
    id uuid, cursor text, total bigint
)
language sql stable security definer set search_path = '' as $$
    with found as (
        select p.*, coalesce(r.rating, 0) as rating, coalesce(r.reviews, 0) as reviews, count(*) over () as total
        from public.profiles p
        left join (select reviewed_id, round(avg(rating), 1) as rating, count(*) as reviews
            from public.reviews group by 1) r on r.reviewed_id = p.user_id
        where p.user_type = 'agent' and p.verification_status = 'verified' and p.status = 'active' and p.is_confirmed
            and (coalesce(p_search, '') = '' or strpos(lower(concat_ws(' ', p.full_name, p.company_name,
                array_to_string(p.specialties, ' '))), lower(p_search)) > 0)
            and (coalesce(p_city, '') = '' or p.city = p_city)
            and (coalesce(p_specialty, '') = '' or p_specialty = any (p.specialties))),
    page as (
        select f.* from found f
        where p_cursor is null or (-f.rating, -f.reviews, coalesce(f.full_name, ''), f.user_id) > (
            -(p_cursor::jsonb ->> 0)::numeric, -(p_cursor::jsonb ->> 1)::bigint, p_cursor::jsonb ->> 2,
            (p_cursor::jsonb ->> 3)::uuid)
        order by -f.rating, -f.reviews, coalesce(f.full_name, ''), f.user_id
        limit case when p_limit >= 0 then p_limit end)
    select f.user_id, f.full_name, f.company_name, f.country, f.city, f.avatar_url, f.bio, f.languages_spoken,
        f.specialties, f.experience, f.verification_status, f.verified_at, f.created_at, f.rating, f.reviews,
        coalesce(d.open, 0), private.response_time_text(t.median), f.user_id,
        jsonb_build_array(f.rating, f.reviews, coalesce(f.full_name, ''), f.user_id)::text, f.total
    from page f
    left join (select agent_id, count(*) as open from public.deals where status = 'open' group by 1) d
        on d.agent_id = f.user_id
    left join private.response_times() t on t.agent_id = f.user_id
    order by -f.rating, -f.reviews, coalesce(f.full_name, ''), f.user_id
$$;
comment on function public.agent_directory(text, text, text, text, integer) is
    'Verified agents as the directory shows them, the best rated first, with how many fit in all; the cursor of the last row asks for the next page.';
revoke execute on function public.agent_directory(text, text, text, text, integer) from public, anon;
grant execute on function public.agent_directory(text, text, text, text, integer) to authenticated, service_role;
