-- Grain: one row per text, in order. $1 texts
select encode(sha256(convert_to(text, 'UTF8')), 'hex') as checksum
from unnest($1::text[]) with ordinality as file (text, place)
order by place
