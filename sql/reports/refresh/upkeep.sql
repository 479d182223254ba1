-- What a migrator takes away so that it can be made in another form: its own alone. Views of others that read any of it are
-- not taken along: PostgreSQL refuses, and nothing is done.
--
-- Some of its own views and tables, which are named without their schema.
create or replace procedure report.drop_relations(kind text, relation_names text[])
language plpgsql
as $$
declare
    own text := (
        select string_agg(format('report.%I', wanted.name), ', ')
        from unnest(drop_relations.relation_names) wanted (name)
        join subledger.schema_objects made
            on made.identity = format('%s report.%I', drop_relations.kind, wanted.name)
    );
begin
    if own is not null then
        execute format('drop %s if exists %s', drop_relations.kind, own);
    end if;
end
$$;

comment on procedure report.drop_relations is 'Takes views or tables away that subledger made in schema report, so that they can be made in another form';

-- All its functions, but what this file makes.
create or replace procedure report.drop_functions()
language plpgsql
as $$
declare
    own text := (
        select string_agg(format('%I.%I(%s)', home.nspname, routine.proname, pg_get_function_identity_arguments(routine.oid)), ', ')
        from pg_catalog.pg_proc routine
        join pg_catalog.pg_namespace home on home.oid = routine.pronamespace
        cross join lateral pg_identify_object('pg_proc'::regclass, routine.oid, 0) described
        join subledger.schema_objects made on made.identity = described.type || ' ' || described.identity
        where (home.nspname = 'report' or (home.nspname = 'subledger' and routine.proname like '%\_as\_of'))
            and routine.prokind in ('f', 'a')
            and routine.proname <> 'correct_table'
    );
begin
    if own is not null then
        execute format('drop routine %s', own);
    end if;
end
$$;

comment on procedure report.drop_functions is 'Takes the functions away that reports are made with, so that they can be made in another form';

-- Takes the locks that a change of these views and tables needs, within a second in all, until the end of the transaction:
-- readers who queue behind the first of them wait no longer for the last. What is not there yet needs none.
-- A view has no lock of its own to ask for (LOCK TABLE takes those of all that it reads, too): an ALTER that changes nothing
-- takes it.
create or replace procedure report.lock_relations(relation_names text[])
language plpgsql
as $$
declare
    begun timestamptz := clock_timestamp();
    relation record;
begin
    for relation in
        select found.relname as name, found.relkind as kind, pg_get_userbyid(found.relowner) as owner
        from pg_catalog.pg_class found
        where found.relnamespace = 'report'::regnamespace
            and found.relname = any (lock_relations.relation_names)
            and found.relkind in ('r', 'v')
        order by found.relname
    loop
        perform set_config(
            'lock_timeout',
            greatest(1, 1000 - extract(epoch from clock_timestamp() - begun) * 1000)::integer || 'ms', true);
        if relation.kind = 'v' then
            execute format('alter view report.%I owner to %I', relation.name, relation.owner);
        else
            execute format('lock table report.%I in access exclusive mode', relation.name);
        end if;
    end loop;
end
$$;

comment on procedure report.lock_relations is 'Locks views and tables of schema report before they are changed, within a second in all';

-- Empties one of the kept tables.
create or replace procedure report.empty_table(table_name text)
language plpgsql
as $$
begin
    execute format('truncate report.%I', empty_table.table_name);
end
$$;

-- Puts what the session made anew (its own table of that name) in place of a kept table; gives the rows that were otherwise.
create or replace function report.correct_table(table_name text) returns bigint
language plpgsql
as $$
declare
    corrected bigint;
begin
    execute format(
        'select count(*) from (
            (table report.%1$I except all table pg_temp.%1$I) union all (table pg_temp.%1$I except all table report.%1$I)
        ) difference', correct_table.table_name)
    into corrected;
    if corrected > 0 then
        execute format('truncate report.%I', correct_table.table_name);
        execute format('insert into report.%1$I table pg_temp.%1$I', correct_table.table_name);
    end if;
    return corrected;
end
$$;

comment on procedure report.empty_table is 'Empties one of the kept tables, so that it can be filled anew';
comment on function report.correct_table is 'Puts a session''s table in place of the kept one of that name; gives the rows that were otherwise';

-- Puts the rows that a session's view shows in place of it, until the transaction ends or the view is wanted again: whoever
-- names the report reads them instead of reckoning it once more.
create or replace procedure report.hold_rows(view_name text)
language plpgsql
as $$
begin
    execute format('alter view pg_temp.%I rename to %I', hold_rows.view_name, hold_rows.view_name || '_view');
    execute format(
        'create temp table %I on commit drop as table pg_temp.%I', hold_rows.view_name, hold_rows.view_name || '_view');
    execute format('analyze pg_temp.%I', hold_rows.view_name);
end
$$;

-- Adds to them the days from the scope's first one on, of a report whose days stand for themselves.
create or replace procedure report.hold_days_to_come(view_name text)
language plpgsql
as $$
begin
    execute format(
        'insert into pg_temp.%I
        select shown.* from pg_temp.%I shown where shown.date >= (select scope.from_date from pg_temp.report_scope scope)',
        hold_days_to_come.view_name, hold_days_to_come.view_name || '_view');
end
$$;

-- Puts the view in place of its rows again.
create or replace procedure report.release_rows(view_name text)
language plpgsql
as $$
begin
    execute format('drop table pg_temp.%I', release_rows.view_name);
    execute format('alter view pg_temp.%I rename to %I', release_rows.view_name || '_view', release_rows.view_name);
end
$$;

comment on procedure report.hold_rows is 'Puts the rows that a session''s view shows in place of it';
comment on procedure report.hold_days_to_come is 'Adds the days from the scope''s first one on to the rows in the place of a session''s view';
comment on procedure report.release_rows is 'Puts a session''s view in place of its rows again';
