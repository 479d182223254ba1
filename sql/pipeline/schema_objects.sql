-- Statements about what is in schemas subledger and report, who made it, and who stands in the way of a change.

-- name: list_objects
-- What is in the schemas. is_new: this transaction made it. fingerprint: changes where it is replaced, redefined or granted to
-- others. Grain: one row per object; indexes, row types and the like belong to one and are none.
select
    described.type || ' ' || described.identity as identity, link.xmin = pg_current_xact_id()::xid as is_new,
    md5(concat_ws(
        ' ', link.classid, link.objid, relation.relkind, relation.relowner, relation.relacl,
        pg_get_viewdef(relation.oid), routine.row
    )) as fingerprint
from pg_catalog.pg_depend link
cross join lateral pg_identify_object(link.classid, link.objid, 0) described
left join pg_catalog.pg_class relation on link.classid = 'pg_class'::regclass and relation.oid = link.objid
left join (select known.oid, known::text as row from pg_catalog.pg_proc known) routine
    on link.classid = 'pg_proc'::regclass and routine.oid = link.objid
where link.refclassid = 'pg_namespace'::regclass
    and link.refobjid in (select home.oid from pg_catalog.pg_namespace home where home.nspname in ('subledger', 'report'))
    and link.deptype = 'n'
order by 1

-- name: list_own_objects
-- What a migrator made. Grain: one row per object
select made.identity from subledger.schema_objects made

-- name: record_objects
-- Says that a migrator made them. Grain: one row per object. $1 identities
insert into subledger.schema_objects (identity)
select unnest($1::text[])
on conflict (identity) do nothing

-- name: list_readers
-- Views of others that read what a migrator made. Grain: one row per view
select distinct format('%I.%I', home.nspname, reader.relname) as name
from pg_catalog.pg_depend link
join pg_catalog.pg_rewrite rule on link.classid = 'pg_rewrite'::regclass and rule.oid = link.objid
join pg_catalog.pg_class reader on reader.oid = rule.ev_class
join pg_catalog.pg_namespace home on home.oid = reader.relnamespace
cross join lateral pg_identify_object(link.refclassid, link.refobjid, 0) source
cross join lateral pg_identify_object('pg_class'::regclass, reader.oid, 0) itself
where link.refclassid in ('pg_class'::regclass, 'pg_proc'::regclass)
    and source.schema in ('subledger', 'report')
    and source.type || ' ' || source.identity in (select made.identity from subledger.schema_objects made)
    and itself.type || ' ' || itself.identity not in (select made.identity from subledger.schema_objects made)
order by 1

-- name: list_grants
-- What others were granted on views, tables and routines of schema report: what is made anew gets it again.
-- Grain: one row per statement, in the order in which they are to be said
with held as (
    select
        format('%s %I.%I', 'table', home.nspname, relation.relname) as target, null as of_columns, relation.relowner as owner,
        relation.relacl as rights
    from pg_catalog.pg_class relation
    join pg_catalog.pg_namespace home on home.oid = relation.relnamespace
    where home.nspname = 'report' and relation.relkind in ('r', 'v') and relation.relacl is not null
    union all
    select
        format('%s %I.%I', 'table', home.nspname, relation.relname), format(' (%I)', part.attname), relation.relowner,
        part.attacl
    from pg_catalog.pg_class relation
    join pg_catalog.pg_namespace home on home.oid = relation.relnamespace
    join pg_catalog.pg_attribute part on part.attrelid = relation.oid and part.attacl is not null
    where home.nspname = 'report' and relation.relkind in ('r', 'v')
    union all
    select
        format(
            'routine %I.%I(%s)', home.nspname, routine.proname, pg_get_function_identity_arguments(routine.oid)), null,
        routine.proowner, routine.proacl
    from pg_catalog.pg_proc routine
    join pg_catalog.pg_namespace home on home.oid = routine.pronamespace
    where home.nspname = 'report' and routine.proacl is not null
)

select said.target, said.statement
from (
    -- What everybody may do with a new routine was taken away, where it is not said again below.
    select held.target, 0 as place, format('revoke all on %s from public', held.target) as statement
    from held
    where held.target like 'routine %'
    union all
    select
        held.target, 1,
        format(
            'grant %s%s on %s to %s%s', lower(one.privilege_type), held.of_columns, held.target,
            case when one.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(one.grantee)) end,
            case when one.is_grantable then ' with grant option' else '' end)
    from held
    cross join lateral aclexplode(held.rights) one
    where one.grantee <> held.owner
) said
order by said.target, said.place, said.statement

-- name: list_blockers
-- Who keeps a session waiting, as far as this role may see. Grain: one row per session that holds what it waits for. $1 its
-- process id on the server
select
    holder.pid, coalesce(holder.usename, '') as role, coalesce(holder.application_name, '') as application,
    coalesce(holder.state, '') as state,
    coalesce(to_char(holder.xact_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), '') as since,
    coalesce((
        select string_agg(distinct format('%I.%I', home.nspname, named.relname), ', ')
        from pg_catalog.pg_locks wanted
        join pg_catalog.pg_locks held
            on held.locktype = wanted.locktype and held.database = wanted.database and held.relation = wanted.relation
        join pg_catalog.pg_class named on named.oid = wanted.relation
        join pg_catalog.pg_namespace home on home.oid = named.relnamespace
        where wanted.pid = $1::integer and not wanted.granted and held.pid = holder.pid and held.granted
    ), '') as relations
from unnest(pg_blocking_pids($1::integer)) blocker (pid)
join pg_catalog.pg_stat_activity holder on holder.pid = blocker.pid
order by holder.pid

-- name: own_process
-- Grain: one row
select pg_backend_pid() as pid
