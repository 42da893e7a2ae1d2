-- What members call: the directory, completing a request, leaving.

create function public.public_config() returns jsonb
language sql stable security definer set search_path = '' as $$
    select jsonb_object_agg(key, value) from public.app_settings
    where key in ('demo_mode', 'review_new_requests', 'require_verified_to_post', 'payment_instructions', 'fee_pkr')
$$;
comment on function public.public_config() is 'The settings everybody may know, signed in or not.';
revoke execute on function public.public_config() from public;
grant execute on function public.public_config() to anon, authenticated, service_role;

-- the answer to the first message of an importer in a conversation, over the last 90 days
create function private.response_times() returns table (agent_id uuid, median interval)
language sql stable security definer set search_path = '' as $$
    with first_question as (
        select receiver_id as agent, sender_id as importer, min(created_at) as asked from public.messages
        where created_at > now() - interval '90 days' group by 1, 2
    ), first_answer as (
        select q.agent, min(m.created_at) - q.asked as waited
        from first_question q
        join public.messages m on m.sender_id = q.agent and m.receiver_id = q.importer and m.created_at > q.asked
        group by q.agent, q.importer, q.asked
    )
    select agent, percentile_cont(0.5) within group (order by waited) from first_answer group by agent
$$;
comment on function private.response_times() is 'How long agents take to answer: the median per agent.';

create function private.response_time_text(median interval) returns text
language sql immutable set search_path = '' as $$
    select case
        when median is null then null
        when median <= interval '1 hour' then 'Within 1 hour'
        when median <= interval '24 hours' then format('Within %s hours', ceil(extract(epoch from median) / 3600))
        when median <= interval '48 hours' then 'Within 2 days'
        else 'More than 2 days' end
$$;
comment on function private.response_time_text(interval) is 'A response time in the directory''s words.';

create function public.agent_directory(
    p_search text default null, p_city text default null, p_specialty text default null
) returns table (
    user_id uuid, full_name text, company_name text, country text, city text, avatar_url text, bio text,
    languages_spoken text[], specialties text[], experience text, verification_status text, verified_at timestamptz,
    created_at timestamptz, rating numeric, reviews_count bigint, active_deals bigint, response_time text
)
language sql stable security definer set search_path = '' as $$
    select p.user_id, p.full_name, p.company_name, p.country, p.city, p.avatar_url, p.bio, p.languages_spoken,
        p.specialties, p.experience, p.verification_status, p.verified_at, p.created_at,
        coalesce(r.rating, 0), coalesce(r.reviews, 0), coalesce(d.open, 0), private.response_time_text(t.median)
    from public.profiles p
    left join (select reviewed_id, round(avg(rating), 1) as rating, count(*) as reviews
        from public.reviews group by 1) r on r.reviewed_id = p.user_id
    left join (select agent_id, count(*) as open from public.deals where status = 'open' group by 1) d
        on d.agent_id = p.user_id
    left join private.response_times() t on t.agent_id = p.user_id
    where p.user_type = 'agent' and p.verification_status = 'verified' and p.status = 'active'
        and (coalesce(p_search, '') = '' or strpos(lower(concat_ws(' ', p.full_name, p.company_name,
            array_to_string(p.specialties, ' '))), lower(p_search)) > 0)
        and (coalesce(p_city, '') = '' or p.city = p_city)
        and (coalesce(p_specialty, '') = '' or p_specialty = any (p.specialties))
    order by coalesce(r.rating, 0) desc, coalesce(r.reviews, 0) desc, p.full_name, p.user_id
$$;
comment on function public.agent_directory(text, text, text) is
    'Verified, active agents with their figures, the best rated first; all filters are optional.';
revoke execute on function public.agent_directory(text, text, text) from public, anon;

create function public.complete_request(
    p_request uuid, p_invitation uuid, p_value numeric, p_satisfaction integer default null
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
    request public.car_requests;
    deal uuid;
begin
    select * into request from public.car_requests
    where id = p_request and (importer_id = auth.uid() or private.is_admin()) for update;
    if not found then
        raise exception 'Only the importer can complete a request' using errcode = '42501';
    elsif request.status <> 'active' then
        raise exception 'Only an active request can be completed' using errcode = 'P0001';
    elsif p_value is null or p_value < 0 then
        raise exception 'Please enter the agreed price' using errcode = '22023';
    end if;
    update public.deals d
    set status = 'completed', completed_at = now(), value_usd = p_value, satisfaction = p_satisfaction,
        request_id = request.id, make = request.car_make, model = request.car_model,
        category = private.category_of(request.car_make, request.car_model)
    from public.invitations i
    where d.invitation_id = i.id and i.id = p_invitation and i.status = 'accepted'
        and i.importer_id = request.importer_id and coalesce(i.request_id, request.id) = request.id
        and d.status in ('open', 'disputed')
    returning d.id into deal;
    if deal is null then
        raise exception 'Only with an accepted invitation can a request be completed' using errcode = 'P0001';
    end if;
    update public.car_requests set status = 'completed' where id = request.id;
    return deal;
end
$$;
comment on function public.complete_request(uuid, uuid, numeric, integer) is
    'Reports the price agreed with the agent of an accepted invitation, and closes the request. Returns the deal.';
revoke execute on function public.complete_request(uuid, uuid, numeric, integer) from public, anon;

create function private.signed_in_by_password(within interval) returns boolean
language sql stable set search_path = '' as $$
    select exists (
        select from jsonb_array_elements(case jsonb_typeof(auth.jwt() -> 'amr')
            when 'array' then auth.jwt() -> 'amr' else '[]' end) as method
        where method ->> 'method' = 'password'
        and to_timestamp((method ->> 'timestamp')::double precision) > now() - within)
$$;
comment on function private.signed_in_by_password(interval) is 'Whether the caller''s session began with a password that recently.';

create function public.delete_own_account() returns void
language plpgsql security definer set search_path = '' as $$
begin
    if auth.uid() is null or private.is_admin() then
        raise exception 'Not authenticated' using errcode = '42501';
    elsif private.setting('demo_mode') = 'true' then
        raise exception 'This feature is not available in demo mode.' using errcode = 'P0001';
    elsif not private.signed_in_by_password(interval '5 minutes') then
        raise exception 'Please sign in again to delete your account' using errcode = '42501', hint = 'reauthentication_needed';
    end if;
    delete from auth.users where id = auth.uid();
end
$$;
comment on function public.delete_own_account() is
    'Deletes the caller: profile, posts, requests and saves go; messages and reviews stay with the other side, nameless.';
revoke execute on function public.delete_own_account() from public, anon;

create function private.expire_requests() returns bigint
language sql security definer set search_path = '' as $$
    with expired as (
        update public.car_requests set status = 'expired'
        where status = 'active' and created_at < now() - interval '90 days'
            and not exists (select from public.request_cases c
                where c.request_id = id and c.status in ('in_progress', 'disputed'))
        returning 1)
    select count(*) from expired
$$;
comment on function private.expire_requests() is 'Closes active requests nobody took up for 90 days; for a scheduled job.';
