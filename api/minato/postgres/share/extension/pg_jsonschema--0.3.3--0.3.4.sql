create or replace function _jsonschema_default() returns int
    language sql immutable parallel safe
    as 'select 2020';
