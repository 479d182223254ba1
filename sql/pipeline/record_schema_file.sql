-- Grain: one row. $1 path, $2 text; a report's file may be applied again when its text changed
insert into public.subledger_schema_files as held (path, checksum)
values ($1::text, encode(sha256(convert_to($2::text, 'UTF8')), 'hex'))
on conflict (path) do update set checksum = excluded.checksum, applied_at = now()
