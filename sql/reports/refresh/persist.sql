-- Replaces the stored rows of the lineages at hand. Grain: a statement for each intermediate table.
-- Of a table with a key only the rows that went and came move: what stays the same is left.
{each intermediate with key}

-- name: persist_{table}
-- What stays the same is left.
delete from {table} stored using pg_temp.going_{table} went
where {went.key = stored};
insert into {table} table pg_temp.coming_{table};
{end}
{each intermediate without key}

-- name: persist_{table}
-- All of a lineage.
delete from {table} stored using pg_temp.marked_lineages where marked_lineages.key = stored.lineage_key;
insert into {table} select * from pg_temp.new_{table};
{end}
