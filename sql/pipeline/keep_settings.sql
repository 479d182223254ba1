-- Keeps the access rule in step with the configuration.
-- Grain: one row. $1 grace buffer, $2 unread limit (microseconds)
update subledger.settings set
    grace_buffer = $1::bigint * interval '1 microsecond',
    unread_limit = $2::bigint * interval '1 microsecond'
where (grace_buffer, unread_limit)
    is distinct from ($1::bigint * interval '1 microsecond', $2::bigint * interval '1 microsecond')
