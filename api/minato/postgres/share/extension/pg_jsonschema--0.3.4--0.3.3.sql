-- Migrations of hosted projects name the version that their image has. What they get is 0.3.4, which takes a schema that
-- names no draft for one of draft 7, as releases before it do.
create or replace function _jsonschema_default() returns int
    language sql immutable parallel safe
    as 'select 7';
