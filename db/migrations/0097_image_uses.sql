-- What shows images is known without reading content: each version and each campaign keeps the
-- tokens of the images in it.
create function image_tokens_in(content text) returns text[]
language sql immutable parallel safe
return array(
  select distinct found[1] from regexp_matches(content, '[1-9][0-9]*-([A-Za-z0-9_-]{22})\.(?:png|jpg|gif)', 'g') as found
);

alter table template_versions add column image_tokens text[] not null
  generated always as (image_tokens_in(html_content || ' ' || coalesce(source::text, ''))) stored;

alter table campaigns add column image_tokens text[] not null
  generated always as (
    image_tokens_in(
      content || ' ' || coalesce(document::text, '') || ' ' || coalesce(mjml, '') || ' ' || coalesce(ab_test::text, '')
    )
  ) stored;

-- Until when the file of an image stays, deleted or not, because mails that were sent show it.
alter table images add column kept_until timestamptz;
-- Which images were sent so far is not known. So each stays as if it had been sent today.
update images set kept_until = now() + interval '2 years';
