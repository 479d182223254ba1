-- A one-time purchase that was accepted while its order was not settled was known by its token: now that it is booked, whoever
-- handed it in owns the sale.
-- Grain: one row per accepted purchase. $1 keys of tokens, $2 keys of the sales that they were
update subledger.purchase_inbox accepted set subscription_key = sold.sale
from unnest($1::bigint[], $2::bigint[]) as sold (token, sale)
where accepted.subscription_key = sold.token and accepted.state = 'accepted'
