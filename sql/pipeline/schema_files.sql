-- Statements about the list of schema files, and the lock of whoever changes the schema.

-- name: create_schema_files
-- The list of applied schema files. It lives outside the schemas it describes.
create table if not exists public.subledger_schema_files (
    path text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()
);
comment on table public.subledger_schema_files is 'Schema files of subledger that were applied, with their checksums'

-- name: record_schema_file
-- Grain: one row. $1 path, $2 text; a report's file may be applied again when its text changed
insert into public.subledger_schema_files as held (path, checksum)
values ($1::text, encode(sha256(convert_to($2::text, 'UTF8')), 'hex'))
on conflict (path) do update set checksum = excluded.checksum, applied_at = now()

-- name: applied_migrations
-- Which schema files were applied, with the checksum they had.
-- Grain: one row per file
select path, checksum from public.subledger_schema_files order by path

-- name: list_unknown_migrations
-- Migrations that a newer program has applied. Grain: one row per file, the newest first. $1 those that this program knows
select path
from public.subledger_schema_files
where path like 'migrations/%' and path <> all ($1::text[])
order by path desc

-- name: checksum
-- Grain: one row per text, in order. $1 texts
select encode(sha256(convert_to(text, 'UTF8')), 'hex') as checksum
from unnest($1::text[]) with ordinality as file (text, place)
order by place

-- name: hold_schema
-- The schema stays as it is until the end of this transaction: a migrator waits for it, then sees what it did.
select pg_advisory_xact_lock_shared(hashtext('subledger.migrate'))

-- name: lock_schema
-- One migrator at a time, until the end of its transaction.
select pg_advisory_xact_lock(hashtext('subledger.migrate'))

-- name: are_roles_granted
-- Whether this database was shared with the roles of sql/roles: they belong to the whole server, which may hold others.
-- Grain: one row.
select count(*) = 2 and bool_and(has_schema_privilege(role.oid, 'subledger', 'usage')) as are_granted
from pg_catalog.pg_roles role
where role.rolname in ('subledger_backend', 'subledger_analyst')
