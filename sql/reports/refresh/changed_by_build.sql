-- What a build adds: the rows of the lineages at hand, none of which were there before (sign 1).
{each intermediate}
create temp view coming_{table} as table pg_temp.new_{table};
create temp view going_{table} as select * from pg_temp.new_{table} where false;
create temp view changed_{table} as select 1 as sign, came.* from pg_temp.coming_{table} came;
{end}
