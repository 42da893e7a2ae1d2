-- Phone numbers are shown one at a time, to members, unless their owner says no.

-- A phone number is for who looks at one member's page. So the numbers lie here, where nobody reads, and the profile's
-- column holds a word that says nothing. What the column looks like outside is asked of `shown_phone` for each row:
-- filtering, ordering and counting by it, and joining on it, find the word alone.
create table private.phones (
    user_id uuid primary key constraint phones_user_id_fkey references auth.users (id) on delete cascade,
    number text not null
);
comment on table private.phones is 'The phone numbers of members.';

insert into private.phones (user_id, number) select user_id, phone from public.profiles where phone is not null;
insert into private.cut_texts (source, field, row_id, value)
    select 'profiles', 'phone', user_id::text, number from private.phones where char_length(number) > 40;
update private.phones set number = left(number, 40) where char_length(number) > 40;
alter table private.phones add constraint phones_number_limit check (char_length(number) <= 40);

create domain private.member_phone as text;
comment on domain private.member_phone is 'Whose number it is; outside it is the number, for those who may see it.';
alter table public.profiles alter column phone type private.member_phone using user_id::text;
alter table public.profiles add column show_phone boolean not null default true;
comment on column public.profiles.phone is
    'Written as a number. Read by its owner, and on the page of one member by members, unless show_phone is off.';
comment on column public.profiles.show_phone is 'Whether other members see the number.';

create function private.phone_of(member uuid) returns text
language sql stable security definer set search_path = '' as $$
    select number from private.phones where user_id = member
$$;
comment on function private.phone_of(uuid) is 'A member''s number; for the back office.';

create function private.keep_phone() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
    trusted constant boolean := current_setting('role') not in ('anon', 'authenticated', 'service_role');
begin
    if new.phone is null then
        delete from private.phones where user_id = new.user_id;
    elsif new.phone <> new.user_id::text then
        insert into private.phones as known (user_id, number)
        values (new.user_id, case when trusted then left(new.phone, 40) else new.phone::text end)
        on conflict (user_id) do update set number = excluded.number where known.number <> excluded.number;
    end if;
    new.phone := new.user_id::text;
    return new;
end
$$;
comment on function private.keep_phone() is 'Puts a number where it belongs and leaves the word in its place.';
create trigger keep_phone before insert or update on public.profiles
    for each row execute function private.keep_phone();

-- Asking for one object is what a page of one member does; in such an answer one member's number is shown, whatever is
-- embedded in it.
create function private.looks_at(member uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
    accepted text := nullif(current_setting('request.headers', true), '')::jsonb ->> 'accept';
    looked_at text := nullif(current_setting('minato.looked_at', true), '');
begin
    if accepted not like '%vnd.pgrst.object%' or accepted is null or looked_at <> member::text
        or not private.is_confirmed_member() then
        return false;
    end if;
    perform set_config('minato.looked_at', member::text, true);
    return true;
end
$$;
comment on function private.looks_at(uuid) is 'Whether the caller, a member, asks for this member alone.';

-- asked for every row of a list, so what costs little decides first
create function private.shown_phone(phone private.member_phone) returns json
language plpgsql volatile security definer set search_path = '' as $$
declare
    claims constant jsonb := nullif(current_setting('request.jwt.claims', true), '')::jsonb;
begin
    if phone = claims ->> 'sub' or claims ->> 'role' = 'service_role'
        or (claims #>> '{app_metadata,role}' = 'admin' and private.is_admin()) then
        return to_json(private.phone_of(phone::text::uuid));
    elsif strpos(current_setting('request.headers', true), 'vnd.pgrst.object') > 0
        and private.looks_at(phone::text::uuid) then
        return (select to_json(n.number) from private.phones n join public.profiles p using (user_id)
            where n.user_id = shown_phone.phone::text::uuid and p.show_phone and p.is_confirmed);
    end if;
    return null;
end
$$;
comment on function private.shown_phone(private.member_phone) is
    'The number a word stands for: for its owner, for the back office, and for members who look at that member alone.';
-- PostgreSQL warns that it does not use such a cast itself; the data API does
set client_min_messages = error;
create cast (private.member_phone as json) with function private.shown_phone(private.member_phone) as implicit;
reset client_min_messages;

revoke execute on function private.phone_of(uuid), private.keep_phone(), private.looks_at(uuid),
    private.shown_phone(private.member_phone) from public;
-- visitors read no profile, but asking for one is answered with an empty list
grant usage on schema private to anon;
grant execute on function private.shown_phone(private.member_phone) to anon, authenticated, service_role;

create or replace function private.agents_for_admin() returns table (
    user_id uuid, full_name text, company_name text, country text, city text, phone text, email text, avatar_url text,
    created_at timestamptz, status text, suspension_reason text, rating numeric, reviews_count bigint,
    submission jsonb, pending_documents text[]
)
language sql stable security definer set search_path = '' as $$
    select p.user_id, p.full_name, p.company_name, p.country, p.city, private.phone_of(p.user_id), u.email, p.avatar_url, p.created_at,
        private.shown_agent_status(p, v), m.suspension_reason, coalesce(r.rating, 0), coalesce(r.reviews, 0),
        case when v.id is not null then to_jsonb(v) end,
        case when v.id is null then array['identity_document', 'company_proof'] else array_remove(array[
            case when v.identity_document_path is null then 'identity_document' end,
            case when v.company_proof_path is null then 'company_proof' end], null) end
    from public.profiles p
    join auth.users u on u.id = p.user_id
    left join (select distinct on (agent_id) * from public.agent_verifications
        order by agent_id, submitted_at desc, id) latest on latest.agent_id = p.user_id
    left join public.agent_verifications v on v.id = latest.id
    left join public.account_moderation m on m.user_id = p.user_id
    left join (select reviewed_id, round(avg(reviews.rating), 1) as rating, count(*) as reviews
        from public.reviews group by 1) r on r.reviewed_id = p.user_id
    where p.user_type = 'agent'
$$;

create or replace function private.importers_for_admin() returns table (
    user_id uuid, full_name text, company_name text, country text, city text, phone text, email text, avatar_url text,
    created_at timestamptz, last_sign_in_at timestamptz, status text, account_type text, suspension_reason text,
    requests bigint, completed bigint, success_rate integer, spent numeric
)
language sql stable security definer set search_path = '' as $$
    select p.user_id, p.full_name, p.company_name, p.country, p.city, private.phone_of(p.user_id), u.email, p.avatar_url, p.created_at,
        u.last_sign_in_at,
        case when p.status = 'active' and coalesce(u.last_sign_in_at, p.created_at) < now() - interval '90 days'
            then 'inactive' else p.status end,
        p.account_type, m.suspension_reason, coalesce(r.requests, 0), coalesce(r.completed, 0),
        coalesce(round(100.0 * r.completed / nullif(r.requests, 0)), 0)::integer, coalesce(d.spent, 0)
    from public.profiles p
    join auth.users u on u.id = p.user_id
    left join public.account_moderation m on m.user_id = p.user_id
    left join (select importer_id, count(*) as requests, count(*) filter (where car_requests.status = 'completed') as completed
        from public.car_requests group by 1) r on r.importer_id = p.user_id
    left join (select importer_id, sum(value_usd) as spent from public.deals where deals.status = 'completed' group by 1) d
        on d.importer_id = p.user_id
    where p.user_type = 'importer'
$$;
