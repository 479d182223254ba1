-- Every app the database knows. Grain: one row per app
select app_id from subledger.apps order by app_id
