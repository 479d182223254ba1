-- How far a standby lags: the last commit that it has applied, by the primary's clock, and how long ago that is by this server's; bytes
-- that it has received and not yet applied; whether it is connected to a server that it receives from.
-- Grain: one row on a standby, none on a primary
select
    standby.last_commit,
    case
        when standby.last_commit is not null then greatest(extract(epoch from clock_timestamp() - standby.last_commit), 0)
    end::bigint as seconds,
    greatest(coalesce(pg_wal_lsn_diff(standby.received, standby.applied), 0), 0)::bigint as unapplied_bytes,
    exists (select from pg_catalog.pg_stat_wal_receiver receiver where receiver.pid is not null) as is_receiving
from (
    select
        pg_last_xact_replay_timestamp() as last_commit,
        pg_last_wal_receive_lsn() as received,
        pg_last_wal_replay_lsn() as applied
    where pg_is_in_recovery()
) standby
