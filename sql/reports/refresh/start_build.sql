-- Says that the kept tables are to be built at a seal, part by part. $1 seal, $2 time zone, $3 lineages in a part
insert into report.kept as held (seal, time_zone, parts, parts_built)
select $1::bigint, $2::text, 1 + count(*) / $3::bigint, 0
from subledger.subscriptions
on conflict (only_row) do update set
    seal = excluded.seal, time_zone = excluded.time_zone, parts = excluded.parts, parts_built = 0
