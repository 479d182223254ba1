-- What a report consists of, from the comments on its view and that view's columns. The key, the last line of the view's comment, is no
-- part of what it says.
-- Grain: one row per column, in order; none where there is no such report. $1 report
select
    part.attname as name,
    case part.atttypid
        when 'text'::regtype then 'text'
        when 'date'::regtype then 'date'
        when 'timestamptz'::regtype then 'instant'
        when 'bigint'::regtype then 'count'
        else 'decimal'
    end as kind,
    coalesce(col_description(part.attrelid, part.attnum), '') as definition,
    split_part(coalesce(obj_description(part.attrelid, 'pg_class'), ''), E'\nKey: ', 1) as report_definition
from pg_attribute part
where part.attrelid = to_regclass('report.' || quote_ident($1::text)) and part.attnum > 0 and not part.attisdropped
order by part.attnum
