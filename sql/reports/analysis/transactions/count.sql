-- How many rows the view has, of which the workbook has the newest. Grain: one row
select count(*) as rows
from transactions
