-- Migrations grant on pgmq.pop(text), the signature of pgmq up to 1.5, which hosted projects have; 1.13 has a default in
-- the place of the second function.
alter function pgmq.pop(text, integer) rename to pop_many;
comment on function pgmq.pop_many(text, integer) is 'pop of 1.13.';

create function pgmq.pop(queue_name text, qty integer) returns setof pgmq.message_record
language sql as $$ select * from pgmq.pop_many(queue_name, qty) $$;

create function pgmq.pop(queue_name text) returns setof pgmq.message_record
language sql as $$ select * from pgmq.pop_many(queue_name, 1) $$;
