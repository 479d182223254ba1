-- Writes behind the product of every row at hand which lineage and transaction it is of (empty where it is of none alone), and of
-- money whether it is a charge or a refund, with the character 31 between them. Products tell the rows of a report apart, so
-- that its view then shows what each transaction puts into a figure, by the same text that makes the figure.
update pg_temp.new_paid_periods set product_id = concat_ws(chr(31), product_id, lineage_key, transaction_id, '');

update pg_temp.new_mrr_changes set product_id = concat_ws(chr(31), product_id, lineage_key, transaction_id, '');

update pg_temp.new_recognition_steps set product_id = concat_ws(chr(31), product_id, lineage_key, transaction_id, '');

update pg_temp.new_money_movements
set product_id = concat_ws(
    chr(31), product_id, lineage_key, transaction_id, case when refund_kind is null then 'charge' else 'refund' end);

update pg_temp.new_status_intervals set product_id = concat_ws(chr(31), product_id, lineage_key, '', '');

update pg_temp.new_trial_outcomes set product_id = concat_ws(chr(31), product_id, lineage_key, '', '');

update pg_temp.new_monthly_outcomes set product_id = concat_ws(chr(31), product_id, lineage_key, '', '');
