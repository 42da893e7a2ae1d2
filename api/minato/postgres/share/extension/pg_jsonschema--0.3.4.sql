-- The functions of pg_jsonschema 0.3.4, written anew: same names, arguments and results. A schema is read in two steps.
-- `_jsonschema_prepared` makes a document of it, with what it takes to look up patterns and references, or with its
-- fault. `_jsonschema_match` walks that document together with an instance. The functions for the project are inlined,
-- so PostgreSQL prepares a constant schema once for a statement, not for each row.
--
-- A document: {"schema": …, "draft": …, "track": …, "patterns": {…}, "ids": {…}, "fault": {…}}.
-- What most functions take: the document, the draft that holds here, the (sub)schema, the instance, the base URI, the
-- URIs of the resources that were entered on the way (outermost first) and the references that were followed without
-- getting any further in the instance.
--
-- Those that begin a walk set the search path; the others are called by them alone and leave it, since setting it
-- costs more than most of them do.

-- The draft of a schema that names none. Releases before 0.3.4 took draft 7.
create function _jsonschema_default() returns int
    language sql immutable parallel safe
    as 'select 2020';

-- 4, 6, 7, 2019 or 2020; null for a meta-schema that nobody knows.
create function _jsonschema_draft(schema jsonb, otherwise int) returns int
    language plpgsql immutable parallel safe
    as $$
begin
    if coalesce(jsonb_typeof(schema -> '$schema'), '') <> 'string' then
        return otherwise;
    end if;
    return case rtrim(regexp_replace(schema ->> '$schema', '^https?://json-schema\.org/', ''), '#')
        when 'draft-04/schema' then 4
        when 'draft-06/schema' then 6
        when 'draft-07/schema' then 7
        when 'draft/2019-09/schema' then 2019
        when 'draft/2020-12/schema' then 2020
    end;
end
$$;

-- As messages show a value: no spaces, keys in the order of their bytes.
create function _jsonschema_text(value jsonb) returns text
    language plpgsql immutable parallel safe
    as $$
begin
    if jsonb_typeof(value) = 'object' then
        return '{' || coalesce((
            select string_agg(to_json(key)::text || ':' || @extschema@._jsonschema_text(member), ','
                order by key collate "C")
            from jsonb_each(value) as _ (key, member)), '') || '}';
    elsif jsonb_typeof(value) = 'array' then
        return '[' || coalesce((
            select string_agg(@extschema@._jsonschema_text(item), ',' order by place)
            from jsonb_array_elements(value) with ordinality as _ (item, place)), '') || ']';
    end if;
    return value::text;
end
$$;

-- Patterns ------------------------------------------------------------------------------------------------------------

-- One character by its code, as PostgreSQL's regular expressions spell it.
create function _jsonschema_character(code int) returns text
    language sql immutable parallel safe
    as $$ select case when code < 65536 then '\u' || pg_catalog.lpad(pg_catalog.to_hex(code), 4, '0')
        else '\U' || pg_catalog.lpad(pg_catalog.to_hex(code), 8, '0') end $$;

-- An atom repeated between `fewest` and `most` times (null: without end). PostgreSQL counts to 255, so more are made of
-- repetitions of repetitions.
create function _jsonschema_repeated(atom text, fewest int, most int) returns text
    language plpgsql immutable parallel safe
    as $$
declare
    needed text := case when fewest < 256 then format('(?:%s){%s}', atom, fewest)
        else format('(?:(?:%1$s){255}){%2$s}(?:%1$s){%3$s}', atom, fewest / 255, fewest % 255) end;
    further int := most - fewest;
begin
    if fewest < 256 and (most is null or most < 256) then
        return format('%s{%s,%s}', atom, fewest, most);
    end if;
    return '(?:' || needed || case
        when most is null then format('(?:%s)*', atom)
        when further < 256 then format('(?:%s){0,%s}', atom, further)
        else format('(?:(?:%1$s){0,255}){%2$s}(?:%1$s){0,%3$s}', atom, further / 255, further % 255) end || ')';
end
$$;

-- A pattern of ECMA 262 for PostgreSQL's engine, or null where it is none. Classes are ASCII's, the dot stops at the
-- end of a line, and everything else is spelled so that PostgreSQL reads no more into it.
create function _jsonschema_regex(pattern text) returns text
    language plpgsql immutable parallel safe
    as $$
declare
    tokens constant text := '\\u\{[0-9a-fA-F]{1,6}\}|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}'
        '|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[a-zA-Z]|\\[1-9][0-9]*|\\.|\(\?<?[=!]|\(\?:|\(\?P?<[A-Za-z_]\w*>'
        '|\[\^?|\{[0-9]{1,6}(?:,[0-9]{0,6})?\}\??|[*+?]\??|.';
    spaces constant text := '\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
    no_spaces constant text := '\u0001-\u0008\u000e-\u001f\u0021-\u009f\u00a1-\u167f\u1681-\u1fff\u200b-\u2027'
        '\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\U0010ffff';
    token text;
    made text := '';
    groups int[] := '{}';       -- where the open groups begin in `made`; negative for those that look around
    captured int := 0;
    atom int;                   -- where the last atom begins, for what repeats it; null where nothing may
    in_class boolean := false;
    class text;                 -- what stands in the brackets so far
    negated boolean;
    last int;                   -- the last character there, which a dash makes the start of a range
    dash boolean;
    set_of text;
    code int;
begin
    if pattern ~ '^\^?[A-Za-z0-9 _/@:#-]*\$?$' then
        return pattern;
    elsif starts_with(pattern, '(?i)') then
        return '(?i)' || @extschema@._jsonschema_regex(substr(pattern, 5));
    end if;
    for token in select one[1] from regexp_matches(pattern, tokens, 'g') as _ (one) loop
        set_of := null;
        code := null;
        if left(token, 1) = '\' then
            -- What a backslash begins is a set of characters, one of them by its code, or something of its own.
            if length(token) = 1 then
                return null;
            end if;
            set_of := case token
                when '\d' then '0-9'
                when '\D' then '\u0001-\u002f\u003a-\U0010ffff'
                when '\w' then 'A-Za-z0-9_'
                when '\W' then '\u0001-\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\U0010ffff'
                when '\s' then spaces
                when '\S' then no_spaces end;
            code := case
                when token ~ '^\\u\{' then ('x' || lpad(translate(substr(token, 3), '{}', ''), 8, '0'))::bit(32)::int
                when length(token) = 12 then 65536 + ((('x0000' || substr(token, 3, 4))::bit(32)::int - 55296) << 10)
                    + ('x0000' || substr(token, 9, 4))::bit(32)::int - 56320
                when token ~ '^\\[ux].' then ('x' || lpad(substr(token, 3), 8, '0'))::bit(32)::int
                when token ~ '^\\c.' then ascii(substr(token, 3)) % 32
                when token = '\t' then 9
                when token = '\n' then 10
                when token = '\v' then 11
                when token = '\f' then 12
                when token = '\r' then 13
                when token = '\b' and in_class then 8
                when token !~ '^\\[A-Za-z0-9]' then ascii(substr(token, 2)) end;
            if code not between 0 and 1114111 or token ~ '^\\[ux].?$' then
                return null;
            end if;
        end if;

        if in_class then
            if token = ']' then
                class := class || case when dash then '\u002d' else '' end;
                atom := length(made) + 1;
                made := made || case
                    when class <> '' then '[' || case when negated then '^' else '' end || class || ']'
                    when negated then '[\u0001-\U0010ffff]'
                    else '(?!)' end;
                in_class := false;
            elsif set_of is not null then
                class := class || case when dash then '\u002d' else '' end || set_of;
                last := null;
                dash := false;
            elsif token = '-' and last is not null and not dash then
                dash := true;
            elsif left(token, 1) = '\' and code is null then
                return null;
            else
                -- Outside of brackets some of these belong together; here each character stands for itself.
                foreach code in array case when code is not null then array[code]
                    else array(select ascii(one) from string_to_table(token, null) as one) end
                loop
                    if dash and code < last then
                        return null;
                    end if;
                    class := class || case when dash then '-' else '' end || @extschema@._jsonschema_character(code);
                    last := case when not dash then code end;
                    dash := false;
                end loop;
            end if;
        elsif token in ('[', '[^') then
            in_class := true;
            class := '';
            negated := token = '[^';
            last := null;
            dash := false;
        elsif left(token, 1) = '(' then
            groups := groups || (length(made) + 1) * case when token ~ '[=!]$' then -1 else 1 end;
            captured := captured + (token = '(' or token ~ '>$')::int;
            made := made || case when token ~ '>$' then '(' else token end;
            atom := null;
        elsif token = ')' then
            if groups = '{}' then
                return null;
            end if;
            atom := case when groups[cardinality(groups)] > 0 then groups[cardinality(groups)] end;
            groups := groups[:cardinality(groups) - 1];
            made := made || ')';
        elsif token ~ '^([*+?]|\{.)' then
            if atom is null then
                return null;
            elsif left(token, 1) = '{' then
                declare
                    bounds text[] := string_to_array(rtrim(token, '}?'), ',');
                    fewest int := substr(bounds[1], 2)::int;
                    most int := case when cardinality(bounds) = 1 then fewest else nullif(bounds[2], '')::int end;
                begin
                    if most < fewest then
                        return null;
                    end if;
                    made := left(made, atom - 1) || @extschema@._jsonschema_repeated(substr(made, atom), fewest, most);
                end;
            else
                -- Whether there is a match is the same for a lazy one.
                made := made || left(token, 1);
            end if;
            atom := null;
        elsif token in ('^', '$', '|') then
            made := made || token;
            atom := null;
        elsif token in ('\b', '\B') then
            made := made || case token when '\b' then '\y' else '\Y' end;
            atom := null;
        elsif token ~ '^\\[1-9]' then
            if substr(token, 2)::numeric > captured then
                return null;
            end if;
            atom := length(made) + 1;
            made := made || '(?:' || token || ')';
        elsif left(token, 1) = '\' and set_of is null and code is null then
            return null;
        else
            atom := length(made) + 1;
            made := made || case
                when set_of is not null then '[' || set_of || ']'
                when code is not null then @extschema@._jsonschema_character(code)
                when token = '.' then '[^\u000a\u000d\u2028\u2029]'
                when token ~ '[A-Za-z0-9]' or ascii(token) > 127 then token
                else '\' || token end;
        end if;
    end loop;
    return case when not in_class and groups = '{}' then made end;
end
$$;

-- Every pattern of a schema with its translation; what only looks like one does no harm.
create function _jsonschema_patterns(schema jsonb) returns jsonb
    language plpgsql immutable parallel safe
    as $$
begin
    return (
        select jsonb_object_agg(pattern, @extschema@._jsonschema_regex(pattern))
        from (
            select one #>> '{}' from jsonb_path_query(schema, '$.**.pattern ? (@.type() == "string")') as one
            union
            select one #>> '{}' from jsonb_path_query(schema,
                '$.**.patternProperties ? (@.type() == "object").keyvalue().key') as one
        ) as _ (pattern));
end
$$;

create function _jsonschema_fits(doc jsonb, pattern text, value text) returns boolean
    language plpgsql immutable parallel safe
    as $$
begin
    return value collate "C" ~ coalesce(doc #>> array['patterns', pattern], @extschema@._jsonschema_regex(pattern));
end
$$;

-- Formats: asserted up to draft 7, notes from 2019-09 on -----------------------------------------------------------

create function _jsonschema_is_date(value text) returns boolean
    language plpgsql immutable parallel safe
    as $$
declare
    year int;
    month int;
begin
    if value !~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' then
        return false;
    end if;
    year := left(value, 4);
    month := substr(value, 6, 2);
    return substr(value, 9)::int <= case
        when month in (4, 6, 9, 11) then 30
        when month <> 2 then 31
        when year % 4 = 0 and (year % 100 <> 0 or year % 400 = 0) then 29
        else 28 end;
end
$$;

-- A leap second is one at the end of a day of UTC.
create function _jsonschema_is_time(value text) returns boolean
    language plpgsql immutable parallel safe
    as $$
declare
    part text[] := regexp_match(value,
        '^([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9]|60)(?:\.[0-9]+)?(?:[Zz]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))$');
begin
    if part is null or part[3] <> '60' then
        return part is not null;
    end if;
    return (part[1]::int * 60 + part[2]::int + 1440 - case when part[4] is null then 0
        else (part[4] || '1')::int * (part[5]::int * 60 + part[6]::int) end) % 1440 = 1439;
end
$$;

create function _jsonschema_is_ipv4(value text) returns boolean
    language plpgsql immutable parallel safe
    as $$
begin
    return value ~ '^((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(\.(?!$)|$)){4}$';
end
$$;

create function _jsonschema_is_ipv6(value text) returns boolean
    language plpgsql immutable parallel safe
    as $$
declare
    tail text := substring(value from ':([0-9.]*\.[0-9.]*)$');
    sides text[];
    groups int;
begin
    if tail is not null then
        if not @extschema@._jsonschema_is_ipv4(tail) then
            return false;
        end if;
        value := left(value, -length(tail)) || '0:0';
    end if;
    sides := regexp_split_to_array(value, '::');
    if value !~ '^[0-9A-Fa-f:]+$' or cardinality(sides) > 2 then
        return false;
    end if;
    groups := (select count(*) from unnest(sides) as side, string_to_table(side, ':'));
    return sides <@ '{""}' or not exists (
        select from unnest(sides) as side, string_to_table(side, ':') as one where one !~ '^[0-9A-Fa-f]{1,4}$'
    ) and case cardinality(sides) when 1 then groups = 8 else groups < 8 end;
end
$$;

-- With `international`, letters beyond ASCII are letters; the rest of IDNA is not looked at.
create function _jsonschema_is_hostname(value text, international boolean) returns boolean
    language plpgsql immutable parallel safe
    as $$
begin
    if international then
        value := regexp_replace(translate(value, '。．｡', '...'), '[\u00a1-\U0010ffff]', 'x', 'g');
    end if;
    return length(value) between 1 and 253 and value !~ '(^|\.)(?!xn)[^.]{2}--'
        and value ~ '^(?:(?!-)[A-Za-z0-9-]{1,63}(?<!-)(?:\.(?!$)|$))+$';
end
$$;

create function _jsonschema_is_email(value text, international boolean) returns boolean
    language plpgsql immutable parallel safe
    as $$
declare
    more text := case when international then '\u00a1-\U0010ffff' else '' end;
    part text[] := regexp_match(value, format(
        '^([A-Za-z0-9!#$%%&''*+/=?^_`{|}~%1$s-]+(?:\.[A-Za-z0-9!#$%%&''*+/=?^_`{|}~%1$s-]+)*'
        '|"(?:[^"\\\u0001-\u001f]|\\.)*")@(?:\[(IPv6:)?([^]]+)\]|([^@]+))$', more));
begin
    return part is not null and octet_length(part[1]) <= 64 and case
        when part[4] is not null then @extschema@._jsonschema_is_hostname(part[4], international)
        when part[2] is not null then @extschema@._jsonschema_is_ipv6(part[3])
        else @extschema@._jsonschema_is_ipv4(part[3]) end;
end
$$;

-- RFC 3986, or 3987 with `international`; `relative` lets references pass that have no scheme.
create function _jsonschema_is_uri(value text, international boolean, relative boolean) returns boolean
    language plpgsql immutable parallel safe
    as $$
declare
    more text := case when international then '\u00a0-\U0010ffff' else '' end;
    one text := format('(?:[A-Za-z0-9._~!$&''()*+,;=:@%s-]|%%[0-9A-Fa-f]{2})', more);
    host text[];
begin
    if value !~ format('^([A-Za-z][A-Za-z0-9+.-]*:|%s)(//[^/?#]*(/%s*)*|/(%s+(/%s*)*)?|%s+(/%s*)*|)'
        '(\?(%s|[/?])*)?(#(%s|[/?])*)?$', case when relative then '(?![^/?#]*:)' else '(?!)' end,
        one, one, one, one, one, one, one)
    then
        return false;
    end if;
    host := regexp_match(value, '^(?:[^/?#]*:)?//([^/?#]*)');
    return host is null or host[1] ~ format('^(?:%s*@)?(?:\[[0-9A-Fa-f:.]+\]|\[[Vv][0-9A-Fa-f]+\.[^]]+\]|%s*)'
        '(?::[0-9]*)?$', replace(one, '@', ''), replace(one, ':@', ''));
end
$$;

create function _jsonschema_is_formatted(doc jsonb, draft int, format text, value text) returns boolean
    language plpgsql immutable parallel safe
    as $$
begin
    return coalesce(case format
        when 'date' then @extschema@._jsonschema_is_date(value)
        when 'time' then @extschema@._jsonschema_is_time(value)
        when 'date-time' then @extschema@._jsonschema_is_date(left(value, 10)) and substr(value, 11, 1) in ('T', 't')
            and @extschema@._jsonschema_is_time(substr(value, 12))
        when 'email' then @extschema@._jsonschema_is_email(value, false)
        when 'idn-email' then @extschema@._jsonschema_is_email(value, true)
        when 'hostname' then @extschema@._jsonschema_is_hostname(value, false)
        when 'ipv4' then @extschema@._jsonschema_is_ipv4(value)
        when 'ipv6' then @extschema@._jsonschema_is_ipv6(value)
        when 'uri' then @extschema@._jsonschema_is_uri(value, false, false)
        when 'regex' then @extschema@._jsonschema_regex(value) is not null
        else draft < 6 or case format
            when 'uri-reference' then @extschema@._jsonschema_is_uri(value, false, true)
            when 'uri-template' then value ~ ('^(?:[^\u0001-\u0020"''<>%\\^`{|}]|%[0-9A-Fa-f]{2}|\{[+#./;?&=,!@|]?'
                '(?:[A-Za-z0-9_.]|%[0-9A-Fa-f]{2})+(?::[1-9][0-9]{0,3}|\*)?'
                '(?:,(?:[A-Za-z0-9_.]|%[0-9A-Fa-f]{2})+(?::[1-9][0-9]{0,3}|\*)?)*\})*$')
            when 'json-pointer' then value ~ '^(?:/(?:[^/~]|~[01])*)*$'
            else draft < 7 or case format
                when 'relative-json-pointer' then value ~ '^(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^/~]|~[01])*)*)$'
                when 'idn-hostname' then @extschema@._jsonschema_is_hostname(value, true)
                when 'iri' then @extschema@._jsonschema_is_uri(value, true, false)
                when 'iri-reference' then @extschema@._jsonschema_is_uri(value, true, true) end end end, true);
end
$$;

-- What a value is by itself -------------------------------------------------------------------------------------------

-- From draft 6 on 1.0 is an integer.
create function _jsonschema_is_integer(draft int, instance jsonb) returns boolean
    language plpgsql immutable parallel safe
    as $$
begin
    return case when draft = 4 then scale(instance::numeric) = 0 else trunc(instance::numeric) = instance::numeric end;
end
$$;

-- PostgreSQL compares numbers within arrays and objects by their value, as JSON Schema wants.
create function _jsonschema_is_one_of(options jsonb, instance jsonb) returns boolean
    language plpgsql immutable parallel safe
    as $$
begin
    if jsonb_typeof(instance) = 'string' then
        return options ? (instance #>> '{}');
    end if;
    for place in 0 .. jsonb_array_length(options) - 1 loop
        if options -> place = instance then
            return true;
        end if;
    end loop;
    return false;
end
$$;

create function _jsonschema_number_fits(draft int, node jsonb, value numeric) returns boolean
    language plpgsql immutable parallel safe
    as $$
begin
    if node ? 'minimum' and (value < (node -> 'minimum')::numeric
        or value = (node -> 'minimum')::numeric and draft = 4 and node -> 'exclusiveMinimum' = 'true')
    then
        return false;
    elsif node ? 'maximum' and (value > (node -> 'maximum')::numeric
        or value = (node -> 'maximum')::numeric and draft = 4 and node -> 'exclusiveMaximum' = 'true')
    then
        return false;
    elsif draft > 4 and node ? 'exclusiveMinimum' and value <= (node -> 'exclusiveMinimum')::numeric then
        return false;
    elsif draft > 4 and node ? 'exclusiveMaximum' and value >= (node -> 'exclusiveMaximum')::numeric then
        return false;
    end if;
    return not node ? 'multipleOf' or value % (node -> 'multipleOf')::numeric = 0;
end
$$;

create function _jsonschema_string_fits(doc jsonb, draft int, node jsonb, value text) returns boolean
    language plpgsql immutable parallel safe
    as $$
begin
    if node ? 'minLength' and length(value) < (node -> 'minLength')::numeric then
        return false;
    elsif node ? 'maxLength' and length(value) > (node -> 'maxLength')::numeric then
        return false;
    elsif node ? 'pattern' and not @extschema@._jsonschema_fits(doc, node ->> 'pattern', value) then
        return false;
    end if;
    return draft > 7 or not node ? 'format'
        or @extschema@._jsonschema_is_formatted(doc, draft, node ->> 'format', value);
end
$$;

create function _jsonschema_array_fits(node jsonb, instance jsonb) returns boolean
    language plpgsql immutable parallel safe
    as $$
declare
    size int := jsonb_array_length(instance);
begin
    if node ? 'minItems' and size < (node -> 'minItems')::numeric then
        return false;
    elsif node ? 'maxItems' and size > (node -> 'maxItems')::numeric then
        return false;
    end if;
    return node -> 'uniqueItems' is distinct from 'true' or size < 2
        or size = (select count(distinct item) from jsonb_array_elements(instance) as item);
end
$$;

-- The names that an array of them demands and an object lacks.
create function _jsonschema_missing(names jsonb, instance jsonb) returns text[]
    language plpgsql immutable parallel safe
    as $$
declare
    missing text[] := '{}';
begin
    for place in 0 .. jsonb_array_length(names) - 1 loop
        if not instance ? (names ->> place) then
            missing := missing || (names ->> place);
        end if;
    end loop;
    return missing;
end
$$;

create function _jsonschema_object_fits(draft int, node jsonb, instance jsonb) returns boolean
    language plpgsql immutable parallel safe
    as $$
declare
    name text;
    needed jsonb;
begin
    if node ? 'required' and @extschema@._jsonschema_missing(node -> 'required', instance) <> '{}' then
        return false;
    elsif node ?| '{minProperties,maxProperties}' then
        declare
            size int := (select count(*) from jsonb_object_keys(instance));
        begin
            if size < (node -> 'minProperties')::numeric or size > (node -> 'maxProperties')::numeric then
                return false;
            end if;
        end;
    end if;
    if node ? 'dependencies' or node ? 'dependentRequired' and draft > 7 then
        for name, needed in
            select * from jsonb_each(node -> 'dependencies')
            union all select * from jsonb_each(node -> 'dependentRequired') where draft > 7
        loop
            if jsonb_typeof(needed) = 'array' and instance ? name
                and @extschema@._jsonschema_missing(needed, instance) <> '{}'
            then
                return false;
            end if;
        end loop;
    end if;
    return true;
end
$$;

-- References ----------------------------------------------------------------------------------------------------------

-- A URI reference resolved against a base, RFC 3986.
create function _jsonschema_uri(base text, reference text) returns text
    language plpgsql immutable parallel safe
    as $$
declare
    -- scheme, authority, path, query
    part text[] := regexp_match(base, '^([^:/?#]+:)?(//[^/?#]*)?([^?#]*)(\?[^#]*)?');
    path text;
    before text;
begin
    if reference = '' then
        return split_part(base, '#', 1);
    elsif left(reference, 1) = '#' then
        return split_part(base, '#', 1) || reference;
    elsif reference ~ '^[A-Za-z][A-Za-z0-9+.-]*:' then
        return reference;
    elsif starts_with(reference, '//') then
        return coalesce(part[1], '') || reference;
    elsif left(reference, 1) = '?' then
        return concat(part[1], part[2], part[3], reference);
    end if;
    path := case when left(reference, 1) = '/' then reference
        else coalesce(substring(part[3] from '^.*/'), case when part[2] is null then '' else '/' end) || reference end;
    -- The steps `.` and `..` lead where they say; a fragment or a query has none.
    while before is distinct from path loop
        before := path;
        path := regexp_replace(regexp_replace(regexp_replace(path, '^([^?#]*/)\./', '\1'),
            '^([^?#]*/)?(?!\.\./)[^/?#]+/\.\.(?:/|(?=[?#]|$))', '\1'), '^/\.\./', '/');
    end loop;
    return concat(part[1], part[2], path);
end
$$;

-- The base URI within a schema: that around it, or the one it has itself.
create function _jsonschema_base(draft int, node jsonb, base text) returns text
    language plpgsql immutable parallel safe
    as $$
declare
    id text := node ->> case when draft = 4 then 'id' else '$id' end;
begin
    if id is null or draft <= 7 and (node ? '$ref' or left(id, 1) = '#') then
        return base;
    end if;
    return split_part(@extschema@._jsonschema_uri(base, id), '#', 1);
end
$$;

-- What of a schema are schemas, and where they lie.
create function _jsonschema_children(draft int, node jsonb) returns table (place text[], child jsonb)
    language plpgsql immutable parallel safe
    as $$
begin
    return query
        select array[keyword], value from jsonb_each(node) as _ (keyword, value)
        where keyword in ('not', 'additionalProperties')
            or keyword = 'items' and (draft = 2020 or jsonb_typeof(value) <> 'array')
            or keyword = 'additionalItems' and draft < 2020
            or keyword in ('contains', 'propertyNames') and draft >= 6
            or keyword in ('if', 'then', 'else') and draft >= 7
            or keyword in ('unevaluatedItems', 'unevaluatedProperties') and draft > 7
        union all
        select array[keyword, (number - 1)::text], item
        from jsonb_each(node) as _ (keyword, value),
            jsonb_array_elements(case jsonb_typeof(value) when 'array' then value else '[]' end)
                with ordinality as items (item, number)
        where keyword in ('allOf', 'anyOf', 'oneOf') or keyword = 'items' and draft < 2020
            or keyword = 'prefixItems' and draft = 2020
        union all
        select array[keyword, name], member
        from jsonb_each(node) as _ (keyword, value),
            jsonb_each(case jsonb_typeof(value) when 'object' then value else '{}' end) as members (name, member)
        where keyword in ('properties', 'patternProperties', 'definitions')
            or keyword = 'dependencies' and jsonb_typeof(member) <> 'array'
            or keyword in ('$defs', 'dependentSchemas') and draft > 7;
end
$$;

-- Every URI by which a part of the schema can be asked for, with its path and the base URI around it.
create function _jsonschema_ids(draft int, node jsonb, base text, path text[]) returns jsonb
    language plpgsql immutable parallel safe
    as $$
declare
    own text;
    id text;
    here jsonb := jsonb_build_object('path', path, 'base', base);
    found jsonb := '{}';
    place text[];
    child jsonb;
begin
    if jsonb_typeof(node) <> 'object' then
        return found;
    end if;
    if node ? '$schema' and path <> '{}' then
        draft := coalesce(@extschema@._jsonschema_draft(node, draft), draft);
    end if;
    own := @extschema@._jsonschema_base(draft, node, base);
    if own <> base or path = '{}' then
        found := jsonb_build_object(own, here);
    end if;
    if draft <= 7 then
        -- There an anchor is an identifier that has a fragment.
        id := node ->> case when draft = 4 then 'id' else '$id' end;
        if strpos(id, '#') between 1 and length(id) - 1 and not node ? '$ref' then
            found := found || jsonb_build_object(@extschema@._jsonschema_uri(base, id), here);
        end if;
    else
        if node ? '$anchor' then
            found := found || jsonb_build_object(own || '#' || (node ->> '$anchor'), here);
        end if;
        if node ? '$dynamicAnchor' and draft = 2020 then
            found := found || jsonb_build_object(own || '#' || (node ->> '$dynamicAnchor'), here,
                'dynamic ' || own || '#' || (node ->> '$dynamicAnchor'), here);
        elsif node -> '$recursiveAnchor' = 'true' and draft = 2019 then
            found := found || jsonb_build_object('dynamic ' || own || '#', here);
        end if;
    end if;
    for place, child in select * from @extschema@._jsonschema_children(draft, node) loop
        found := found || @extschema@._jsonschema_ids(draft, child, own, path || place);
    end loop;
    return found;
end
$$;

-- %XX of a URI's fragment.
create function _jsonschema_unescaped(value text) returns text
    language plpgsql immutable parallel safe
    as $$
declare
    made bytea := '';
    piece text;
begin
    if strpos(value, '%') = 0 or value ~ '%(?![0-9A-Fa-f]{2})' then
        return value;
    end if;
    for piece in select one[1] from regexp_matches(value, '%[0-9A-Fa-f]{2}|[^%]+', 'g') as _ (one) loop
        made := made || case left(piece, 1) when '%' then decode(substr(piece, 2), 'hex')
            else convert_to(piece, 'utf8') end;
    end loop;
    return convert_from(made, 'utf8');
end
$$;

-- Where a reference leads: to a part of the schema and the base URI around it, to a meta-schema, or nowhere, and why.
create function _jsonschema_target(doc jsonb, base text, scope text[], keyword text, reference text,
    out uri text, out node jsonb, out around text, out meta int, out problem text)
    language plpgsql immutable parallel safe
    as $$
declare
    draft int := doc -> 'draft';
    resource text;
    fragment text;
    outer_uri text;
    entry jsonb;
    path text[];
    step text;
begin
    uri := @extschema@._jsonschema_uri(base, reference);
    resource := split_part(uri, '#', 1);
    fragment := @extschema@._jsonschema_unescaped(substr(uri, length(resource) + 2));
    if keyword = '$dynamicRef' or keyword = '$recursiveRef' then
        -- The outermost resource on the way here that has this anchor takes its place.
        if doc -> 'ids' ? ('dynamic ' || resource || '#' || fragment) then
            foreach outer_uri in array scope loop
                if doc -> 'ids' ? ('dynamic ' || outer_uri || '#' || fragment) then
                    resource := outer_uri;
                    uri := resource || '#' || fragment;
                    exit;
                end if;
            end loop;
        end if;
    end if;

    if not doc ? 'ids' and resource = '' and (fragment = '' or left(fragment, 1) = '/') then
        entry := '{"path": [], "base": ""}';
    elsif fragment = '' or left(fragment, 1) = '/' then
        entry := doc #> array['ids', resource];
    else
        entry := coalesce(doc #> array['ids', resource || '#' || fragment],
            doc #> array['ids', 'dynamic ' || resource || '#' || fragment]);
    end if;
    if entry is null then
        meta := @extschema@._jsonschema_draft(jsonb_build_object('$schema', resource), null);
        if meta is null or fragment <> '' then
            meta := null;
            problem := case
                when doc #> array['ids', resource] is not null or resource = ''
                    then format('Anchor ''%s'' does not exist', fragment)
                when resource !~ '^[A-Za-z][A-Za-z0-9+.-]*:'
                    then format('Resource ''json-schema:///%s'' is not present in a registry and retrieving it failed: '
                        'Unknown scheme json-schema', resource)
                else format('Resource ''%s'' is not present in a registry and retrieving it failed: %s', resource,
                    case split_part(resource, ':', 1)
                        when 'http' then '`resolve-http` feature or a custom resolver is required to resolve external '
                            'schemas via HTTP'
                        when 'https' then '`resolve-http` feature or a custom resolver is required to resolve external '
                            'schemas via HTTP'
                        when 'file' then '`resolve-file` feature or a custom resolver is required to resolve external '
                            'schemas via files'
                        else 'Unknown scheme ' || split_part(resource, ':', 1) end) end;
        end if;
        return;
    end if;

    around := entry ->> 'base';
    path := array(select jsonb_array_elements_text(entry -> 'path'));
    node := doc -> 'schema' #> path;
    if left(fragment, 1) = '/' then
        path := string_to_array(substr(fragment, 2), '/');
        if fragment ~ '~' then
            path := array(select replace(replace(one, '~1', '/'), '~0', '~') from unnest(path) as one);
        end if;
        if doc ? 'ids' then
            foreach step in array path loop
                around := case when jsonb_typeof(node) = 'object'
                    then @extschema@._jsonschema_base(draft, node, around) else around end;
                node := node #> array[step];
            end loop;
        else
            node := node #> path;
        end if;
        if node is null then
            problem := format('Pointer ''%s'' does not exist', fragment);
        end if;
    end if;
end
$$;

-- A schema and an instance --------------------------------------------------------------------------------------------

-- What these return: null where the instance does not match, or else the names of the properties (the places of the
-- items) that were evaluated, with null among them for all. They are collected where the document says `track`, for
-- unevaluatedProperties and unevaluatedItems.

create function _jsonschema_match_reference(doc jsonb, draft int, keyword text, reference text, instance jsonb,
    base text, scope text[], trail text[]) returns text[]
    language plpgsql immutable parallel safe
    as $$
declare
    found record := @extschema@._jsonschema_target(doc, base, scope, keyword, reference);
begin
    if found.problem is not null then
        raise exception 'Invalid schema: %', found.problem using errcode = 'internal_error';
    elsif found.uri = any(trail) then
        -- Back again with the same instance: it demands nothing more than what is being looked at.
        return '{}';
    elsif found.meta is not null then
        return case when @extschema@._jsonschema_fault(null, found.meta, instance, '', '') is null
            then '{}'::text[] end;
    end if;
    return @extschema@._jsonschema_match(doc, draft, found.node, instance, found.around, scope, trail || found.uri);
end
$$;

create function _jsonschema_match_combined(doc jsonb, draft int, node jsonb, instance jsonb,
    base text, scope text[], trail text[]) returns text[]
    language plpgsql immutable parallel safe
    as $$
declare
    track constant boolean := doc ? 'track';
    seen text[] := '{}';
    found text[];
    branches jsonb;
    matches int;
begin
    branches := node -> 'allOf';
    for place in 0 .. coalesce(jsonb_array_length(branches), 0) - 1 loop
        found := @extschema@._jsonschema_match(doc, draft, branches -> place, instance, base, scope, trail);
        if found is null then
            return null;
        end if;
        seen := seen || found;
    end loop;

    branches := node -> 'anyOf';
    if branches is not null then
        matches := 0;
        for place in 0 .. jsonb_array_length(branches) - 1 loop
            found := @extschema@._jsonschema_match(doc, draft, branches -> place, instance, base, scope, trail);
            matches := matches + (found is not null)::int;
            seen := seen || found;
            exit when matches > 0 and not track;
        end loop;
        if matches = 0 then
            return null;
        end if;
    end if;

    branches := node -> 'oneOf';
    if branches is not null then
        matches := 0;
        for place in 0 .. jsonb_array_length(branches) - 1 loop
            found := @extschema@._jsonschema_match(doc, draft, branches -> place, instance, base, scope, trail);
            matches := matches + (found is not null)::int;
            seen := seen || found;
            exit when matches > 1;
        end loop;
        if matches <> 1 then
            return null;
        end if;
    end if;

    if node ? 'not'
        and @extschema@._jsonschema_match(doc, draft, node -> 'not', instance, base, scope, trail) is not null
    then
        return null;
    end if;

    if node ? 'if' and draft >= 7 and (track or node ?| '{then,else}') then
        found := @extschema@._jsonschema_match(doc, draft, node -> 'if', instance, base, scope, trail);
        seen := seen || found;
        branches := node -> case when found is null then 'else' else 'then' end;
        if branches is not null then
            found := @extschema@._jsonschema_match(doc, draft, branches, instance, base, scope, trail);
            if found is null then
                return null;
            end if;
            seen := seen || found;
        end if;
    end if;
    return seen;
end
$$;

-- The schemas of an array's first items, and the one of all others (null: none).
create function _jsonschema_parts(draft int, node jsonb, out first jsonb, out others jsonb)
    language plpgsql immutable parallel safe
    as $$
begin
    if draft = 2020 then
        first := node -> 'prefixItems';
        others := node -> 'items';
    elsif jsonb_typeof(node -> 'items') = 'array' then
        first := node -> 'items';
        others := node -> 'additionalItems';
    else
        others := node -> 'items';
    end if;
end
$$;

create function _jsonschema_match_items(doc jsonb, draft int, node jsonb, instance jsonb,
    base text, scope text[]) returns text[]
    language plpgsql immutable parallel safe
    as $$
declare
    track constant boolean := doc ? 'track';
    size constant int := jsonb_array_length(instance);
    parts record := @extschema@._jsonschema_parts(draft, node);
    first constant int := coalesce(jsonb_array_length(parts.first), 0);
    seen text[] := '{}';
    matches int := 0;
begin
    for place in 0 .. least(first, size) - 1 loop
        if @extschema@._jsonschema_match(doc, draft, parts.first -> place, instance -> place, base, scope, '{}') is null
        then
            return null;
        end if;
        if track then
            seen := seen || place::text;
        end if;
    end loop;
    if parts.others is not null then
        if parts.others <> 'true' then
            for place in first .. size - 1 loop
                if @extschema@._jsonschema_match(doc, draft, parts.others, instance -> place, base, scope, '{}') is null
                then
                    return null;
                end if;
            end loop;
        end if;
        seen := seen || null::text;
    end if;

    if node ? 'contains' and draft >= 6 then
        declare
            wanted constant jsonb := node -> 'contains';
            counted constant boolean := draft > 7;
            fewest constant numeric := coalesce(case when counted then (node -> 'minContains')::numeric end, 1);
            most constant numeric := case when counted then (node -> 'maxContains')::numeric end;
        begin
            for place in 0 .. size - 1 loop
                exit when not track and most is null and matches >= fewest;
                if @extschema@._jsonschema_match(doc, draft, wanted, instance -> place, base, scope, '{}') is not null
                then
                    matches := matches + 1;
                    if track and draft = 2020 then
                        seen := seen || place::text;
                    end if;
                    if matches > most then
                        return null;
                    end if;
                end if;
            end loop;
            if matches < fewest then
                return null;
            end if;
        end;
    end if;
    return seen;
end
$$;

-- The translated patterns of patternProperties.
create function _jsonschema_regexes(doc jsonb, node jsonb) returns text[]
    language plpgsql immutable parallel safe
    as $$
begin
    if not node ? 'patternProperties' then
        return '{}';
    end if;
    return array(select doc #>> array['patterns', pattern]
        from jsonb_object_keys(node -> 'patternProperties') as pattern);
end
$$;

create function _jsonschema_match_properties(doc jsonb, draft int, node jsonb, instance jsonb,
    base text, scope text[]) returns text[]
    language plpgsql immutable parallel safe
    as $$
declare
    track constant boolean := doc ? 'track';
    properties jsonb := node -> 'properties';
    regexes text[];
    seen text[] := '{}';
    name text;
    pattern text;
    child jsonb;
    value jsonb;
begin
    if properties is not null then
        for name, child in select * from jsonb_each(properties) loop
            if instance ? name then
                if @extschema@._jsonschema_match(doc, draft, child, instance -> name, base, scope, '{}') is null then
                    return null;
                end if;
                if track then
                    seen := seen || name;
                end if;
            end if;
        end loop;
    end if;

    if node ? 'patternProperties' then
        for pattern, child in select * from jsonb_each(node -> 'patternProperties') loop
            for name, value in
                select * from jsonb_each(instance) as _ (key) where @extschema@._jsonschema_fits(doc, pattern, key)
            loop
                if @extschema@._jsonschema_match(doc, draft, child, value, base, scope, '{}') is null then
                    return null;
                end if;
                if track then
                    seen := seen || name;
                end if;
            end loop;
        end loop;
    end if;

    child := node -> 'additionalProperties';
    if child is not null then
        if child <> 'true' then
            properties := coalesce(properties, '{}');
            regexes := @extschema@._jsonschema_regexes(doc, node);
            for name, value in
                select * from jsonb_each(instance) as _ (key)
                where not properties ? key and not key collate "C" ~ any(regexes)
            loop
                if @extschema@._jsonschema_match(doc, draft, child, value, base, scope, '{}') is null then
                    return null;
                end if;
            end loop;
        end if;
        seen := seen || null::text;
    end if;

    if node ? 'propertyNames' and draft >= 6 then
        for name in select jsonb_object_keys(instance) loop
            if @extschema@._jsonschema_match(
                doc, draft, node -> 'propertyNames', to_jsonb(name), base, scope, '{}') is null
            then
                return null;
            end if;
        end loop;
    end if;
    return seen;
end
$$;

-- Schemas that hold for an object with certain properties.
create function _jsonschema_match_dependent(doc jsonb, draft int, node jsonb, instance jsonb,
    base text, scope text[], trail text[]) returns text[]
    language plpgsql immutable parallel safe
    as $$
declare
    seen text[] := '{}';
    found text[];
    name text;
    child jsonb;
begin
    for name, child in
        select * from jsonb_each(node -> 'dependencies')
        union all select * from jsonb_each(node -> 'dependentSchemas') where draft > 7
    loop
        if jsonb_typeof(child) <> 'array' and instance ? name then
            found := @extschema@._jsonschema_match(doc, draft, child, instance, base, scope, trail);
            if found is null then
                return null;
            end if;
            seen := seen || found;
        end if;
    end loop;
    return seen;
end
$$;

-- The members of an array or an object that were not evaluated and don't match the schema for such.
create function _jsonschema_unevaluated(doc jsonb, draft int, child jsonb, instance jsonb, seen text[],
    base text, scope text[]) returns text[]
    language plpgsql immutable parallel safe
    as $$
declare
    unexpected text[] := '{}';
    place text;
    value jsonb;
begin
    if child = 'true' or array_position(seen, null) is not null then
        return '{}';
    end if;
    for place, value in
        select left_out, instance #> array[left_out] from (
            select jsonb_object_keys(instance) where jsonb_typeof(instance) = 'object'
            union all
            select (number - 1)::text from generate_series(1, case jsonb_typeof(instance) when 'array'
                then jsonb_array_length(instance) else 0 end) as number
            except select unnest(seen)) as _ (left_out)
        order by case when jsonb_typeof(instance) = 'array' then left_out::int end, left_out collate "C"
    loop
        if @extschema@._jsonschema_match(doc, draft, child, value, base, scope, '{}') is null then
            unexpected := unexpected || place;
        end if;
    end loop;
    return unexpected;
end
$$;

create function _jsonschema_match(doc jsonb, draft int, node jsonb, instance jsonb,
    base text, scope text[], trail text[]) returns text[]
    language plpgsql immutable parallel safe
    as $$
declare
    kind constant text := jsonb_typeof(instance);
    seen text[] := '{}';
    found text[];
begin
    if node = 'true' then
        return seen;
    elsif node = 'false' then
        return null;
    end if;
    if doc ? 'ids' then
        if node ? '$schema' then
            draft := coalesce(@extschema@._jsonschema_draft(node, draft), draft);
        end if;
        base := @extschema@._jsonschema_base(draft, node, base);
        if scope[cardinality(scope)] is distinct from base then
            scope := scope || base;
        end if;
    end if;

    if node ?| '{$ref,$dynamicRef,$recursiveRef}' then
        if node ? '$ref' then
            found := @extschema@._jsonschema_match_reference(
                doc, draft, '$ref', node ->> '$ref', instance, base, scope, trail);
            if found is null or draft <= 7 then
                return found;
            end if;
            seen := seen || found;
        end if;
        if draft = 2020 and node ? '$dynamicRef' then
            found := @extschema@._jsonschema_match_reference(
                doc, draft, '$dynamicRef', node ->> '$dynamicRef', instance, base, scope, trail);
            if found is null then
                return null;
            end if;
            seen := seen || found;
        elsif draft = 2019 and node ? '$recursiveRef' then
            found := @extschema@._jsonschema_match_reference(
                doc, draft, '$recursiveRef', node ->> '$recursiveRef', instance, base, scope, trail);
            if found is null then
                return null;
            end if;
            seen := seen || found;
        end if;
    end if;

    if node ? 'type' and not node -> 'type' ? kind then
        if kind <> 'number' or not node -> 'type' ? 'integer' or not @extschema@._jsonschema_is_integer(draft, instance)
        then
            return null;
        end if;
    end if;
    if node ? 'enum' and not @extschema@._jsonschema_is_one_of(node -> 'enum', instance) then
        return null;
    elsif node ? 'const' and draft >= 6 and node -> 'const' <> instance then
        return null;
    end if;

    if kind = 'string' then
        if node ?| '{minLength,maxLength,pattern,format}'
            and not @extschema@._jsonschema_string_fits(doc, draft, node, instance #>> '{}')
        then
            return null;
        end if;
    elsif kind = 'number' then
        if node ?| '{minimum,maximum,exclusiveMinimum,exclusiveMaximum,multipleOf}'
            and not @extschema@._jsonschema_number_fits(draft, node, instance::numeric)
        then
            return null;
        end if;
    elsif kind = 'object' then
        if node ?| '{required,minProperties,maxProperties,dependencies,dependentRequired}'
            and not @extschema@._jsonschema_object_fits(draft, node, instance)
        then
            return null;
        end if;
        if node ?| '{properties,patternProperties,additionalProperties,propertyNames}' then
            found := @extschema@._jsonschema_match_properties(doc, draft, node, instance, base, scope);
            if found is null then
                return null;
            end if;
            seen := seen || found;
        end if;
        if node ?| '{dependencies,dependentSchemas}' then
            found := @extschema@._jsonschema_match_dependent(doc, draft, node, instance, base, scope, trail);
            if found is null then
                return null;
            end if;
            seen := seen || found;
        end if;
    elsif kind = 'array' then
        if node ?| '{minItems,maxItems,uniqueItems}' and not @extschema@._jsonschema_array_fits(node, instance) then
            return null;
        end if;
        if node ?| '{items,prefixItems,contains}' then
            found := @extschema@._jsonschema_match_items(doc, draft, node, instance, base, scope);
            if found is null then
                return null;
            end if;
            seen := seen || found;
        end if;
    end if;

    if node ?| '{allOf,anyOf,oneOf,not,if}' then
        found := @extschema@._jsonschema_match_combined(doc, draft, node, instance, base, scope, trail);
        if found is null then
            return null;
        end if;
        seen := seen || found;
    end if;

    if doc ? 'track' and draft > 7 and kind in ('object', 'array') then
        if node ? (case kind when 'object' then 'unevaluatedProperties' else 'unevaluatedItems' end) then
            if @extschema@._jsonschema_unevaluated(doc, draft,
                node -> case kind when 'object' then 'unevaluatedProperties' else 'unevaluatedItems' end,
                instance, seen, base, scope) <> '{}'
            then
                return null;
            end if;
            seen := seen || null::text;
        end if;
        return seen;
    end if;
    return '{}';
end
$$;

-- Errors, keyword by keyword in the order of their names --------------------------------------------------------------

-- `several`: of oneOf more than one matched.
create function _jsonschema_message(draft int, keyword text, node jsonb, instance jsonb, several boolean) returns text
    language plpgsql immutable parallel safe
    as $$
declare
    shown text := @extschema@._jsonschema_text(instance);
    value jsonb := node -> keyword;
    wanted text := @extschema@._jsonschema_text(value);
    ending text := case when value = '1' then '' else 's' end;
    exclusive boolean := draft = 4 and node -> ('exclusive' || initcap(keyword)) = 'true';
begin
    return case keyword
        when 'type' then case
            when jsonb_typeof(value) = 'string' or jsonb_array_length(value) = 1
                then format('%s is not of type "%s"', shown, coalesce(value ->> 0, value #>> '{}'))
            else shown || ' is not of types '
                || (select string_agg(distinct one::text, ', ') from jsonb_array_elements(value) as one) end
        when 'enum' then shown || ' is not one of ' || coalesce((
            select string_agg(case
                when place = 1 then ''
                when size > 3 and place = 3 then ' or '
                when size <= 3 and place = size then ' or '
                else ', ' end || case when size > 3 and place = 3 then size - 2 || ' other candidates'
                else @extschema@._jsonschema_text(option) end, '' order by place)
            from jsonb_array_elements(value) with ordinality as options (option, place),
                jsonb_array_length(value) as size where place <= 3), '')
        when 'const' then wanted || ' was expected'
        when 'minimum' then format('%s is less than %sthe minimum of %s', shown,
            case when exclusive then 'or equal to ' else '' end, wanted)
        when 'maximum' then format('%s is greater than %sthe maximum of %s', shown,
            case when exclusive then 'or equal to ' else '' end, wanted)
        when 'exclusiveMinimum' then format('%s is less than or equal to the minimum of %s', shown, wanted)
        when 'exclusiveMaximum' then format('%s is greater than or equal to the maximum of %s', shown, wanted)
        when 'multipleOf' then format('%s is not a multiple of %s', shown, wanted)
        when 'minLength' then format('%s is shorter than %s character%s', shown, wanted, ending)
        when 'maxLength' then format('%s is longer than %s character%s', shown, wanted, ending)
        when 'pattern' then format('%s does not match "%s"', shown, value #>> '{}')
        when 'format' then format('%s is not a "%s"', shown, value #>> '{}')
        when 'minItems' then format('%s has less than %s item%s', shown, wanted, ending)
        when 'maxItems' then format('%s has more than %s item%s', shown, wanted, ending)
        when 'uniqueItems' then shown || ' has non-unique elements'
        when 'contains' then format('None of %s are valid under the given schema', shown)
        when 'minProperties' then format('%s has less than %s propert%s', shown, wanted,
            case ending when '' then 'y' else 'ies' end)
        when 'maxProperties' then format('%s has more than %s propert%s', shown, wanted,
            case ending when '' then 'y' else 'ies' end)
        when 'not' then format('%s is not allowed for %s', wanted, shown)
        when 'anyOf' then shown || ' is not valid under any of the schemas listed in the ''anyOf'' keyword'
        when 'oneOf' then shown || ' is ' || case when several then 'valid under more than one' else
            'not valid under any' end || ' of the schemas listed in the ''oneOf'' keyword' end;
end
$$;

create function _jsonschema_required(names jsonb, instance jsonb) returns text[]
    language plpgsql immutable parallel safe
    as $$
begin
    return array(select to_json(name)::text || ' is a required property'
        from unnest(@extschema@._jsonschema_missing(names, instance)) as name);
end
$$;

-- (…) was unexpected
create function _jsonschema_unexpected(what text, names text[], quote text) returns text
    language plpgsql immutable parallel safe
    as $$
begin
    return format('%s are not allowed (%s %s unexpected)', what,
        (select string_agg(quote || name || quote, ', ' order by place)
            from unnest(names) with ordinality as _ (name, place)),
        case cardinality(names) when 1 then 'was' else 'were' end);
end
$$;

-- additionalProperties, when it excludes or describes some, speaks for properties and patternProperties as well.
create function _jsonschema_property_errors(doc jsonb, draft int, keyword text, node jsonb, instance jsonb,
    base text, scope text[]) returns text[]
    language plpgsql immutable parallel safe
    as $$
declare
    child constant jsonb := coalesce(node -> 'additionalProperties', 'true');
    described constant jsonb := coalesce(node -> 'properties', '{}');
    patterns constant jsonb := coalesce(node -> 'patternProperties', '{}');
    errors text[] := '{}';
    unexpected text[] := '{}';
    name text;
    value jsonb;
    pattern text;
    matched boolean;
begin
    if (keyword = 'additionalProperties') = (child = 'true') then
        return errors;
    end if;
    for name, value in select * from jsonb_each(instance) as _ (key) order by key collate "C" loop
        matched := false;
        if described ? name and keyword <> 'patternProperties' then
            matched := true;
            errors := errors || @extschema@._jsonschema_errors(
                doc, draft, described -> name, value, base, scope, '{}');
        end if;
        if keyword <> 'properties' then
            for pattern in select key from jsonb_object_keys(patterns) as key order by key collate "C" loop
                if @extschema@._jsonschema_fits(doc, pattern, name) then
                    matched := true;
                    errors := errors || @extschema@._jsonschema_errors(
                        doc, draft, patterns -> pattern, value, base, scope, '{}');
                end if;
            end loop;
        end if;
        if keyword <> 'additionalProperties' or matched then
            continue;
        elsif child = 'false' and (node ?| '{properties,patternProperties}') then
            unexpected := unexpected || name;
        else
            errors := errors || @extschema@._jsonschema_errors(doc, draft, child, value, base, scope, '{}');
            exit when child = 'false';
        end if;
    end loop;
    if unexpected <> '{}' then
        errors := errors || @extschema@._jsonschema_unexpected('Additional properties', unexpected, '''');
    end if;
    return errors;
end
$$;

create function _jsonschema_item_errors(doc jsonb, draft int, keyword text, node jsonb, instance jsonb,
    base text, scope text[]) returns text[]
    language plpgsql immutable parallel safe
    as $$
declare
    parts record := @extschema@._jsonschema_parts(draft, node);
    first constant int := coalesce(jsonb_array_length(parts.first), 0);
    size constant int := jsonb_array_length(instance);
    errors text[] := '{}';
begin
    if keyword = 'prefixItems' or keyword = 'items' and draft < 2020 and parts.first is not null then
        for place in 0 .. least(first, size) - 1 loop
            errors := errors || @extschema@._jsonschema_errors(
                doc, draft, parts.first -> place, instance -> place, base, scope, '{}');
        end loop;
    elsif keyword = 'additionalItems' and (parts.first is null or draft = 2020) then
        return errors;
    elsif keyword = 'additionalItems' and parts.others = 'false' and size > first then
        return array[@extschema@._jsonschema_unexpected('Additional items', array(
            select @extschema@._jsonschema_text(instance -> place)
            from generate_series(first, size - 1) as place), '')];
    elsif parts.others is not null then
        for place in first .. size - 1 loop
            errors := errors || @extschema@._jsonschema_errors(
                doc, draft, parts.others, instance -> place, base, scope, '{}');
        end loop;
    end if;
    return errors;
end
$$;

-- A keyword that describes members, letting pass whatever they are.
create function _jsonschema_loosened(keyword text, value jsonb) returns jsonb
    language plpgsql immutable parallel safe
    as $$
begin
    if keyword in ('properties', 'patternProperties') then
        return (select coalesce(jsonb_object_agg(name, true), '{}') from jsonb_object_keys(value) as name);
    elsif keyword in ('items', 'prefixItems') and jsonb_typeof(value) = 'array' then
        return (select coalesce(jsonb_agg(true), '[]') from jsonb_array_elements(value));
    end if;
    return case when keyword in ('items', 'additionalItems', 'additionalProperties') then 'true' else value end;
end
$$;

create function _jsonschema_errors(doc jsonb, draft int, node jsonb, instance jsonb,
    base text, scope text[], trail text[]) returns text[]
    language plpgsql immutable parallel safe
    as $$
declare
    kind constant text := jsonb_typeof(instance);
    errors text[] := '{}';
    keyword text;
    value jsonb;
    siblings jsonb;
    name text;
    child jsonb;
    found record;
    seen text[];
begin
    if node = 'false' then
        return array['False schema does not allow ' || @extschema@._jsonschema_text(instance)];
    elsif jsonb_typeof(node) <> 'object' then
        return errors;
    end if;
    if doc ? 'ids' then
        if node ? '$schema' then
            draft := coalesce(@extschema@._jsonschema_draft(node, draft), draft);
        end if;
        base := @extschema@._jsonschema_base(draft, node, base);
        if scope[cardinality(scope)] is distinct from base then
            scope := scope || base;
        end if;
    end if;

    for keyword, value in
        select * from jsonb_each(node) as _ (key)
        where draft > 7 or not node ? '$ref' or key = '$ref'
        order by key collate "C"
    loop
        if keyword = '$ref' or keyword = '$dynamicRef' and draft = 2020
            or keyword = '$recursiveRef' and draft = 2019
        then
            found := @extschema@._jsonschema_target(doc, base, scope, keyword, value #>> '{}');
            if found.uri = any(trail) then
                continue;
            elsif found.node is not null then
                errors := errors || @extschema@._jsonschema_errors(
                    doc, draft, found.node, instance, found.around, scope, trail || found.uri);
            else
                child := @extschema@._jsonschema_fault(null, found.meta, instance, '', '');
                if child is not null then
                    errors := errors || (child ->> 'message');
                end if;
            end if;
        elsif keyword = 'allOf' then
            for place in 0 .. jsonb_array_length(value) - 1 loop
                errors := errors || @extschema@._jsonschema_errors(
                    doc, draft, value -> place, instance, base, scope, trail);
            end loop;
        elsif keyword = 'if' then
            if draft >= 7 and node ?| '{then,else}' then
                child := node -> case
                    when @extschema@._jsonschema_match(doc, draft, value, instance, base, scope, trail) is null
                    then 'else' else 'then' end;
                if child is not null then
                    errors := errors || @extschema@._jsonschema_errors(
                        doc, draft, child, instance, base, scope, trail);
                end if;
            end if;
        elsif keyword in ('properties', 'patternProperties', 'additionalProperties') then
            if kind = 'object' then
                errors := errors || @extschema@._jsonschema_property_errors(
                    doc, draft, keyword, node, instance, base, scope);
            end if;
        elsif keyword in ('items', 'prefixItems', 'additionalItems') then
            if kind = 'array' and (keyword <> 'prefixItems' or draft = 2020) then
                errors := errors || @extschema@._jsonschema_item_errors(
                    doc, draft, keyword, node, instance, base, scope);
            end if;
        elsif keyword = 'propertyNames' then
            if kind = 'object' and draft >= 6 then
                for name in select key from jsonb_object_keys(instance) as key order by key collate "C" loop
                    errors := errors || @extschema@._jsonschema_errors(
                        doc, draft, value, to_jsonb(name), base, scope, '{}');
                end loop;
            end if;
        elsif keyword = 'required' then
            if kind = 'object' then
                errors := errors || @extschema@._jsonschema_required(value, instance);
            end if;
        elsif keyword in ('dependencies', 'dependentSchemas', 'dependentRequired') then
            if kind = 'object' and (draft > 7 or keyword = 'dependencies') then
                for name, child in select * from jsonb_each(value) as _ (key) order by key collate "C" loop
                    if not instance ? name then
                        continue;
                    elsif jsonb_typeof(child) = 'array' then
                        errors := errors || @extschema@._jsonschema_required(child, instance);
                    else
                        errors := errors || @extschema@._jsonschema_errors(
                            doc, draft, child, instance, base, scope, trail);
                    end if;
                end loop;
            end if;
        elsif keyword in ('unevaluatedProperties', 'unevaluatedItems') then
            if draft > 7 and kind = (case keyword when 'unevaluatedItems' then 'array' else 'object' end) then
                -- What a keyword evaluates counts here although it or another one fails.
                seen := '{}';
                for name, siblings in select names[1], jsonb_object_agg(key, @extschema@._jsonschema_loosened(key, member))
                    from jsonb_each(node - keyword) as _ (key, member), lateral (select case
                        when key in ('properties', 'patternProperties', 'additionalProperties') then '{properties}'
                        when key in ('items', 'prefixItems', 'additionalItems') then '{items}'
                        when key in ('if', 'then', 'else') then '{if}'
                        when key in ('contains', 'minContains', 'maxContains') then '{contains}'
                        else array[key] end) as _g (names)
                    where key not in ('$id', '$schema')
                    group by 1
                loop
                    seen := seen || coalesce(@extschema@._jsonschema_match(
                        doc, draft, siblings, instance, base, scope, trail), '{}');
                end loop;
                seen := @extschema@._jsonschema_unevaluated(doc, draft, value, instance, seen, base, scope);
                if seen <> '{}' and kind = 'object' then
                    errors := errors || @extschema@._jsonschema_unexpected('Unevaluated properties', seen, '''');
                elsif seen <> '{}' then
                    errors := errors || @extschema@._jsonschema_unexpected('Unevaluated items', array(
                        select @extschema@._jsonschema_text(instance -> one::int) from unnest(seen) as one), '''');
                end if;
            end if;
        elsif keyword not in ('$id', 'id', '$schema', 'then', 'else') then
            -- Any other keyword has one message, if it alone, with what modifies it, is not met.
            siblings := jsonb_build_object(keyword, value);
            for name in select one from unnest(case keyword
                when 'contains' then '{minContains,maxContains}'::text[]
                when 'minimum' then '{exclusiveMinimum}'
                when 'maximum' then '{exclusiveMaximum}' else '{}' end) as one
                where node ? one and (keyword = 'contains' or draft = 4)
            loop
                siblings := siblings || jsonb_build_object(name, node -> name);
            end loop;
            if @extschema@._jsonschema_match(doc, draft, siblings, instance, base, scope, trail) is null then
                errors := errors || @extschema@._jsonschema_message(draft, keyword, node, instance, keyword = 'oneOf'
                    and @extschema@._jsonschema_match(
                        doc, draft, jsonb_build_object('anyOf', value), instance, base, scope, trail) is not null);
            end if;
        end if;
    end loop;
    return errors;
end
$$;

-- A schema by itself --------------------------------------------------------------------------------------------------

-- What the meta-schemas want a keyword to be.
create function _jsonschema_shapes(draft int) returns jsonb
    language plpgsql immutable parallel safe
    as $$
begin
    return '{"type": "types", "enum": "options", "required": "names", "format": "string", "pattern": "string",
            "title": "string", "description": "string", "$schema": "string", "multipleOf": "positive",
            "minLength": "count", "maxLength": "count", "minItems": "count", "maxItems": "count",
            "minProperties": "count", "maxProperties": "count", "minimum": "number", "maximum": "number",
            "uniqueItems": "boolean", "allOf": "schemas", "anyOf": "schemas", "oneOf": "schemas",
            "properties": "members", "patternProperties": "members", "definitions": "members",
            "dependencies": "members"}'::jsonb
        || case when draft = 4 then
            '{"id": "string", "exclusiveMinimum": "boolean", "exclusiveMaximum": "boolean"}'
        else
            '{"$id": "string", "$ref": "string", "exclusiveMinimum": "number", "exclusiveMaximum": "number"}' end::jsonb
        || case when draft > 7 then
            '{"$anchor": "string", "$defs": "members", "dependentSchemas": "members", "dependentRequired": "members",
            "minContains": "count", "maxContains": "count"}'
        else '{}' end::jsonb
        || case when draft = 2020 then
            '{"prefixItems": "schemas", "$dynamicAnchor": "string", "$dynamicRef": "string"}'
        when draft = 2019 then '{"$recursiveRef": "string", "$recursiveAnchor": "boolean"}'
        else '{}' end::jsonb;
end
$$;

-- What is wrong with the value of a keyword, by its shape; null where nothing is.
create function _jsonschema_misshapen(draft int, shape text, value jsonb) returns text
    language plpgsql immutable parallel safe
    as $$
declare
    kind constant text := jsonb_typeof(value);
    wanted constant text := case shape when 'count' then 'integer' when 'positive' then 'number'
        when 'names' then 'array' when 'schemas' then 'array' when 'options' then 'array'
        when 'members' then 'object' else shape end;
begin
    if shape = 'types' then
        if not '["array", "boolean", "integer", "null", "number", "object", "string"]' @> value or kind = 'array' and (
            value = '[]' or @extschema@._jsonschema_misshapen(draft, 'names', value) is not null)
        then
            return @extschema@._jsonschema_text(value)
                || ' is not valid under any of the schemas listed in the ''anyOf'' keyword';
        end if;
    elsif kind <> wanted and not (kind = 'number' and wanted = 'integer'
        and @extschema@._jsonschema_is_integer(draft, value))
    then
        return format('%s is not of type "%s"', @extschema@._jsonschema_text(value), wanted);
    elsif shape = 'count' and value::numeric < 0 then
        return value::text || ' is less than the minimum of 0';
    elsif shape = 'positive' and value::numeric <= 0 then
        return value::text || ' is less than or equal to the minimum of 0';
    elsif value = '[]' and (shape = 'schemas' or shape = 'options' and draft <= 6) then
        return '[] has less than 1 item';
    elsif shape = 'names' and not @extschema@._jsonschema_are_strings(value) then
        return (select @extschema@._jsonschema_text(one) from jsonb_array_elements(value) as one
            where jsonb_typeof(one) <> 'string' limit 1) || ' is not of type "string"';
    elsif (shape = 'names' or shape = 'options' and draft <= 6)
        and not @extschema@._jsonschema_array_fits('{"uniqueItems": true}', value)
    then
        return @extschema@._jsonschema_text(value) || ' has non-unique elements';
    end if;
    return null;
end
$$;

create function _jsonschema_are_strings(value jsonb) returns boolean
    language plpgsql immutable parallel safe
    as $$
begin
    return not jsonb_path_exists(value, 'strict $[*] ? (@.type() <> "string")');
end
$$;

-- From draft 7 on: whether nothing is wrong with the keywords that most schemas are made of, and there are no others.
-- This is asked first, since it costs a fifth of the rest.
create function _jsonschema_is_plain(node jsonb) returns boolean
    language plpgsql immutable parallel safe
    as $$
begin
    return not jsonb_path_exists(node, 'strict $.keyvalue() ? (!(
        @.key == "type" && @.value.type() == "string" && (@.value == "string" || @.value == "number"
            || @.value == "integer" || @.value == "boolean" || @.value == "object" || @.value == "array"
            || @.value == "null")
        || @.key like_regex "^(min|max)(Length|Items|Properties)$" && @.value.type() == "number" && @.value >= 0
            && @.value == @.value.floor()
        || (@.key == "minimum" || @.key == "maximum") && @.value.type() == "number"
        || @.key == "enum" && @.value.type() == "array" || @.key == "uniqueItems" && @.value.type() == "boolean"
        || (@.key == "title" || @.key == "description" || @.key == "format" || @.key == "pattern")
            && @.value.type() == "string"
        || @.key == "const" || @.key == "default" || @.key == "examples"
        || @.key == "properties" && @.value.type() == "object"
        || (@.key == "allOf" || @.key == "anyOf" || @.key == "oneOf") && @.value.type() == "array" && @.value.size() > 0
        || @.key == "items" && @.value.type() == "object" || @.key == "additionalProperties" || @.key == "not"))');
end
$$;

-- The first fault of a schema: {"path": …, "message": …, "late": …}, or null. `late` is what the meta-schema does not
-- see: references that lead nowhere, and patterns from 2019-09 on. Without a document, only the meta-schema is asked.
create function _jsonschema_fault(doc jsonb, draft int, node jsonb, path text, base text) returns jsonb
    language plpgsql immutable parallel safe
    as $$
declare
    shapes jsonb;
    keyword text;
    message text;
    late boolean := false;
    plain boolean := false;
    fault jsonb;
    place text[];
    child jsonb;
    reference text;
begin
    if jsonb_typeof(node) = 'boolean' and (draft > 4 or path ~ '/additional(Properties|Items)$') then
        return null;
    elsif jsonb_typeof(node) <> 'object' then
        return jsonb_build_object('path', path, 'message', @extschema@._jsonschema_text(node) || case
            when draft = 4 then ' is not of type "object"' else ' is not of types "boolean", "object"' end);
    end if;
    if doc ? 'ids' then
        if node ? '$schema' then
            draft := coalesce(@extschema@._jsonschema_draft(node, draft), draft);
        end if;
        base := @extschema@._jsonschema_base(draft, node, base);
    end if;
    if draft >= 7 then
        plain := @extschema@._jsonschema_is_plain(node);
    end if;
    if not plain then
        shapes := @extschema@._jsonschema_shapes(draft);
        select key, flaw into keyword, message
        from jsonb_each(node) as _ (key, value), @extschema@._jsonschema_misshapen(draft, shapes ->> key, value) as flaw
        where shapes ? key and flaw is not null
        order by key limit 1;
    end if;
    if message is null and draft = 4 and node -> 'required' = '[]' then
        keyword := 'required';
        message := '[] has less than 1 item';
    end if;
    if message is null and node ?| '{dependencies,dependentRequired}' then
        for keyword, child in
            select 'dependencies/' || key, value from jsonb_each(node -> 'dependencies') as _ (key)
            union all
            select 'dependentRequired/' || key, value from jsonb_each(node -> 'dependentRequired') as _ (key)
            where draft > 7
        loop
            if jsonb_typeof(child) = 'array' or keyword like 'dependentRequired/%' then
                message := @extschema@._jsonschema_misshapen(draft, 'names', child);
                exit when message is not null;
            end if;
        end loop;
    end if;
    if message is null and doc is not null and node ?| '{pattern,patternProperties}' then
        for keyword, reference in
            select 'pattern', node ->> 'pattern' where node ? 'pattern'
            union all select 'patternProperties', jsonb_object_keys(node -> 'patternProperties')
        loop
            if doc #>> array['patterns', reference] is null then
                late := draft > 7 or draft = 4 and keyword = 'patternProperties';
                message := case when reference ~ '\\[pP]\{'
                    then format('%s is a pattern with \p{…}, which PostgreSQL does not know', to_json(reference))
                    else to_json(reference)::text || ' is not a "regex"' end;
                exit;
            end if;
        end loop;
    end if;
    if message is null and doc is not null and node ?| '{$ref,$dynamicRef,$recursiveRef}' then
        foreach keyword in array '{$ref,$dynamicRef,$recursiveRef}'::text[] loop
            if jsonb_typeof(node -> keyword) = 'string' and (keyword = '$ref'
                or keyword = '$dynamicRef' and draft = 2020 or keyword = '$recursiveRef' and draft = 2019)
            then
                message := (@extschema@._jsonschema_target(doc, base, '{}', keyword, node ->> keyword)).problem;
                late := true;
                exit when message is not null;
            end if;
        end loop;
    end if;
    if message is not null then
        return jsonb_build_object('path', path || '/' || keyword, 'message', message, 'late', late);
    end if;

    if node ?| '{items,prefixItems,contains,additionalItems,unevaluatedItems,allOf,anyOf,oneOf,not,if,then,else}'
        or node ?| '{properties,patternProperties,propertyNames,additionalProperties,unevaluatedProperties}'
        or node ?| '{dependencies,dependentSchemas,definitions,$defs}'
    then
        for place, child in select * from @extschema@._jsonschema_children(draft, node) loop
            fault := @extschema@._jsonschema_fault(doc, draft, child, path || '/' || array_to_string(place, '/'), base);
            exit when fault is not null;
        end loop;
    end if;
    return fault;
end
$$;

-- The document of a schema.
create function _jsonschema_prepared(schema json) returns jsonb
    language plpgsql immutable strict parallel safe
    set search_path = pg_catalog, pg_temp
    as $$
declare
    node constant jsonb := schema::jsonb;
    source constant text := node::text;
    draft constant int := @extschema@._jsonschema_draft(node, @extschema@._jsonschema_default());
    doc jsonb := jsonb_build_object('schema', node, 'draft', draft);
    fault jsonb;
begin
    if draft is null then
        return jsonb_build_object('fault', jsonb_build_object('path', '', 'message', format('Unknown meta-schema: '
            '''%s''. Custom meta-schemas must be registered in the registry before use', node ->> '$schema')));
    end if;
    if draft > 7 and strpos(source, '"unevaluated') > 0 then
        doc := doc || '{"track": true}';
    end if;
    if strpos(source, '"pattern') > 0 then
        doc := doc || jsonb_build_object('patterns', @extschema@._jsonschema_patterns(node));
    end if;
    if source ~ '"(\$?id|\$(dynamic|recursive)?[aA]nchor)"' then
        doc := doc || jsonb_build_object('ids', @extschema@._jsonschema_ids(draft, node, '', '{}'));
    end if;
    fault := @extschema@._jsonschema_fault(doc, draft, node, '', '');
    return case when fault is null then doc else doc || jsonb_build_object('fault', fault) end;
end
$$;

-- What the project calls ----------------------------------------------------------------------------------------------

create function _jsonschema_matches(document jsonb, instance jsonb) returns boolean
    language plpgsql immutable strict parallel safe
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if document ? 'fault' then
        raise exception 'Invalid schema: %', document #>> '{fault,message}' using errcode = 'internal_error';
    end if;
    -- An empty path yields the value itself, uncompressed: it is taken apart piece by piece.
    return @extschema@._jsonschema_match(document, (document -> 'draft')::int, document -> 'schema', instance #> '{}',
        '', '{}', '{}') is not null;
end
$$;

create function _jsonschema_all_errors(document jsonb, instance jsonb) returns text[]
    language plpgsql immutable strict parallel safe
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if document ? 'fault' then
        return array[document #>> '{fault,message}'];
    end if;
    return @extschema@._jsonschema_errors(document, (document -> 'draft')::int, document -> 'schema', instance #> '{}',
        '', '{}', '{}');
end
$$;

-- No search path is set on these three: PostgreSQL would not inline them.
create function json_matches_schema(schema json, instance json) returns boolean
    language sql immutable strict parallel safe
    as $$
        select @extschema@._jsonschema_matches(@extschema@._jsonschema_prepared($1), $2::pg_catalog.jsonb)
    $$;

create function jsonb_matches_schema(schema json, instance jsonb) returns boolean
    language sql immutable strict parallel safe
    as $$ select @extschema@._jsonschema_matches(@extschema@._jsonschema_prepared($1), $2) $$;

create function jsonschema_validation_errors(schema json, instance json) returns text[]
    language sql immutable strict parallel safe
    as $$
        select @extschema@._jsonschema_all_errors(@extschema@._jsonschema_prepared($1), $2::pg_catalog.jsonb)
    $$;

create function jsonschema_is_valid(schema json) returns boolean
    language plpgsql immutable strict parallel safe
    set search_path = pg_catalog, pg_temp
    as $$
declare
    fault constant jsonb := @extschema@._jsonschema_prepared(schema) -> 'fault';
begin
    if fault is null or fault -> 'late' = 'true' then
        return true;
    end if;
    raise notice 'Invalid JSON schema at path: %', fault ->> 'path';
    return false;
end
$$;
