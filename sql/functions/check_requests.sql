-- Requests for a check: what makes a subscription due at once is counted, so that a request that comes while its store is being
-- asked is not answered by that answer, and it stays due.

create or replace function subledger.count_check_request() returns trigger
language plpgsql
as $$
begin
    new.check_requests := old.check_requests + 1;
    return new;
end
$$;

create or replace trigger check_requests_are_counted before update of next_check_at on subledger.subscriptions
for each row when (new.next_check_at = '-infinity') execute function subledger.count_check_request();

-- Whether a check was requested while the answer was on its way, and no other answer has met the request since. A subscription that was not asked about itself (NULL), because its
-- state was reported beside another's, has a request where it was registered again and still waits for its own check.
-- Grain: one value.
create or replace function subledger.is_check_requested(
    check_requests bigint, check_requests_seen bigint, next_check_at timestamptz
) returns boolean
language sql immutable parallel safe
return case
    when check_requests_seen is null then check_requests > 0 and next_check_at = '-infinity'
    else check_requests > check_requests_seen and next_check_at = '-infinity'
end;

comment on function subledger.count_check_request is 'Counts what makes a subscription due at once';
comment on function subledger.is_check_requested is 'Whether a check was requested since the subscription was read';
