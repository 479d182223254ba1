-- Which schema files were applied, with the checksum they had.
-- Grain: one row per file
select path, checksum from public.subledger_schema_files order by path
