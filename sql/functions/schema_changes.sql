-- What a migrator does to what it has made: its own alone. Views of others that read any of it are not taken along: PostgreSQL
-- refuses, and nothing is done.

-- Takes away some views or tables of the reports, which are named with their schema.
create or replace procedure subledger.drop_relations(kind text, relation_names text[])
language plpgsql
as $$
declare
    own text := (
        select string_agg(wanted.name, ', ')
        from unnest(drop_relations.relation_names) wanted (name)
        join subledger.schema_objects made on made.identity = drop_relations.kind || ' ' || wanted.name
    );
begin
    if own is not null then
        execute format('drop %s if exists %s', drop_relations.kind, own);
    end if;
end
$$;

comment on procedure subledger.drop_relations is 'Takes views or tables away that subledger made for its reports, so that they can be made in another form';

-- Takes away all functions that reports are made with.
create or replace procedure subledger.drop_functions()
language plpgsql
as $$
declare
    own text := (
        select string_agg(format('%I.%I(%s)', home.nspname, routine.proname, pg_get_function_identity_arguments(routine.oid)), ', ')
        from pg_catalog.pg_proc routine
        join pg_catalog.pg_namespace home on home.oid = routine.pronamespace
        cross join lateral pg_identify_object('pg_proc'::regclass, routine.oid, 0) described
        join subledger.schema_objects made on made.identity = described.type || ' ' || described.identity
        where (home.nspname in ('marts', 'report') or (home.nspname = 'subledger' and routine.proname like '%\_as\_of'))
            and routine.prokind in ('f', 'a')
            and routine.proname <> 'correct_table'
    );
begin
    if own is not null then
        execute format('drop routine %s', own);
    end if;
end
$$;

comment on procedure subledger.drop_functions is 'Takes the functions away that reports are made with, so that they can be made in another form';

-- Takes away what an earlier version made in schemas marts and report and this one has no more: views and tables that are not named
-- (with their schema), and functions that this transaction has not defined again.
create or replace procedure subledger.drop_obsolete(view_names text[], table_names text[])
language plpgsql
as $$
declare
    old record;
begin
    for old in
        select described.type, described.identity
        from pg_catalog.pg_depend link
        cross join lateral pg_identify_object(link.classid, link.objid, 0) described
        join subledger.schema_objects made on made.identity = described.type || ' ' || described.identity
        where link.refclassid = 'pg_namespace'::regclass
            and link.refobjid in ('marts'::regnamespace, 'report'::regnamespace)
            and link.deptype = 'n'
            and case described.type
                when 'view' then described.identity <> all (drop_obsolete.view_names)
                when 'table' then described.identity <> all (drop_obsolete.table_names)
                when 'function' then link.xmin <> pg_current_xact_id()::xid
                else false
            end
        order by described.type desc
    loop
        execute format('drop %s %s', old.type, old.identity);
    end loop;
end
$$;

comment on procedure subledger.drop_obsolete is 'Takes away what an earlier version made in schemas marts and report and this one has no more';

-- Takes the locks that a change of these views and tables needs, within lock_timeout in all, until the end of the transaction: readers
-- who queue behind the first of them wait no longer for the last. They are named with their schema; one that is not there yet needs
-- none. A view has no lock of its own to ask for (LOCK TABLE takes those of all that it reads, too): an ALTER that changes nothing
-- takes it.
create or replace procedure subledger.lock_relations(relation_names text[])
language plpgsql
as $$
declare
    started timestamptz := clock_timestamp();
    budget bigint := (select known.setting from pg_catalog.pg_settings known where known.name = 'lock_timeout');
    relation record;
begin
    for relation in
        select
            format('%I.%I', home.nspname, found.relname) as name, found.relkind as kind,
            pg_get_userbyid(found.relowner) as owner
        from unnest(lock_relations.relation_names) with ordinality wanted (name, place)
        join pg_catalog.pg_class found on found.oid = to_regclass(wanted.name)
        join pg_catalog.pg_namespace home on home.oid = found.relnamespace
        where found.relkind in ('r', 'v')
        order by wanted.place
    loop
        perform set_config(
            'lock_timeout',
            greatest(1, budget - extract(epoch from clock_timestamp() - started) * 1000)::bigint || 'ms', true);
        if relation.kind = 'v' then
            execute format('alter view %s owner to %I', relation.name, relation.owner);
        else
            execute format('lock table %s in access exclusive mode', relation.name);
        end if;
    end loop;
end
$$;

comment on procedure subledger.lock_relations is 'Locks views and tables before they are changed, within lock_timeout in all';
