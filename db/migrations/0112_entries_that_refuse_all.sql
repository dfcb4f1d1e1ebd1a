-- An entry has one reason. The address of somebody who unsubscribed may bounce as well, and then
-- gets no receipts either.
alter table suppressions add column refuses_all boolean default false not null;
alter table lifted_suppressions add column refuses_all boolean default false not null;
