-- Whether a business date needs no further night: a sealed one finished each app, and not late; no check of theirs is due because it
-- failed; no night of theirs was left half-way, which the next start resumes or closes; and the date's report, if one is wanted, is
-- issued, as are those that earlier dates owe. The report of a run that is sealed and not ended is being written, or owed.
-- Grain: one row. $1 apps, $2 business date, $3 now, $4 reports are wanted
select
    not exists (
        select from unnest($1::text[]) as asked (app_id)
        where not exists (
            select from subledger.runs night
            join subledger.run_apps part on part.run_id = night.run_id
            where night.job = 'nightly'
                and night.seal is not null
                and night.business_date = $2::date
                and part.app_id = asked.app_id
                and part.state <> 'stopped'
        )
    )
    and not exists (
        select from subledger.runs night
        join subledger.run_apps part on part.run_id = night.run_id
        where night.job = 'nightly'
            and night.seal is null
            and night.outcome = 'running'
            and (night.leased_until > clock_timestamp()) is not true
            and part.app_id = any ($1::text[])
    )
    and not exists (
        select from subledger.subscriptions failed
        where failed.app_id = any ($1::text[]) and failed.failures > 0 and failed.next_check_at <= $3::timestamptz
    )
    and not exists (
        select from subledger.watched_sales failed
        where failed.app_id = any ($1::text[]) and failed.failures > 0 and failed.next_look_at <= $3::timestamptz
    )
    and (
        not $4::boolean
        or exists (select from subledger.report_issues where business_date = $2::date)
        and not exists (
            select from subledger.runs where report_due and seal is not null and business_date <= $2::date
        )
    ) as is_done
