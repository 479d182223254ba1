-- Where the kept tables stand. Grain: one row; none before they were first made.
select
    kept.seal, kept.time_zone, kept.parts, kept.parts_built,
    array(select stale.table_name from report.stale_tables stale order by stale.table_name) as stale_tables
from report.kept
