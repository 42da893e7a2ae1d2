-- A page of conversations is read from the conversations, whoever asks: in their order, and no further than the page.

-- All the columns of the list's order, so that it ends with the page instead of sorting all.
create index conversations_list_idx on public.conversations (user_id, last_at desc, last_message_id);
drop index public.conversations_user_id_last_at_idx;

-- Not how many there are, which is unlike for each member, but how they are to be read: beginning with a member's
-- conversations. A plan for anybody takes the messages of two conditions (the request's and the policy's, which are one)
-- for a single row, and would begin with all of them.
alter table public.conversations alter column user_id set (n_distinct = -0.5);
analyze public.conversations (user_id);
