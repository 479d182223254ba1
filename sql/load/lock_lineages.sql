-- One loader at a time follows the lineages of an app: a lineage is followed through links that others may be writing.
-- Grain: one row. $1 app
select app_id
from subledger.apps
where app_id = $1::text
for no key update
