-- How many subscribers are there each day, and how many of them are about to go? Lines: date, one per column.
-- One row per day.
select
    subscribers.date, sum(subscribers.active) as active, sum(subscribers.trial) as trial,
    sum(subscribers.set_to_cancel) as set_to_cancel, sum(subscribers.grace) as in_grace,
    sum(subscribers.billing_retry) as payment_awaited, sum(subscribers.paused) as paused
from report.subscribers
group by subscribers.date
order by subscribers.date
