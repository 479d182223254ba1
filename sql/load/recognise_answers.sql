-- Which of a chunk's answers the archive holds, so that they are not sent again. Each is looked for by its key (offset 0): an
-- archive that grows while the planner looks on would be read whole for each chunk.
-- Grain: one row per answer that is held, place: its place in the arrays, from 1 on. $1 keys, $2 hashes
select answer.place
from unnest($1::bigint[], $2::text[]) with ordinality as answer (key, answer_hash, place)
cross join lateral (
    select from subledger.store_answers
    where subscription_key = answer.key and answer_hash = answer.answer_hash
    offset 0
) stored
