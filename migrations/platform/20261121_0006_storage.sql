-- Rows are the metadata; the bytes lie in the storage backend under <bucket>/<name>/<version>.

create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR');
comment on type storage.buckettype is 'What a bucket holds: files, tables, vectors.';

create table storage.migrations (
    id integer primary key,
    name varchar(100) not null constraint migrations_name_key unique,
    hash varchar(40) not null,
    executed_at timestamp default current_timestamp
);
comment on table storage.migrations is 'The storage service''s own migrations whose outcome this schema has; the revisions are kept elsewhere.';

-- updated_at has no trigger and never changes, like on a hosted project
create table storage.buckets (
    id text primary key,
    name text not null,
    owner uuid,
    created_at timestamptz default now(),
    updated_at timestamptz default now(),
    public boolean default false,
    avif_autodetection boolean default false,
    file_size_limit bigint,
    allowed_mime_types text[],
    owner_id text,
    type storage.buckettype not null default 'STANDARD',
    versioning_status text not null default 'DISABLED'
        constraint buckets_versioning_dark_check check (versioning_status = 'DISABLED')
);
comment on table storage.buckets is 'Where objects lie, and what may be put there.';
comment on column storage.buckets.owner is 'Deprecated in favour of owner_id, which also holds owners that are not uuids.';
create unique index bname on storage.buckets (name);

create table storage.objects (
    id uuid primary key default gen_random_uuid(),
    bucket_id text constraint "objects_bucketId_fkey" references storage.buckets (id),
    name text,
    owner uuid,
    created_at timestamptz default now(),
    updated_at timestamptz default now(),
    last_accessed_at timestamptz default now(),
    metadata jsonb,
    path_tokens text[] generated always as (string_to_array(name, '/')) stored,
    version text,
    owner_id text,
    user_metadata jsonb,
    archived_at timestamptz,
    is_delete_marker boolean not null default false,
    is_versioned boolean not null default false
);
comment on table storage.objects is 'One row per object. Policies on this table decide who may up- and download.';
comment on column storage.objects.owner is 'Deprecated in favour of owner_id, which also holds owners that are not uuids.';
create unique index bucketid_objname on storage.objects (bucket_id, name);
create index idx_objects_bucket_id_name on storage.objects (bucket_id, name collate "C");
create index idx_objects_bucket_id_name_lower on storage.objects (bucket_id, lower(name) collate "C");
create index name_prefix_search on storage.objects (name text_pattern_ops);

create table storage.s3_multipart_uploads (
    id text primary key,
    in_progress_size bigint not null default 0,
    upload_signature text not null,
    bucket_id text not null constraint s3_multipart_uploads_bucket_id_fkey references storage.buckets (id),
    key text collate "C" not null,
    version text not null,
    owner_id text,
    created_at timestamptz not null default now(),
    user_metadata jsonb,
    metadata jsonb
);
comment on table storage.s3_multipart_uploads is 'S3 multipart uploads under way.';
create index idx_multipart_uploads_list on storage.s3_multipart_uploads (bucket_id, key, created_at);

create table storage.s3_multipart_uploads_parts (
    id uuid primary key default gen_random_uuid(),
    upload_id text not null constraint s3_multipart_uploads_parts_upload_id_fkey
        references storage.s3_multipart_uploads (id) on delete cascade,
    size bigint not null default 0,
    part_number integer not null,
    bucket_id text not null constraint s3_multipart_uploads_parts_bucket_id_fkey references storage.buckets (id),
    key text collate "C" not null,
    etag text not null,
    owner_id text,
    version text not null,
    created_at timestamptz not null default now()
);
comment on table storage.s3_multipart_uploads_parts is 'The parts of a multipart upload received so far.';

-- Buckets of tables and of vectors are separate products; the tables are here because tools look for them.
create table storage.buckets_analytics (
    name text not null,
    type storage.buckettype not null default 'ANALYTICS',
    format text not null default 'ICEBERG',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    id uuid primary key default gen_random_uuid(),
    deleted_at timestamptz
);
comment on table storage.buckets_analytics is 'Unused: buckets of Iceberg tables.';
create unique index buckets_analytics_unique_name_idx on storage.buckets_analytics (name) where deleted_at is null;

create table storage.iceberg_namespaces (
    id uuid primary key default gen_random_uuid(),
    bucket_name text not null,
    name text collate "C" not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    metadata jsonb not null default '{}',
    catalog_id uuid not null constraint iceberg_namespaces_catalog_id_fkey
        references storage.buckets_analytics (id) on delete cascade
);
comment on table storage.iceberg_namespaces is 'Unused: namespaces of Iceberg tables.';
create unique index idx_iceberg_namespaces_bucket_id on storage.iceberg_namespaces (catalog_id, name);

create table storage.iceberg_tables (
    id uuid primary key default gen_random_uuid(),
    namespace_id uuid not null constraint iceberg_tables_namespace_id_fkey
        references storage.iceberg_namespaces (id) on delete cascade,
    bucket_name text not null,
    name text collate "C" not null,
    location text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    remote_table_id text,
    shard_key text,
    shard_id text,
    catalog_id uuid not null constraint iceberg_tables_catalog_id_fkey
        references storage.buckets_analytics (id) on delete cascade
);
comment on table storage.iceberg_tables is 'Unused: Iceberg tables.';
create unique index idx_iceberg_tables_namespace_id on storage.iceberg_tables (catalog_id, namespace_id, name);
create unique index idx_iceberg_tables_location on storage.iceberg_tables (location);

create table storage.buckets_vectors (
    id text primary key,
    type storage.buckettype not null default 'VECTOR',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
comment on table storage.buckets_vectors is 'Unused: buckets of vectors.';

create table storage.vector_indexes (
    id text primary key default gen_random_uuid(),
    name text collate "C" not null,
    bucket_id text not null constraint vector_indexes_bucket_id_fkey references storage.buckets_vectors (id),
    data_type text not null,
    dimension integer not null,
    distance_metric text not null,
    metadata_configuration jsonb,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
comment on table storage.vector_indexes is 'Unused: indexes of vectors.';
create unique index vector_indexes_name_bucket_id_idx on storage.vector_indexes (name, bucket_id);

alter table storage.buckets_analytics enable row level security;
alter table storage.buckets_vectors enable row level security;
alter table storage.iceberg_namespaces enable row level security;
alter table storage.iceberg_tables enable row level security;
alter table storage.vector_indexes enable row level security;
alter table storage.migrations enable row level security;
alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
alter table storage.s3_multipart_uploads enable row level security;
alter table storage.s3_multipart_uploads_parts enable row level security;

select minato.hand_over('storage', 'supabase_storage_admin');

-- the schema's default privileges were generous to what was created above; here is what a hosted project grants
revoke all on all tables in schema storage from anon, authenticated, service_role;
grant all on storage.buckets, storage.objects to anon, authenticated, service_role;
grant all on storage.buckets, storage.objects to postgres with grant option;
grant all on storage.buckets_analytics to anon, authenticated, service_role;
grant all on storage.iceberg_namespaces, storage.iceberg_tables to service_role;
grant select on storage.iceberg_namespaces, storage.iceberg_tables to anon, authenticated;
grant select on storage.buckets_vectors, storage.vector_indexes to anon, authenticated, service_role;
grant all on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to service_role;
grant select on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to anon, authenticated;
