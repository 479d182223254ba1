-- The list of applied schema files. It lives outside the schemas it describes.
create table if not exists public.subledger_schema_files (
    path text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()
);
comment on table public.subledger_schema_files is 'Schema files of subledger that were applied, with their checksums'
