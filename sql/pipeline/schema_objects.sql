-- Statements about what is in schemas subledger, marts and report, who made it, and who blocks a change.

-- name: list_objects
-- What is in the schemas, and the indexes, triggers, rules and policies on it. name: with its schema, of a routine without its
-- parameters. is_new: this transaction made it, or replaced it (a routine). Grain: one row per object
with found as (
    select link.classid, link.objid, link.xmin as made_by
    from pg_catalog.pg_depend link
    where link.refclassid = 'pg_namespace'::regclass
        and link.refobjid in (to_regnamespace('subledger'), to_regnamespace('marts'), to_regnamespace('report'))
        and link.deptype = 'n'
    union all
    select 'pg_class'::regclass, index.oid, index.xmin
    from pg_catalog.pg_class index
    where index.relnamespace in (to_regnamespace('subledger'), to_regnamespace('marts'), to_regnamespace('report'))
        and index.relkind in ('i', 'I')
    union all
    select 'pg_trigger'::regclass, part.oid, part.xmin
    from pg_catalog.pg_trigger part
    join pg_catalog.pg_class owner on owner.oid = part.tgrelid
    where owner.relnamespace in (to_regnamespace('subledger'), to_regnamespace('marts'), to_regnamespace('report'))
        and not part.tgisinternal
    union all
    select 'pg_rewrite'::regclass, part.oid, part.xmin
    from pg_catalog.pg_rewrite part
    join pg_catalog.pg_class owner on owner.oid = part.ev_class
    where owner.relnamespace in (to_regnamespace('subledger'), to_regnamespace('marts'), to_regnamespace('report'))
        and part.rulename <> '_RETURN'
    union all
    select 'pg_policy'::regclass, part.oid, part.xmin
    from pg_catalog.pg_policy part
    join pg_catalog.pg_class owner on owner.oid = part.polrelid
    where owner.relnamespace in (to_regnamespace('subledger'), to_regnamespace('marts'), to_regnamespace('report'))
)

select
    described.type || ' ' || described.identity as identity,
    coalesce(home.nspname || '.' || routine.proname, described.schema || '.' || described.name, '') as name,
    found.objid::bigint as object_id,
    found.made_by = pg_current_xact_id()::xid as is_new
from found
cross join lateral pg_identify_object(found.classid, found.objid, 0) described
left join pg_catalog.pg_proc routine on found.classid = 'pg_proc'::regclass and routine.oid = found.objid
left join pg_catalog.pg_namespace home on home.oid = routine.pronamespace
order by 1

-- name: list_own_objects
-- What migrators made. Grain: one row per object
select made.identity from subledger.schema_objects made

-- name: record_objects
-- Says that a migrator made them. Grain: one row per object. $1 identities
insert into subledger.schema_objects (identity)
select unnest($1::text[])
on conflict (identity) do nothing

-- name: forget_objects
-- What a migrator made and took away again. Grain: one row per object. $1 identities that are there
delete from subledger.schema_objects made where made.identity <> all ($1::text[])

-- name: list_shadows
-- Routines and operators of others that bear the name of a built-in one: PostgreSQL takes the one whose parameters fit best, in
-- whichever schema of the search path it is. Grain: one row per routine or operator
select described.type || ' ' || described.identity as identity
from (
    select 'pg_proc'::regclass as classid, own.oid
    from pg_catalog.pg_proc own
    where own.pronamespace in (to_regnamespace('subledger'), to_regnamespace('marts'), to_regnamespace('report'))
        and exists (
            select from pg_catalog.pg_proc built_in
            where built_in.pronamespace = 'pg_catalog'::regnamespace and built_in.proname = own.proname
        )
    union all
    select 'pg_operator'::regclass, own.oid
    from pg_catalog.pg_operator own
    where own.oprnamespace in (to_regnamespace('subledger'), to_regnamespace('marts'), to_regnamespace('report'))
) found
cross join lateral pg_identify_object(found.classid, found.oid, 0) described
where described.type || ' ' || described.identity not in (select made.identity from subledger.schema_objects made)
order by 1

-- name: list_dependents
-- What others have built on views and tables of ours that are to be made in another form, and on the functions of the reports where
-- these are, too. Grain: one row per object. $1 views and tables with their schema, $2 true: also functions
with dropped as (
    select 'pg_class'::regclass as classid, to_regclass(name)::oid as oid
    from unnest($1::text[]) name
    union all
    select 'pg_type'::regclass, relation.reltype
    from unnest($1::text[]) name
    join pg_catalog.pg_class relation on relation.oid = to_regclass(name)
    union all
    select 'pg_proc'::regclass, routine.oid
    from pg_catalog.pg_proc routine
    cross join lateral pg_identify_object('pg_proc'::regclass, routine.oid, 0) described
    where $2::boolean
        and routine.pronamespace in ('subledger'::regnamespace, 'marts'::regnamespace, 'report'::regnamespace)
        and described.type || ' ' || described.identity in (select made.identity from subledger.schema_objects made)
        and (routine.pronamespace <> 'subledger'::regnamespace or routine.proname like '%\_as\_of')
),

linked as (
    select
        case when rule.rulename = '_RETURN' then 'pg_class'::regclass else link.classid end as classid,
        case when rule.rulename = '_RETURN' then rule.ev_class else link.objid end as objid
    from dropped
    join pg_catalog.pg_depend link
        on link.refclassid = dropped.classid and link.refobjid = dropped.oid and link.deptype in ('n', 'a')
    left join pg_catalog.pg_rewrite rule on link.classid = 'pg_rewrite'::regclass and rule.oid = link.objid
    left join pg_catalog.pg_constraint bound on link.classid = 'pg_constraint'::regclass and bound.oid = link.objid
    where link.classid <> 'pg_attrdef'::regclass
        -- A constraint of the table itself goes with it.
        and bound.conrelid is distinct from dropped.oid
)

select distinct described.type || ' ' || described.identity as identity
from linked
cross join lateral pg_identify_object(linked.classid, linked.objid, 0) described
where described.type || ' ' || described.identity not in (select made.identity from subledger.schema_objects made)
order by 1

-- name: list_grants
-- What others were granted on what is taken away where it is made in another form. Grain: one row per statement, in the order in
-- which they are to be said
with stored as (
    select
        'pg_class'::regclass as classid, relation.oid, format('table %I.%I', home.nspname, relation.relname) as target,
        null::name as part, relation.relowner as owner, relation.relacl as rights
    from pg_catalog.pg_class relation
    join pg_catalog.pg_namespace home on home.oid = relation.relnamespace
    where home.nspname in ('marts', 'report') and relation.relkind in ('r', 'v') and relation.relacl is not null
    union all
    select
        'pg_class'::regclass, relation.oid, format('table %I.%I', home.nspname, relation.relname), part.attname,
        relation.relowner, part.attacl
    from pg_catalog.pg_class relation
    join pg_catalog.pg_namespace home on home.oid = relation.relnamespace
    join pg_catalog.pg_attribute part on part.attrelid = relation.oid and part.attacl is not null
    where home.nspname in ('marts', 'report') and relation.relkind in ('r', 'v')
    union all
    select
        'pg_proc'::regclass, routine.oid,
        format(
            'routine %I.%I(%s)', home.nspname, routine.proname, pg_get_function_identity_arguments(routine.oid)),
        null, routine.proowner, routine.proacl
    from pg_catalog.pg_proc routine
    join pg_catalog.pg_namespace home on home.oid = routine.pronamespace
    where home.nspname in ('subledger', 'marts', 'report') and routine.proacl is not null
)

select
    described.type || ' ' || described.identity as identity, said.oid::bigint as object_id, coalesce(said.part, '') as part,
    said.statement
from (
    -- What everybody may do with a new routine was taken away, where it is not said again below.
    select stored.classid, stored.oid, stored.part, 0 as place, format('revoke all on %s from public', stored.target) as statement
    from stored
    where stored.target like 'routine %'
    union all
    select
        stored.classid, stored.oid, stored.part, 1,
        format(
            'grant %s%s on %s to %s%s', lower(one.privilege_type), format(' (%I)', stored.part), stored.target,
            case when one.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(one.grantee)) end,
            case when one.is_grantable then ' with grant option' else '' end)
    from stored
    cross join lateral aclexplode(stored.rights) one
    where one.grantee <> stored.owner and stored.part is not null
    union all
    select
        stored.classid, stored.oid, stored.part, 1,
        format(
            'grant %s on %s to %s%s', lower(one.privilege_type), stored.target,
            case when one.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(one.grantee)) end,
            case when one.is_grantable then ' with grant option' else '' end)
    from stored
    cross join lateral aclexplode(stored.rights) one
    where one.grantee <> stored.owner and stored.part is null
) said
cross join lateral pg_identify_object(said.classid, said.oid, 0) described
order by 1, said.place, 4

-- name: list_columns
-- The columns of views and tables of schemas marts and report. Grain: one row per column
select part.attrelid::bigint as object_id, part.attname::text as name
from pg_catalog.pg_attribute part
join pg_catalog.pg_class relation on relation.oid = part.attrelid
where relation.relnamespace in ('marts'::regnamespace, 'report'::regnamespace) and part.attnum > 0 and not part.attisdropped

-- name: is_vacuumed
-- Whether a process of the server holds the lock of a vacuum on any table of ours. It gives way to whoever has waited for
-- deadlock_timeout. Grain: one row
select exists (
    select
    from pg_catalog.pg_locks stored
    join pg_catalog.pg_class relation on relation.oid = stored.relation
    join pg_catalog.pg_stat_activity blocking_user on blocking_user.pid = stored.pid
    where stored.granted
        and stored.mode = 'ShareUpdateExclusiveLock'
        and stored.database = (select own.oid from pg_catalog.pg_database own where own.datname = current_database())
        and relation.relnamespace in (to_regnamespace('subledger'), to_regnamespace('marts'), to_regnamespace('report'))
        and blocking_user.usename is null
) as is_so

-- name: lock_relations
-- $1 views and tables, with their schemas
call subledger.lock_relations($1::text[])

-- name: drop_views
-- $1 views, with their schema
call subledger.drop_relations('view', $1::text[])

-- name: drop_tables
-- $1 tables, with their schema
call subledger.drop_relations('table', $1::text[])

-- name: drop_functions
-- Those that reports are made with.
call subledger.drop_functions()

-- name: drop_obsolete
-- $1 views, $2 tables of the reports that this version has, with their schema
call subledger.drop_obsolete($1::text[], $2::text[])
