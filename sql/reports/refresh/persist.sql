-- Puts the rows of the lineages at hand in place of those that are held of them. Grain: a statement for each intermediate table.
-- Of a table with a key only the rows that went and came move: what stays the same is left.
{each intermediate with key}

-- name: persist_{table}
-- What stays the same is left.
delete from {table} held using pg_temp.going_{table} went
where {went.key = held};
insert into {table} table pg_temp.coming_{table};
{end}
{each intermediate without key}

-- name: persist_{table}
-- All of a lineage.
delete from {table} held using pg_temp.touched where touched.key = held.lineage_key;
insert into {table} select * from pg_temp.new_{table};
{end}
