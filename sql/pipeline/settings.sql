-- Statements about the settings, one row.

-- name: persist_settings
-- Keeps the access rule in step with the configuration.
-- Grain: one row. $1 grace buffer, $2 unread limit (microseconds)
update subledger.settings set
    grace_buffer = $1::bigint * interval '1 microsecond',
    unread_limit = $2::bigint * interval '1 microsecond'
where (grace_buffer, unread_limit)
    is distinct from ($1::bigint * interval '1 microsecond', $2::bigint * interval '1 microsecond')

-- name: persist_reporting_currency
-- Keeps the reporting currency in step with the configuration, and when it changed. The settings row serialises changes and
-- seals, so that every seal has one currency.
-- Grain: one row, none where the setting has this value already. $1 reporting currency
with changed as (
    update subledger.settings set reporting_currency = $1::text
    where reporting_currency <> $1::text
    returning reporting_currency, last_seal
)

insert into subledger.reporting_currencies (currency, after_seal)
select reporting_currency, last_seal from changed

-- name: raise_last_seal
-- Seals go on above a number that was given and lost: it would mean two things. The settings row serialises this with the seals.
-- Grain: one row, returned where it was not above it already. $1 the highest number that is found outside of the database
update subledger.settings set last_seal = $1::bigint
where last_seal < $1::bigint
returning last_seal
