-- The operation that a line is about: a refund's deduction. Lines from before this column have none.
alter table credit_transactions add column refers_to text;
create index credit_transactions_operation on credit_transactions (account_id, operation_id);
