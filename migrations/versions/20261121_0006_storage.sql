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
        constraint buckets_versioning_status_check check (versioning_status = 'DISABLED')
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
grant all on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to service_role;
grant select on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to anon, authenticated;
