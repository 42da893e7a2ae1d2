-- An agent's own number of a car: who imports a list twice adds nothing twice.

alter table public.agent_posts
    add column stock_no text constraint agent_posts_stock_no_check check (btrim(stock_no) <> '' and char_length(stock_no) <= 30),
    add constraint agent_posts_agent_id_stock_no_key unique (agent_id, stock_no);
comment on column public.agent_posts.stock_no is
    'The agent''s own number of the car, once among the agent''s offers; imported lists are compared by it.';
