-- How far an app's unasked news was read. Grain: no row the first time, else one. $1 app
select read_until from subledger.store_news where app_id = $1::text
