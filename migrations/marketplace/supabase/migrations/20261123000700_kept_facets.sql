-- What all offers can be narrowed by is asked with each visit and takes a pass over every offer: beyond 10,000 of them it
-- is counted once a minute. Up to there, and wherever anything is chosen, it is counted when it is asked for.

create table private.kept_facets (
    is_only boolean primary key default true constraint kept_facets_is_only_check check (is_only),
    told jsonb not null,
    hidden uuid[] not null,
    today date not null,
    at timestamptz not null
);
comment on table private.kept_facets is 'The facets of all offers as they were counted last, and whose offers were left out.';

create function private.count_facets(s private.offer_search) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    told jsonb;
begin
    execute private.facet_statement(s) into told using s;
    return told;
end
$$;
comment on function private.count_facets(private.offer_search) is 'What the offers of a search can be narrowed by, counted now.';

create function private.keep_facets() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
    s private.offer_search;
begin
    if (select count(*) from (select from public.agent_posts limit 10001) o) <= 10000 then
        delete from private.kept_facets;
        return;
    end if;
    s := private.read_search('{}');
    insert into private.kept_facets values (true, private.count_facets(s), s.hidden, s.today, now())
    on conflict (is_only) do update
        set told = excluded.told, hidden = excluded.hidden, today = excluded.today, at = excluded.at;
end
$$;
comment on function private.keep_facets() is 'Counts the facets of all offers for the next minute, where there are many.';

create or replace function public.offer_facets(p jsonb default '{}') returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    s private.offer_search := private.read_search(p - 'cursor');
    told jsonb;
begin
    -- Only for whom the same offers are hidden, and only while they are counted: without the job there is none in time.
    if p - '{cursor,sort,limit,exact}'::text[] = '{}' then
        select k.told into told from private.kept_facets k
        where k.at between now() - interval '90 seconds' and now() and k.today = s.today
            and k.hidden @> s.hidden and k.hidden <@ s.hidden;
    end if;
    return coalesce(told, private.count_facets(s)) || jsonb_build_object('read_as', s.read_as);
end
$$;

revoke execute on function private.count_facets(private.offer_search), private.keep_facets() from public, anon;

do $$
begin
    perform cron.schedule('offer facets', '* * * * *', 'select private.keep_facets()');
-- without pg_cron, for whatever reason: each answer is counted
exception when others then
    raise warning 'no pg_cron here, facets are counted whenever they are asked for: %', sqlerrm;
end
$$;
