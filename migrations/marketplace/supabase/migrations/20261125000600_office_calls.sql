-- The lists as the back office calls them.

-- Each answers {total, counts, rows, next}: `counts` are the tabs', over everybody; `total` and `rows` obey search and
-- status. p_order names a column, null the list's own order. A page begins after `next` of the one before (p_after), so
-- that it reads new rows alone whatever came or went meanwhile. p_id asks for one row, in whatever tab it is. p_brief
-- leaves out what only an opened entry shows.
do $$
declare
    list record;
begin
    for list in select * from (values
        ('agents', 'p_status text default null, p_limit integer default 25, p_offset integer default 0',
            'Agents for the back office, the newest submission first unless p_order names a column.'),
        ('importers', 'p_status text default null, p_limit integer default 25, p_offset integer default 0',
            'Importers for the back office, the biggest spenders first unless p_order names a column.'),
        ('requests', 'p_status text default null, p_limit integer default 25, p_offset integer default 0',
            'Requests for the back office, those waiting for a decision first unless p_order names a column.'),
        ('tickets', 'p_status text default null, p_limit integer default 25, p_offset integer default 0',
            'Support tickets (p_status also: disputes, the unresolved ones that carry a dispute), the unresolved first unless p_order names a column.'),
        ('conversations', 'p_limit integer default 25, p_offset integer default 0, p_status text default null',
            'Conversations by participants and counts, the reported first unless p_order names a column; no contents.'),
        ('mails', 'p_status text default null, p_limit integer default 25, p_offset integer default 0',
            'Mails that could not be delivered (p_status: stopped, waiting, given_up), those not tried any more first unless p_order names a column.')
    ) as l (name, arguments, told)
    loop
        execute format($sql$
            create function public.admin_%1$s(
                p_search text default null, %2$s, p_order text default null, p_descending boolean default false,
                p_after text default null, p_id text default null, p_brief boolean default false
            ) returns jsonb
            language sql stable security definer set search_path = '' as $body$
                select private.office_page(%1$L, jsonb_build_object('search', p_search, 'status', p_status, 'limit', p_limit,
                    'offset', p_offset, 'order', p_order, 'descending', p_descending, 'after', p_after, 'id', p_id, 'brief', p_brief))
            $body$;
            comment on function public.admin_%1$s is %3$L;
            revoke execute on function public.admin_%1$s from public, anon$sql$, list.name, list.arguments, list.told);
    end loop;
end
$$;

-- Also answers who acted at all; the newest entry stands first unless p_descending is false.
create function public.admin_audit(
    p_search text default null, p_status text default null, p_limit integer default 25, p_who uuid default null,
    p_from date default null, p_to date default null, p_descending boolean default true, p_after text default null,
    p_id text default null
) returns jsonb
language sql stable security definer set search_path = '' as $$
    with recursive acted as (
        (select admin_id from private.audit_entries where admin_id is not null order by admin_id limit 1)
        union all
        select (select e.admin_id from private.audit_entries e where e.admin_id > a.admin_id order by e.admin_id limit 1)
        from acted a where a.admin_id is not null
    )
    select private.office_page('audit', jsonb_build_object('search', p_search, 'status', p_status, 'limit', p_limit,
            'order', 'when', 'descending', p_descending, 'after', p_after, 'id', p_id, 'who', p_who, 'from', p_from, 'to', p_to))
        || jsonb_build_object('administrators', (select coalesce(jsonb_agg(jsonb_build_object('id', admin_id,
            'email', private.administrator(admin_id)) order by admin_id), '[]') from acted where admin_id is not null))
$$;
comment on function public.admin_audit(text, text, integer, uuid, date, date, boolean, text, text) is
    'What administrators did: by whom, about what (p_status: agent, member, request, ticket, report, mail, setting) and when.';
create index audit_entries_admin_idx on private.audit_entries (admin_id);
revoke execute on function public.admin_audit(text, text, integer, uuid, date, date, boolean, text, text) from public, anon;
