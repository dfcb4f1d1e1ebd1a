-- Lists of which nobody is in the mailing without being on one, as arrays in an array: an audience
-- may ask for several. Whoever leaves the last list of one array while messages wait gets none.
-- Null: written by an earlier version, which knows the first array alone, as `lists`.
alter table mailings add column needed_lists jsonb;
create function sets_of_lists(needed jsonb, lists bigint[]) returns jsonb
language sql immutable parallel safe
return coalesce(needed, case when lists = '{}' then '[]' else jsonb_build_array(to_jsonb(lists)) end);
