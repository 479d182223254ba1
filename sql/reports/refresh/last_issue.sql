-- The last report that had been issued when a seal was given. Grain: one row, or none. $1 seal
select issued.seal
from subledger.report_issues issued
where issued.last_seal < $1::bigint
order by issued.seal desc
limit 1
