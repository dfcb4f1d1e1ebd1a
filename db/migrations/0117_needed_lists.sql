-- Lists of which nobody is in the mailing without being on one, as arrays in an array: an audience
-- may ask for several. Whoever leaves the last list of one array while messages wait gets none.
alter table mailings add column needed_lists jsonb default '[]' not null;
update mailings set needed_lists = jsonb_build_array(to_jsonb(lists)) where lists <> '{}';
alter table mailings drop column lists;
