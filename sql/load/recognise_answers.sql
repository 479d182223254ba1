-- Which of a chunk's answers the archive holds, so that they are not sent again.
-- Grain: one row per answer that is held, place: its place in the arrays, from 1 on. $1 keys, $2 hashes
select answer.place
from unnest($1::bigint[], $2::text[]) with ordinality as answer (key, content_hash, place)
join subledger.store_answers held on held.subscription_key = answer.key and held.content_hash = answer.content_hash
