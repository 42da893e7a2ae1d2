-- The storage service makes a table here for each index, of the extension vector, and nobody else enters. The extension
-- is created with the first index: a project's own migration may create it before.
create schema if not exists storage_vectors;
comment on schema storage_vectors is
    'The vectors of vector buckets: a table for each row of storage.vector_indexes. Not exposed by the API.';
revoke all on schema storage_vectors from public;
select minato.attempt('alter schema storage_vectors owner to supabase_storage_admin');
grant all on schema storage_vectors to supabase_storage_admin;

-- where the type vector lies, which the tables are made of
grant usage on schema extensions to supabase_storage_admin;

comment on table storage.buckets_vectors is 'Buckets of vectors.';
comment on table storage.vector_indexes is 'Indexes of vectors; the vectors of each are a table in storage_vectors.';
