-- Empties one of the materialised tables.
create or replace procedure marts.empty_table(table_name text)
language plpgsql
as $$
begin
    execute format('truncate marts.%I', empty_table.table_name);
end
$$;

-- Replaces a materialised table by what the session rebuilt (its own table of that name); gives the rows that were otherwise.
create or replace function marts.correct_table(table_name text) returns bigint
language plpgsql
as $$
declare
    corrected bigint;
begin
    execute format(
        'select count(*) from (
            (table marts.%1$I except all table pg_temp.%1$I) union all (table pg_temp.%1$I except all table marts.%1$I)
        ) difference', correct_table.table_name)
    into corrected;
    if corrected > 0 then
        execute format('truncate marts.%I', correct_table.table_name);
        execute format('insert into marts.%1$I table pg_temp.%1$I', correct_table.table_name);
    end if;
    return corrected;
end
$$;

comment on procedure marts.empty_table is 'Empties one of the materialised tables, so that it can be filled again';
comment on function marts.correct_table is 'Replaces the materialised table by the session''s of that name; gives the rows that were otherwise';

-- Replaces a session's view by its rows, until the transaction ends or the view is wanted again: whoever
-- names the report reads them instead of computing it once more.
create or replace procedure marts.materialise_rows(view_name text)
language plpgsql
as $$
begin
    execute format('alter view pg_temp.%I rename to %I', materialise_rows.view_name, materialise_rows.view_name || '_view');
    execute format(
        'create temp table %I on commit drop as table pg_temp.%I', materialise_rows.view_name, materialise_rows.view_name || '_view');
    execute format('analyze pg_temp.%I', materialise_rows.view_name);
end
$$;

-- Adds to them the days from the scope's first one on, of a report whose days do not depend on each other.
create or replace procedure marts.materialise_days_to_come(view_name text)
language plpgsql
as $$
begin
    execute format(
        'insert into pg_temp.%I
        select added.* from pg_temp.%I added where added.date >= (select scope.from_date from pg_temp.report_scope scope)',
        materialise_days_to_come.view_name, materialise_days_to_come.view_name || '_view');
end
$$;

-- Restores the view in place of its rows.
create or replace procedure marts.release_rows(view_name text)
language plpgsql
as $$
begin
    execute format('drop table pg_temp.%I', release_rows.view_name);
    execute format('alter view pg_temp.%I rename to %I', release_rows.view_name || '_view', release_rows.view_name);
end
$$;

-- Takes a session's view away, so that it can be made over other rows.
create or replace procedure marts.drop_view(view_name text)
language plpgsql
as $$
begin
    execute format('drop view pg_temp.%I', drop_view.view_name);
end
$$;

comment on procedure marts.materialise_rows is 'Replaces a session''s view by its rows';
comment on procedure marts.materialise_days_to_come is 'Adds the days from the scope''s first one on to the rows that replace a session''s view';
comment on procedure marts.release_rows is 'Restores a session''s view in place of its rows';
comment on procedure marts.drop_view is 'Takes a session''s view away, so that it can be made over other rows';
