-- The hosts of runs that are open: the leader's process and those that work along, and how far each has come.
-- Grain: one row per run and process
select
    host.run_id, host.machine, host.process_id, sum(host.chunks)::bigint as chunks, sum(host.checks)::bigint as checks,
    max(host.seen_at) as seen_at,
    (
        select count(*) from subledger.run_chunks chunk
        where chunk.run_id = host.run_id
            and chunk.state = 'leased'
            and chunk.leased_until >= clock_timestamp()
            and starts_with(chunk.leased_by, host.host_name || ':')
    ) as leased
from subledger.run_hosts host
join subledger.runs led on led.run_id = host.run_id and led.outcome = 'running' and led.seal is null
group by host.run_id, host.host_name, host.machine, host.process_id
order by host.run_id desc, host.machine collate "C", host.process_id, host.host_name collate "C"
