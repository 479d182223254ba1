-- Schema files that were applied, with their checksums. Grain: one row per file.
create table subledger.schema_files (
    path text not null,
    checksum text not null,
    applied_at timestamptz not null default now(),
    constraint schema_files_pkey primary key (path)
);

comment on table subledger.schema_files is 'Schema files that were applied, with their checksums';
comment on column subledger.schema_files.path is 'The file below sql/';
comment on column subledger.schema_files.checksum is 'SHA-256 of its text, in hexadecimal';
comment on column subledger.schema_files.applied_at is 'Database clock at the last application';
