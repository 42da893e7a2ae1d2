-- pg_publication_tables opens every table it tells of since PostgreSQL 16, and so waits for whoever alters one of them,
-- however long that takes. The catalogue says the same, and nobody's lock is in its way.
create function minato.published_tables(publication text) returns setof oid
language sql stable set search_path = '' as $$
    with recursive asked as (
        select oid, puballtables, pubviaroot from pg_catalog.pg_publication where pubname = publication
    ), members as (
        select r.prrelid as relid from asked join pg_catalog.pg_publication_rel r on r.prpubid = asked.oid
        union
        select c.oid from asked
        join pg_catalog.pg_publication_namespace s on s.pnpubid = asked.oid
        join pg_catalog.pg_class c on c.relnamespace = s.pnnspid
        union
        select c.oid from asked join pg_catalog.pg_class c on asked.puballtables
        union
        select i.inhrelid from members
        join pg_catalog.pg_inherits i on i.inhparent = members.relid and not i.inhdetachpending
        join pg_catalog.pg_class c on c.oid = i.inhrelid and c.relispartition
    )
    select c.oid from asked
    cross join members
    join pg_catalog.pg_class c on c.oid = members.relid
    where pg_catalog.pg_relation_is_publishable(c.oid)
    -- Rows of a partition are its own's, or those of the outermost table above it that is published.
    and case when asked.pubviaroot then not exists (
            select from pg_catalog.pg_partition_ancestors(c.oid) above(relid)
            where above.relid <> c.oid and above.relid in (select relid from members))
        else c.relkind = 'r' end
$$;
comment on function minato.published_tables(text) is
    'The tables of a publication, as pg_publication_tables has them, without their locks.';
revoke all on function minato.published_tables(text) from public;
