-- What the message is made from, where it is not written as HTML or text. At most one of both.
alter table campaigns
  add column document jsonb,
  add column mjml text,
  -- {source, medium, campaign, term?, content?}: what the links of the message carry for analytics.
  add column utm jsonb,
  add check (document is null or mjml is null);
