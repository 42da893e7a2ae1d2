"""For every lint a piece of a schema that it finds, and where. Made as `postgres`, unless it says otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Case:
    """`place` is what the finding names; `role` makes it, and mends it."""

    lint: str
    place: str
    script: str
    role: str = "postgres"


OWNED: Final = "create table {0} (id bigint primary key, user_id uuid); alter table {0} enable row level security;"

CASES: Final = (
    Case("rls_disabled_in_public", "public.open", "create table open (id int primary key)"),
    Case(
        "rls_disabled_in_public",
        "public.part_1",
        """
        create table whole (id int primary key) partition by range (id);
        alter table whole enable row level security;
        create policy p on whole for select using (id > 0);
        create table part_1 partition of whole for values from (0) to (10);
        """,
    ),
    Case(
        "policy_exists_rls_disabled",
        "public.unasked",
        """
        create table unasked (id int primary key, user_id uuid);
        create index on unasked (user_id);
        create policy own on unasked for select using ((select auth.uid()) = user_id);
        revoke all on unasked from anon, authenticated;
        """,
    ),
    Case("rls_enabled_no_policy", "public.mute", OWNED.format("mute")),
    Case(
        "insecure_queue_exposed_in_api",
        "pgmq.q_letters",
        """
        create schema pgmq;
        create schema pgmq_public;
        create table pgmq.q_letters (id int primary key);
        alter role authenticator set pgrst.db_schemas = 'public, graphql_public, pgmq_public';
        """,
        "supabase_admin",
    ),
    Case(
        "rls_references_user_metadata",
        'public.teams.by "claim',
        OWNED.format("teams")
        + """create policy "by ""claim" on teams for select using
            (((select auth.jwt()) -> 'user_metadata' ->> 'role') = 'admin')""",
    ),
    Case(
        "rls_references_user_metadata",
        "public.is_boss()",
        OWNED.format("bosses")
        + """
        create function is_boss() returns boolean language sql stable as
            $$ select (auth.jwt() -> 'user_metadata' ->> 'boss')::boolean $$;
        create policy boss on bosses for select using ((select is_boss()));
        """,
    ),
    Case(
        "auth_users_exposed",
        "public.people",
        """
        create view people as select id, email from auth.users;
        create view more_people as select * from people;
        """,
    ),
    Case(
        "auth_users_exposed", "public.kept_people", "create materialized view kept_people as select id from auth.users"
    ),
    Case(
        "sensitive_columns_exposed",
        "public.logins.authenticated",
        """
        create table logins (id int primary key, name text, api_key text);
        alter table logins enable row level security;
        create policy everybody on logins for select to authenticated using (true);
        """,
    ),
    Case(
        "security_definer_view",
        "public.past_policies",
        OWNED.format("guarded")
        + "create policy own on guarded for select using (id = 1); create view past_policies as select * from guarded",
    ),
    Case(
        "fkey_to_auth_unique",
        "public.phones.phones_phone_fkey",
        """
        create table phones (phone text primary key references auth.users (phone));
        alter table phones enable row level security;
        """,
        "supabase_admin",
    ),
    Case(
        "published_without_replica_identity",
        "public.told",
        """
        create table told (a int);
        alter table told enable row level security;
        create publication all_of_it for table told;
        """,
    ),
    Case(
        "public_bucket_allows_listing",
        "storage.objects.pictures are everybody's",
        """
        insert into storage.buckets (id, name, public) values ('pictures', 'pictures', true);
        create policy "pictures are everybody's" on storage.objects for select using (bucket_id = 'pictures');
        """,
    ),
    Case(
        "rls_policy_always_true",
        "public.walls.write",
        OWNED.format("walls") + "create policy write on walls for insert to anon with check (true)",
    ),
    Case(
        "rls_policy_always_true",
        "public.diaries.change",
        """
        create table diaries (id int primary key, owner uuid references auth.users (id));
        alter table diaries enable row level security;
        create index on diaries (owner);
        create policy change on diaries for update to authenticated using (true) with check ((1 = 1));
        """,
    ),
    Case("materialized_view_in_api", "public.sums", "create materialized view sums as select 1 as one"),
    Case(
        "foreign_table_in_api",
        "public.far",
        """
        create foreign data wrapper nothing;
        create server nowhere foreign data wrapper nothing;
        create foreign table far (a int) server nowhere;
        grant all on far to anon;
        """,
        "supabase_admin",
    ),
    Case(
        "function_search_path_mutable",
        "private.named(uuid, text)",
        """
        create schema private;
        create function private.named(uuid, text) returns int language sql security definer as 'select 1';
        """,
    ),
    Case(
        "anon_security_definer_function_executable",
        "public.count_all()",
        """
        create function count_all() returns bigint language sql security definer set search_path = ''
            as 'select count(*) from auth.users';
        """,
    ),
    Case(
        "authenticated_security_definer_function_executable",
        "public.all_ids()",
        """
        create function all_ids() returns setof uuid language plpgsql security definer set search_path = ''
            as 'begin return query select id from auth.users; end';
        revoke execute on function all_ids() from public, anon;
        """,
    ),
    Case("extension_in_public", "vector", "create extension vector schema public", "supabase_admin"),
    Case(
        "extension_versions_outdated",
        "vector",
        """
        create extension vector schema extensions;
        update pg_extension e set extversion = (
            select p.source from pg_extension_update_paths('vector') p
            where p.target = e.extversion and p.path = p.source || '--' || p.target limit 1)
        where extname = 'vector';
        """,
        "supabase_admin",
    ),
    Case(
        "policy_volatile_function",
        "public.may_see(bigint)",
        OWNED.format("seen")
        + """
        create function may_see(bigint) returns boolean language sql as 'select $1 > 0';
        create policy low on seen for select using (may_see(id));
        """,
    ),
    Case(
        "auth_rls_initplan",
        "public.notes.own",
        OWNED.format("notes")
        + """
        create index on notes (user_id);
        create policy own on notes for all to authenticated using (user_id = auth.uid())
            with check (user_id = auth.uid() and current_setting('app.open', true) = 'it''s auth.uid()');
        """,
    ),
    Case(
        "policy_function_per_row",
        "public.offices.staff",
        OWNED.format("offices")
        + """
        create function "Is staff"(place text) returns boolean language sql stable as 'select true';
        create policy staff on offices for select using ("Is staff"('here'::character varying));
        """,
    ),
    Case(
        "multiple_permissive_policies",
        "public.shared",
        OWNED.format("shared")
        + """
        create index on shared (user_id);
        create policy all_of_mine on shared to authenticated using (user_id = (select auth.uid()));
        create policy open on shared for select using (id < 10);
        create policy "for the back office, whose name is as long as a name may ever be" on shared for delete
            to service_role, authenticated using (id > 100);
        """,
    ),
    Case(
        "unindexed_policy_columns",
        "public.slow.user_id",
        OWNED.format("slow") + "create policy own on slow for select using (id > 0 and user_id = (select auth.uid()))",
    ),
    Case(
        "duplicate_index",
        "public.twice_a_idx",
        """
        create table twice (id int primary key, a int);
        alter table twice enable row level security;
        create index on twice (a);
        create unique index twice_once on twice (a);
        """,
    ),
    Case(
        "duplicate_index",
        "public.thrice_a_key",
        """
        create table thrice (a int primary key);
        alter table thrice add unique (a);
        alter table thrice enable row level security;
        """,
    ),
    Case(
        "invalid_index",
        "public.broken_a",
        """
        create table broken (id int primary key, a int);
        alter table broken enable row level security;
        create index broken_a on broken (a);
        update pg_index set indisvalid = false where indexrelid = 'broken_a'::regclass;
        """,
        "supabase_admin",
    ),
    Case(
        "unlogged_table_in_api",
        "public.fleeting",
        """
        create unlogged table fleeting (id int primary key);
        alter table fleeting enable row level security;
        """,
    ),
    Case(
        "sequence_near_its_end",
        "public.counted_id_seq",
        """
        create table counted (id serial primary key);
        alter table counted enable row level security;
        create table counting (counted_id int primary key references counted (id));
        alter table counting enable row level security;
        select setval('counted_id_seq', 2000000000);
        """,
    ),
    Case(
        "sequence_near_its_end",
        "public.small_id_seq",
        """
        create table small (id smallint generated by default as identity primary key);
        alter table small enable row level security;
        select setval('small_id_seq', 32000);
        """,
    ),
    Case(
        "unsupported_reg_types",
        "public.searched.languages",
        """
        create table searched (id int primary key, language regconfig default 'simple', languages regconfig[]);
        alter table searched enable row level security;
        """,
    ),
    Case(
        "unindexed_foreign_keys",
        "public.children.children_a_b_fkey",
        """
        create table parents (a int, b int, primary key (a, b));
        alter table parents enable row level security;
        create table children (id int primary key, a int, b int, foreign key (a, b) references parents (a, b));
        alter table children enable row level security;
        create index on children (a);
        create index on children (a, b) where id > 5;
        """,
    ),
    Case(
        "no_primary_key",
        "public.nameless",
        "create table nameless (id int); alter table nameless enable row level security",
    ),
    Case(
        "no_primary_key",
        "public.nearly",
        """
        create table nearly (code text not null unique);
        alter table nearly enable row level security;
        """,
    ),
    Case(
        "no_primary_key",
        "public.indexed",
        """
        create table indexed (code text not null);
        create unique index on indexed (code);
        alter table indexed enable row level security;
        """,
    ),
)
