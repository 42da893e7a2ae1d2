-- Which tables' changes are streamed is for the developer to say, with alter publication … add table.
create publication supabase_realtime;
select minato.attempt('alter publication supabase_realtime owner to postgres');
