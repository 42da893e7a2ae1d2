-- The name that hosted projects have from the start: their migrations create, comment on and drop it, and grant on its
-- function. Nothing answers GraphQL here, and the answer says so.

create function graphql.resolve(
    query text, variables jsonb default '{}', "operationName" text default null, extensions jsonb default null
) returns jsonb
language sql immutable parallel safe set search_path = ''
return pg_catalog.jsonb_build_object(
    'data', null,
    'errors', pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object('message', 'GraphQL is not served here.')));
comment on function graphql.resolve(text, jsonb, text, jsonb) is
    'Answers every query with an error: GraphQL is not served here.';
