-- Keeps the reporting currency in step with the configuration, and when it changed. The settings row serialises changes and
-- seals, so that every seal has one currency.
-- Grain: one row, none where it stands already. $1 reporting currency
with changed as (
    update subledger.settings set reporting_currency = $1::text
    where reporting_currency <> $1::text
    returning reporting_currency, last_seal
)

insert into subledger.reporting_currencies (currency, after_seal)
select reporting_currency, last_seal from changed
