import { expect, it } from 'vitest';
import { compileTemplate, fill } from '#features/templates/rules/compile.ts';
import { withUtm } from './utm.ts';

const utm = { source: 'news', medium: 'email', campaign: 'tea & {{ name }}' };
const tags = 'utm_source=news&amp;utm_medium=email&amp;utm_campaign=tea%20%26%20%7B%7B%20name%20%7D%7D';
const html = (address: string) => withUtm(`<p><a href="${address}">x</a></p>`, 'html', utm);

it.each([
  ['https://acme.co.uk/tea', `https://acme.co.uk/tea?${tags}`],
  ['https://acme.co.uk/tea?', `https://acme.co.uk/tea?${tags}`],
  ['https://acme.co.uk/tea?a=1&amp;b=2#top', `https://acme.co.uk/tea?a=1&amp;b=2&amp;${tags}#top`],
  ['https://acme.co.uk/o&#39;neill', `https://acme.co.uk/o&#39;neill?${tags}`],
  ['https://acme.co.uk/{{ a | split: "#" }}', `https://acme.co.uk/{{ a | split: "#" }}?${tags}`],
])('%s carries the tags', (address, expected) => {
  expect(html(address)).toBe(`<p><a href="${expected}">x</a></p>`);
});

it.each(['mailto:a@acme.co.uk', '{{ unsubscribe_link }}', '#top', 'https://{{ host }}/x'])(
  '%s stays as it is',
  (address) => {
    expect(html(address)).toBe(`<p><a href="${address}">x</a></p>`);
  },
);

it('keeps the tags that a link has', () => {
  expect(html('https://acme.co.uk/?utm_source=own')).toContain(
    '?utm_source=own&amp;utm_medium=email&amp;utm_campaign=',
  );
});

it('leaves images alone, and tags the links of a text', () => {
  const image = '<img src="https://acme.co.uk/a.png">';
  expect(withUtm(image, 'html', utm)).toBe(image);
  expect(withUtm('See https://acme.co.uk/a?b=1, please.', 'text', utm)).toMatch(
    /^See https:\/\/acme\.co\.uk\/a\?b=1&utm_source=news&utm_medium=email&utm_campaign=\S+, please\.$/,
  );
});

it('tags a link of a text within the block in which it stands, for its readers alone', () => {
  const text = '{% if vip == "yes" %}https://acme.co.uk/vip{% endif %} Bye';
  const tagged = withUtm(text, 'text', { source: 'news', medium: '', campaign: '' });
  expect(tagged).toBe('{% if vip == "yes" %}https://acme.co.uk/vip?utm_source=news{% endif %} Bye');
  const template = compileTemplate({ subject: '', preheader: '', html: '', text: tagged });
  expect(template.links).toMatchObject([{ part: 'text', url: 'https://acme.co.uk/vip?utm_source=news' }]);
  const link = (_: string, url: string) => `<${url}>`;
  expect(fill(template, { vip: 'yes' }, link).text).toBe('<https://acme.co.uk/vip?utm_source=news> Bye');
  expect(fill(template, {}, link).text).toBe('Bye');
});
