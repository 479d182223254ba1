-- Currencies in use whose exchange rates ended more than ten days before the newest issue's last day. Grain: one row per currency.
select stale.currency, stale.newest::text as newest
from (
    select seal, business_date from subledger.report_issues order by seal desc limit 1
) issue
cross join lateral subledger.stale_rates(
    issue.seal, issue.business_date, (
        select known.currency
        from subledger.reporting_currencies known
        where known.after_seal < issue.seal
        order by known.change_id desc
        limit 1
    )
) stale
order by stale.currency
