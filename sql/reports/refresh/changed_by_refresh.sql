-- What a refresh changes: the rows of the lineages at hand that come, and those that go (changed_*: sign 1 and -1). Of a night's
-- lineages nine of ten rows stay as they are: they move nothing.
{each intermediate}

create temp table coming_{table} on commit drop as
table pg_temp.new_{table}
except all
select stored.* from {table} stored join pg_temp.marked_lineages on marked_lineages.key = stored.lineage_key;

create temp table going_{table} on commit drop as
select stored.* from {table} stored join pg_temp.marked_lineages on marked_lineages.key = stored.lineage_key
except all
table pg_temp.new_{table};

create temp view changed_{table} as
select 1 as sign, came.* from pg_temp.coming_{table} came
union all
select -1, went.* from pg_temp.going_{table} went;
{end}
