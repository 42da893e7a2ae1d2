-- Runs at every start, as the owner: hands the operator's settings to the schema. `minato.operator` is a JSON object.
select private.configure(current_setting('minato.operator')::jsonb);
