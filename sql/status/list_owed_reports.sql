-- Dates of which a night was sealed and whose report is not there, however old; one that a living run is writing is under way.
-- Grain: one row per business date.
select owing.business_date::text as business_date
from subledger.runs owing
where owing.report_due and owing.seal is not null
group by owing.business_date
having not bool_or(coalesce(owing.outcome = 'running' and owing.leased_until > clock_timestamp(), false))
    and not exists (
        select from subledger.report_issues issue
        where issue.business_date = owing.business_date and issue.seal >= max(owing.seal)
    )
order by owing.business_date
