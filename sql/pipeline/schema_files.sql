-- Statements about the list of schema files, and the lock of whoever changes the schema.

-- name: find_schema
-- Whose the schema is. is_own: this role may change it; is_granted: it may write in it, as subledger_night does; has_temp: it may make
-- tables of its session. Grain: one row, none where this database was never migrated.
select
    current_database()::text as database, has_database_privilege(current_database(), 'temp') as has_temp,
    pg_get_userbyid(known.relowner)::text as owner, current_user::text as role,
    pg_has_role(known.relowner, 'usage') as is_own,
    has_schema_privilege(home.oid, 'usage') and has_any_column_privilege(known.oid, 'update') as is_granted
from pg_catalog.pg_class known
join pg_catalog.pg_namespace home on home.oid = known.relnamespace
where home.nspname = 'subledger' and known.relname = 'schema_files'

-- name: create_schemas
-- The schemas, unless somebody has made them empty.
do $$
begin
    if to_regnamespace('subledger') is null then
        create schema subledger;
        comment on schema subledger is 'Subscriptions, canonical transactions, the money ledger and the runs that wrote them';
    end if;
    if to_regnamespace('marts') is null then
        create schema marts;
        comment on schema marts is 'The tables that reports are made from, and the functions that make them';
    end if;
    if to_regnamespace('report') is null then
        create schema report;
        comment on schema report is 'What people read: one view per report with the columns of its CSV, and views for BI tools';
    end if;
end
$$

-- name: list_schemas_of_others
-- Schemas of our names that belong to a role which is neither this one, nor one that it is, nor a superuser: such a role may replace
-- and drop whatever is made in them. Grain: one row per schema
select home.nspname::text as name, owner.rolname::text as owner
from pg_catalog.pg_namespace home
join pg_catalog.pg_roles owner on owner.oid = home.nspowner
cross join pg_catalog.pg_roles own
where home.nspname in ('subledger', 'marts', 'report')
    and own.rolname = current_user
    and owner.oid <> own.oid
    and not owner.rolsuper
    and (own.rolsuper or not pg_has_role(owner.oid, 'usage'))
order by 1

-- name: record_schema_file
-- Grain: one row. $1 path, $2 text; a report's file may be applied again when its text changed
insert into subledger.schema_files as stored (path, checksum)
values ($1::text, encode(sha256(convert_to($2::text, 'UTF8')), 'hex'))
on conflict (path) do update set checksum = excluded.checksum, applied_at = now()

-- name: applied_files
-- Which schema files were applied, with the checksum they had.
-- Grain: one row per file
select path, checksum from subledger.schema_files order by path

-- name: list_unknown_migrations
-- Migrations that a newer program has applied. Grain: one row per file, the newest first. $1 those that this program knows
select path
from subledger.schema_files
where path like 'migrations/%' and path <> all ($1::text[])
order by path desc

-- name: checksum
-- Grain: one row per text, in order. $1 texts
select encode(sha256(convert_to(text, 'UTF8')), 'hex') as checksum
from unnest($1::text[]) with ordinality as file (text, place)
order by place

-- name: share_schema
-- The schema stays as it is until the end of this transaction: a migrator waits for it, then sees what it did. It locks the table
-- and no row, which takes the right to update a column of it: a reader has none. Grain: none
select from subledger.schema_files where false for key share

-- name: limit_lock_waits
-- Until the end of this transaction a lock is waited for so long: who waits for what this one holds waits no longer.
-- Grain: one row. $1 milliseconds; $2 true: as long as it takes that a vacuum of the server's own gives way, if that is longer
select set_config(
    'lock_timeout',
    greatest($1::bigint, case when $2::boolean then limit_of.milliseconds + 200 end)::text || 'ms', true) as lock_timeout
from (
    select known.setting::bigint as milliseconds from pg_catalog.pg_settings known where known.name = 'deadlock_timeout'
) limit_of

-- name: lock_schema
-- One migrator at a time, until the end of its transaction; whoever reads the table does not matter.
lock table subledger.schema_files in exclusive mode

-- name: are_roles_granted
-- Whether this database was shared with the roles of sql/roles: they belong to the whole server, which may hold others.
-- Grain: one row.
select count(*) = 3 and bool_and(has_schema_privilege(role.oid, 'subledger', 'usage')) as are_granted
from pg_catalog.pg_roles role
where role.rolname in ('subledger_backend', 'subledger_analyst', 'subledger_night')
