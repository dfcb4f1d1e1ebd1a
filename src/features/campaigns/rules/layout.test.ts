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
