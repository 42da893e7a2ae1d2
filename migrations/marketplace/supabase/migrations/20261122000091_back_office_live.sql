-- The back office follows the tables its figures come from.

-- The figures of the back office follow these tables; whoever may not read a row is not told of its change.
do $$
declare
    wanted text;
begin
    foreach wanted in array array['agent_verifications', 'request_cases', 'support_tickets', 'conversation_reports',
        'admin_audit_log']
    loop
        if not exists (select from pg_catalog.pg_publication_tables
            where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = wanted) then
            execute format('alter publication supabase_realtime add table public.%I', wanted);
        end if;
    end loop;
end
$$;
