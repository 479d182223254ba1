-- Proves that today's subscriptions are what the history says: state, renewal and its price, expiry, grace, commitment and reason
-- are those of the last change. What a later run has changed since is that run's to prove.
-- Grain: one row per subscription and column that differs; at most 20, row_count says how many.
with last_changes as (
    select distinct on (change.subscription_key) change.*, run.seal <= scope.seal as is_of_this_seal
    from report_scope scope
    cross join pg_temp.marked_lineages
    join subledger.state_changes change on change.subscription_key = marked_lineages.key
    left join subledger.runs run on run.run_id = change.run_id
    order by change.subscription_key, change.change_id desc
),

compared as (
    select stored.subscription_key, figure.name, figure.expected, figure.found
    from last_changes change
    join subledger.subscriptions stored on stored.subscription_key = change.subscription_key
    cross join lateral (
        values ('state', change.state, stored.state), ('reason', change.end_reason, stored.end_reason),
            ('auto-renew', change.auto_renew::text, stored.auto_renew::text),
            ('expiry', change.expires_at::text, stored.expires_at::text),
            ('grace', change.grace_expires_at::text, stored.grace_expires_at::text),
            ('commitment', change.committed_until::text, stored.committed_until::text),
            ('renewal price', change.renewal_price_micros::text, stored.renewal_price_micros::text),
            ('renewal currency', change.renewal_currency, stored.renewal_currency)
    ) figure (name, expected, found)
    where change.is_of_this_seal
        and (
            change.state, change.end_reason, change.auto_renew, change.expires_at, change.grace_expires_at,
            change.committed_until, change.renewal_price_micros, change.renewal_currency
        ) is distinct from (
            stored.state, stored.end_reason, stored.auto_renew, stored.expires_at, stored.grace_expires_at,
            stored.committed_until, stored.renewal_price_micros, stored.renewal_currency
        )
)

select
    subscription_key || ' ' || name as subject, coalesce(expected, 'none') as expected,
    coalesce(found, 'none') as found, count(*) over () as row_count
from compared
where expected is distinct from found
order by subject
limit 20
