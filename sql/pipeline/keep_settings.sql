-- Keeps the access rule and the reporting currency in step with the configuration.
-- Grain: one row. $1 grace buffer, $2 unread limit (microseconds), $3 reporting currency (NULL: as it stands)
update subledger.settings set
    grace_buffer = $1::bigint * interval '1 microsecond',
    unread_limit = $2::bigint * interval '1 microsecond',
    reporting_currency = coalesce($3::text, reporting_currency)
where (grace_buffer, unread_limit, reporting_currency)
    is distinct from ($1::bigint * interval '1 microsecond', $2::bigint * interval '1 microsecond',
        coalesce($3::text, reporting_currency))
