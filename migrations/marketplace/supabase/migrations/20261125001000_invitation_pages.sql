-- Invitations are read a page at a time, counted in the database, and told about as they change. How many answer a
-- request, and how the caller's own one stands, comes with the request.

alter table public.invitations add column updated_at timestamptz not null default now();
comment on column public.invitations.updated_at is 'When it was sent or last changed.';
update public.invitations set updated_at = coalesce(responded_at, created_at);
create trigger set_updated_at before update on public.invitations
    for each row execute function private.set_updated_at();

create or replace function private.default_invitation_columns() returns trigger language plpgsql set search_path = '' as $$
begin
    if current_user in ('anon', 'authenticated') then
        new.status := 'sent';
        new.response_message := null;
        new.responded_at := null;
        new.created_at := now();
        new.updated_at := now();
        new.is_assigned := false;
    end if;
    return new;
end
$$;

create index invitations_sent_idx on public.invitations (agent_id, created_at desc, id desc);
create index invitations_received_idx on public.invitations (importer_id, created_at desc, id desc);
create index invitations_about_idx on public.invitations (request_id, created_at desc, id desc);
create index invitations_changed_idx on public.invitations (updated_at);
drop index public.invitations_agent_id_idx;
drop index public.invitations_importer_id_idx;
drop index public.invitations_request_id_idx;

create function public.deal_state(public.invitations) returns jsonb
language sql stable set search_path = '' as $$
    select jsonb_build_object('id', d.id, 'status', d.status, 'opened_at', d.opened_at, 'completed_at', d.completed_at,
        'dispute', (select u.status from public.disputes u where u.deal_id = d.id order by u.created_at desc limit 1))
    from public.deals d where d.invitation_id = $1.id
$$;
comment on function public.deal_state(public.invitations) is
    'The deal that an accepted invitation opened, with the state of its newest dispute.';

create function public.is_running(public.invitations) returns boolean
language sql stable set search_path = '' as $$
    select $1.status = 'accepted' and not exists (
        select from public.car_requests r where r.id = $1.request_id and r.status = 'completed')
$$;
comment on function public.is_running(public.invitations) is
    'Whether both sides still work on it: accepted, and the request, where there is one, not closed.';

create function public.responses(public.car_requests) returns bigint
language sql stable set search_path = '' as $$
    select count(*) from public.invitations v where v.request_id = $1.id
$$;
comment on function public.responses(public.car_requests) is
    'How many invitations about the request the caller may see: the importer of it all.';

create function public.own_invitation(public.car_requests) returns jsonb
language sql stable set search_path = '' as $$
    select jsonb_build_object('status', v.status, 'created_at', v.created_at)
    from public.invitations v where v.request_id = $1.id and v.agent_id = (select auth.uid())
    order by v.status = 'accepted' desc, v.created_at desc limit 1
$$;
comment on function public.own_invitation(public.car_requests) is
    'How the caller''s invitation because of the request stands: an accepted one before any other, then the newest.';

create function public.invitation_counts() returns jsonb
language sql stable security invoker set search_path = '' as $$
    select jsonb_build_object('total', count(*), 'sent', count(*) filter (where v.status = 'sent'),
        'accepted', count(*) filter (where v.status = 'accepted'),
        'declined', count(*) filter (where v.status = 'declined'),
        'departed', (select count(*) from public.deals d where d.agent_id = (select auth.uid()) and d.party_left))
    from public.invitations v
    where v.agent_id = (select auth.uid()) or v.importer_id = (select auth.uid())
$$;
comment on function public.invitation_counts() is
    'How many invitations the caller sent or received, in all and of each state; departed: deals whose importer left, with the invitation.';

create function private.invitation_card(v public.invitations) returns jsonb
language sql stable security invoker set search_path = '' as $$
    select to_jsonb(v) || jsonb_build_object('deal_state', public.deal_state(v),
        'agent', (select jsonb_build_object('full_name', a.full_name, 'country', a.country,
                'company_name', a.company_name, 'avatar_url', a.avatar_url)
            from public.profiles a where a.user_id = v.agent_id),
        'importer', (select jsonb_build_object('full_name', i.full_name, 'country', i.country, 'city', i.city,
                'company_name', i.company_name, 'avatar_url', i.avatar_url, 'budget_range', i.budget_range,
                'interested_car_brands', i.interested_car_brands)
            from public.profiles i where i.user_id = v.importer_id),
        'request', (select jsonb_build_object('id', r.id, 'car_make', r.car_make, 'car_model', r.car_model,
                'year_range', r.year_range, 'budget_min', r.budget_min, 'budget_max', r.budget_max, 'status', r.status)
            from public.car_requests r where r.id = v.request_id))
$$;
comment on function private.invitation_card(public.invitations) is
    'What a list shows of an invitation, with both sides, the request and the deal.';

-- How long ago, not when: clocks of browsers go as they like. What happens to its deal changes an invitation, too.
create function public.invitation_changes(
    p_seconds integer, p_shown uuid[] default '{}', p_status text default null, p_request uuid default null)
returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
declare
    me uuid := auth.uid();
    -- Ten seconds more: what is written in a transaction carries the time of its beginning.
    since timestamptz := now() - make_interval(secs => greatest(coalesce(p_seconds, 0), 0) + 10.0);
    told jsonb;
begin
    perform private.refuse_many(p_shown);
    with touched as (
        select v.id from public.invitations v where v.updated_at >= since
        union select d.invitation_id from public.deals d where d.status = 'completed' and d.completed_at >= since
        union select d.invitation_id from public.disputes u join public.deals d on d.id = u.deal_id
            where u.created_at >= since or u.settled_at >= since),
    fitting as (
        select v from public.invitations v
        where (v.agent_id = me or v.importer_id = me) and (p_status is null or v.status = p_status)
            and (p_request is null or v.request_id = p_request)
            and v.id in (select t.id from touched t union all select unnest(p_shown))),
    changed as (select f.v from fitting f where (f.v).id in (select t.id from touched t) limit 61)
    select jsonb_build_object(
        'rows', coalesce((select jsonb_agg(private.invitation_card(c.v)
            order by (c.v).created_at desc, (c.v).id desc) from changed c), '[]'),
        'is_more', (select count(*) > 60 from changed),
        'gone', coalesce((select jsonb_agg(s.shown) from unnest(p_shown) as s (shown)
            where s.shown not in (select (f.v).id from fitting f)), '[]'))
    into told;
    return told || jsonb_build_object('counts', public.invitation_counts());
end
$$;
comment on function public.invitation_changes(integer, uuid[], text, uuid) is
    'What a list of the caller''s invitations missed in the last seconds, all or those of a status or about a request: rows that changed and fit, which of those shown are gone or fit no longer, the counts now. is_more: too much, read the list again.';

-- What waits for an agent, for the dashboard, which named it after reading every invitation, offer and message.
create function public.agent_waiting() returns jsonb
language sql stable security invoker set search_path = '' as $$
    select jsonb_build_object(
        'accepted', (select jsonb_build_object('count', count(*), 'first', (array_agg(jsonb_build_object(
                'importer_id', v.importer_id, 'request_id', v.request_id, 'name', i.full_name)
                order by v.created_at desc, v.id))[1])
            from public.invitations v join public.profiles i on i.user_id = v.importer_id
            where v.agent_id = (select auth.uid()) and v.status = 'accepted' and not exists (
                select from public.conversations c where c.user_id = (select auth.uid())
                    and c.conversation_id = private.conversation_of((select auth.uid()), v.importer_id))),
        'requests', (select coalesce(jsonb_agg(jsonb_build_object('make', m.car_make, 'count', m.n) order by m.n desc,
                m.car_make), '[]')
            from (select r.car_make, count(*) as n from public.car_requests r
                where r.status = 'active'
                    and r.car_make in (select o.car_name from public.agent_posts o
                        where o.agent_id = (select auth.uid()) and o.availability_status <> 'sold')
                    and r.id not in (select v.request_id from public.invitations v
                        where v.agent_id = (select auth.uid()) and v.request_id is not null)
                group by r.car_make) m),
        'photos', (select jsonb_build_object('count', count(*), 'first', (array_agg(jsonb_build_object(
                'id', o.id, 'car', o.car_name || ' ' || o.model) order by o.created_at desc, o.id))[1])
            from public.agent_posts o
            where o.agent_id = (select auth.uid()) and o.availability_status <> 'sold'
                and coalesce(o.image_url, '') = ''
                and coalesce(cardinality(o.image_urls), 0) = 0))
$$;
comment on function public.agent_waiting() is
    'What waits for the calling agent: accepted invitations after which nobody wrote, open requests for makes they offer by make, offers without a photo.';

-- With the request comes what its list says of invitations; one of them that changed changes the request there.
create or replace function private.request_card() returns text
language sql immutable parallel safe set search_path = '' as $sql$
    select $$r.id, r.importer_id, r.car_make, r.car_model, r.year_range, r.budget_min, r.budget_max, r.condition,
        r.fuel_type, r.transmission, r.description, r.urgency, r.shipping_port, r.is_flexible_budget,
        r.is_flexible_year, r.status, r.created_at, r.updated_at,
        case when i.user_id is not null then jsonb_build_object('full_name', i.full_name, 'country', i.country,
            'city', i.city, 'avatar_url', i.avatar_url) end as importer,
        public.responses(r) as responses, public.own_invitation(r) as own_invitation,
        private.offer_cursor('new', r.created_at::text, r.id) as cursor$$
$sql$;

drop function public.search_requests(jsonb);
create function public.search_requests(p jsonb default '{}') returns table (
    id uuid, importer_id uuid, car_make text, car_model text, year_range text, budget_min numeric, budget_max numeric,
    condition text, fuel_type text, transmission text, description text, urgency text, shipping_port text,
    is_flexible_budget boolean, is_flexible_year boolean, status text, created_at timestamptz, updated_at timestamptz,
    importer jsonb, responses bigint, own_invitation jsonb, cursor text)
language plpgsql stable security invoker set search_path = '' rows 24 as $$
declare
    s private.request_search := private.read_request_search(p);
begin
    return query execute format($sql$
        select %s from public.car_requests r left join public.profiles i on i.user_id = r.importer_id
        where (($1).after_id is null or (r.created_at, r.id) < (($1).after_at, ($1).after_id)) and %s
        order by r.created_at desc, r.id desc limit %s$sql$,
        private.request_card(), private.request_conditions(), s.page_size) using s;
end
$$;
comment on function public.search_requests(jsonb) is
    'A page of the requests that fit, newest first; the cursor of its last row asks for the next one.';

create or replace function public.request_changes(p jsonb, p_seconds integer, p_shown uuid[] default '{}') returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
declare
    s private.request_search := private.read_request_search(p - 'cursor');
    told jsonb;
begin
    perform private.refuse_many(p_shown);
    -- Ten seconds more: what is written in a transaction carries the time of its beginning.
    execute format($sql$
        with touched as (
            select t.id, t.updated_at from public.car_requests t where t.updated_at >= now() - $2
            union all select v.request_id, v.updated_at from public.invitations v
            where v.updated_at >= now() - $2 and (v.agent_id = ($1).viewer or v.importer_id = ($1).viewer)),
        changed as (
            select %2$s from public.car_requests r left join public.profiles i on i.user_id = r.importer_id
            where r.id in (select t.id from touched t) and %1$s order by r.updated_at desc limit 61)
        select jsonb_build_object(
            'rows', coalesce((select jsonb_agg(to_jsonb(c) order by c.created_at desc, c.id desc) from changed c), '[]'),
            'is_more', (select count(*) > 60 from changed),
            'gone', coalesce((select jsonb_agg(shown) from unnest($3) as shown where shown not in (
                select r.id from public.car_requests r left join public.profiles i on i.user_id = r.importer_id
                where r.id = any ($3) and %1$s)), '[]'))$sql$, private.request_conditions(), private.request_card())
    into told using s, make_interval(secs => greatest(coalesce(p_seconds, 0), 0) + 10.0), coalesce(p_shown, '{}');
    return told || jsonb_build_object('counts', public.count_requests(p));
end
$$;

comment on function private.refuse_many(uuid[]) is 'Refuses to look after more rows than a screen shows.';
revoke execute on function private.invitation_card(public.invitations) from public, anon;
revoke execute on function public.deal_state(public.invitations), public.is_running(public.invitations),
    public.responses(public.car_requests), public.own_invitation(public.car_requests), public.invitation_counts(),
    public.invitation_changes(integer, uuid[], text, uuid), public.agent_waiting(), public.search_requests(jsonb)
    from public, anon;
grant execute on function private.invitation_card(public.invitations), private.refuse_many(uuid[]),
    private.conversation_of(uuid, uuid) to authenticated, service_role;
grant execute on function public.deal_state(public.invitations), public.is_running(public.invitations),
    public.responses(public.car_requests), public.own_invitation(public.car_requests), public.invitation_counts(),
    public.invitation_changes(integer, uuid[], text, uuid), public.agent_waiting(), public.search_requests(jsonb)
    to authenticated, service_role;
