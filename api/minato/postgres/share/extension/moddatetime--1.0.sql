-- PostgreSQL's moddatetime in SQL, for servers built without contrib: same name, same results, same errors.

create function moddatetime() returns trigger
    language plpgsql
    set search_path = pg_catalog
    as $$
declare
    kind regtype;
begin
    if tg_level <> 'ROW' then
        raise exception 'moddatetime: must be fired for row' using errcode = 'XX000';
    elsif tg_when <> 'BEFORE' then
        raise exception 'moddatetime: must be fired before event';
    elsif tg_op <> 'UPDATE' then
        raise exception 'moddatetime: cannot process % events', tg_op;
    elsif tg_nargs <> 1 then
        raise exception 'moddatetime (%): A single argument was expected', tg_table_name;
    end if;
    select atttypid into kind from pg_attribute
    where attrelid = tg_relid and attname = tg_argv[0] and attnum > 0 and not attisdropped;
    if kind is null then
        raise exception '"%" has no attribute "%"', tg_table_name, tg_argv[0] using errcode = '09000';
    elsif kind not in ('timestamp'::regtype, 'timestamptz'::regtype) then
        raise exception 'attribute "%" of "%" must be type TIMESTAMP or TIMESTAMPTZ', tg_argv[0], tg_table_name
            using errcode = '09000';
    end if;
    -- Only the named column is read from the object; all others stay as they are.
    return jsonb_populate_record(new, jsonb_build_object(tg_argv[0], current_timestamp));
end
$$;
