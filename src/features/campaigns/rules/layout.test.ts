import { expect, it } from 'vitest';
import { wholeEmail } from './layout.ts';

it('writes a plain text as paragraphs, with its Liquid as it stands', () => {
  const email = wholeEmail(
    'Dear {{ a | default: "< }}" }} & co,\nhi\n\n{% if a < 1 %}x{% endif %} {{ <',
    'simple',
  );
  expect(email).toContain('<p style="margin:0 0 16px">Dear {{ a | default: "< }}" }} &amp; co,<br>hi</p>');
  expect(email).toContain('<p style="margin:0 0 16px">{% if a < 1 %}x{% endif %} {{ &lt;</p>');
});

it('is as fast for Liquid that is never closed', () => {
  const before = process.cpuUsage();
  for (const piece of ['{{', '{%', '{{ "']) wholeEmail(piece.repeat(100_000), 'simple');
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(2);
});

it.each([
  ['<!-- LINK -->', true],
  ['{% comment %}LINK{% endcomment %}', true],
  ['{% raw %}LINK{% endraw %}', true],
  ['<!--[if mso]>LINK<![endif]-->', true],
  ['<!-- x -->LINK', false],
  ['<!--[if !mso]><!-->LINK<!--<![endif]-->', false],
  ['{% if city == "Leeds" %}LINK{% endif %}', false],
])('gives content a footer, also one whose link nobody sees: %s', (content, hasFooter) => {
  const link = '<a href="{{- unsubscribe_link }}">Stop</a>{{ company_address }}';
  const email = wholeEmail(`<p>${content.replace('LINK', link)}</p>`, 'simple');
  expect(email.includes('>Unsubscribe</a>')).toBe(hasFooter);
  expect(email.includes('{{ company_name }}<br>')).toBe(hasFooter);
});
