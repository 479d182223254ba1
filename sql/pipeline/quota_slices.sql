-- Statements about the pace that all processes share: each leases the next slice of time of a quota's endpoint.

-- name: limit_slice_wait
-- Who waits for others for longer in this transaction, or freezes in it, is sent away. Grain: one row
select
    set_config('idle_in_transaction_session_timeout', '5s', true) as idle,
    set_config('lock_timeout', '2s', true) as waiting

-- name: add_quota_slices
-- Endpoints that were never asked before. Grain: one row per new quota and endpoint. $1 quotas, $2 endpoints, $3 intervals
-- (nanoseconds)
insert into subledger.quota_slices (quota, endpoint, interval_ns)
select wanted.quota, wanted.endpoint, wanted.interval_ns
from unnest($1::text[], $2::text[], $3::bigint[]) as wanted (quota, endpoint, interval_ns)
order by wanted.quota, wanted.endpoint
on conflict do nothing

-- name: lease_quota_slices
-- Leases the next slice of each: so many requests, one interval of the lowest rate apart. What was not leased in time is made up
-- for within the allowance. A free_from that lies minutes ahead, more than slices can, is of a clock that was set back.
-- An intake beside other jobs has a tenth of the requests: a second's tenth at a time, at least one request, and the next when ten
-- times their length is over; requests is 0 before. Grain: one row per quota and endpoint that is there.
-- $1 quotas, $2 endpoints, $3 stated intervals (nanoseconds), $4 requests, $5 allowances (nanoseconds), $6 an intake leases
with stored as materialized (
    select
        slice.quota, slice.endpoint, slice.free_from, slice.regular_until, slice.preferred_from, wanted.requests, wanted.allowance_ns,
        wanted.interval_ns as stated_ns, clock_timestamp() as now,
        case
            when slice.interval_until > clock_timestamp() then greatest(slice.interval_ns, wanted.interval_ns)
            else wanted.interval_ns
        end as interval_ns
    from subledger.quota_slices slice
    join unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[])
        as wanted (quota, endpoint, interval_ns, requests, allowance_ns)
        using (quota, endpoint)
    order by slice.quota, slice.endpoint
    for update of slice
),

placed as (
    select
        stored.*,
        interval '1 microsecond' * (stored.interval_ns / 1000.0) as apart,
        $6::boolean and stored.regular_until > stored.now - interval '1 second' as is_beside,
        greatest(
            stored.now - interval '1 microsecond' * (stored.allowance_ns / 1000.0),
            case
                when stored.free_from < stored.now + interval '1 minute' + interval '1 microsecond' * (stored.interval_ns / 50.0)
                    then stored.free_from
            end
        ) as begins_at
    from stored
),

decided as (
    select
        placed.*,
        case
            when not is_beside then requests
            when preferred_from > now and preferred_from < now + 11 * greatest(apart, interval '1 second') then 0
            else least(requests, greatest(1, 100000000 / interval_ns))
        end as leased
    from placed
)

update subledger.quota_slices slice set
    free_from = case when leased > 0 then begins_at + leased * apart else slice.free_from end,
    interval_ns = decided.interval_ns,
    interval_until = case
        when stated_ns = decided.interval_ns then begins_at + leased * apart + interval '5 seconds'
        else slice.interval_until
    end,
    regular_until = case when $6::boolean then slice.regular_until else begins_at + leased * apart end,
    preferred_from = case
        when is_beside and leased > 0 then decided.now + 10 * leased * apart
        else slice.preferred_from
    end
from decided
where slice.quota = decided.quota and slice.endpoint = decided.endpoint
returning
    slice.quota, slice.endpoint, leased, decided.interval_ns,
    (extract(epoch from begins_at - decided.now) * 1000000000)::bigint as begins_in_ns,
    case
        when is_beside then greatest((extract(epoch from slice.preferred_from - decided.now) * 1000000000)::bigint, 0)
        else 0
    end as pause_ns
