-- TRUNCATE … CASCADE asks for the privilege on every table it reaches. Projects may truncate those of auth and storage.
do $$
declare
    follower regclass;
begin
    for follower in
        with recursive reached as (
            select c.oid from pg_class c where c.relnamespace in ('auth'::regnamespace, 'storage'::regnamespace)
            union
            select k.conrelid from pg_constraint k join reached r on k.confrelid = r.oid where k.contype = 'f'
        )
        select r.oid from reached r join pg_class c on c.oid = r.oid where c.relnamespace = 'minato'::regnamespace
    loop
        execute format('grant truncate on %s to postgres', follower);
    end loop;
end
$$;
