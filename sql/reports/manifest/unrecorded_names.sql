-- Names of folders by which no issue is recorded, and the last seal given. Grain: one row. $1 names
select
    array(
        select named.name
        from unnest($1::text[]) as named (name)
        where not exists (
            select from subledger.report_issues issued where regexp_replace(issued.path, '^.*/', '') = named.name
        )
        order by named.name collate "C"
    ) as names,
    settings.last_seal
from subledger.settings
