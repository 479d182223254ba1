-- Migrations that a newer program has applied. Grain: one row per file, the newest first. $1 those that this program knows
select path
from public.subledger_schema_files
where path like 'migrations/%' and path <> all ($1::text[])
order by path desc
