-- The database's clock. Grain: one row
select clock_timestamp() as clock
