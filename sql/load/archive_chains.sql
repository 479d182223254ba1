-- Certificate headers, each once.
-- Grain: one row per chain. $1 ids, $2 headers
insert into subledger.signing_chains (chain_id, header)
select chain_id, header
from unnest($1::text[], $2::text[]) as chain (chain_id, header)
on conflict (chain_id) do nothing
