import { expect, it } from 'vitest';
import { completedLink, linkFault } from './link-address.ts';

it.each([
  'https://acme.co.uk',
  'HTTP://acme.co.uk/x y',
  'https://{{ shop }}/x',
  'mailto:jo@acme.co.uk',
  'tel:+44 20 7946 0000',
  'sms:07700900000',
  '#top',
  '',
  '{{ unsubscribe_link }}',
  '{% if a %}https://a.uk{% endif %}',
  '\uE000\uE000\uE000',
  '*|ARCHIVE|*',
])('%j leads somewhere, or is known when it is filled', (href) => {
  expect([linkFault(href), completedLink(href)]).toEqual([null, href]);
});

it.each([
  ['www.acme.co.uk', 'https://www.acme.co.uk'],
  [' acme.co.uk/x?y={{ id }} ', 'https://acme.co.uk/x?y={{ id }}'],
  ['acme.co.uk:8080', 'https://acme.co.uk:8080'],
  ['bücher.example', 'https://bücher.example'],
  ['jo@acme.co.uk', 'mailto:jo@acme.co.uk'],
])('%j needs something in front of it, which is clear', (typed, whole) => {
  expect(completedLink(typed)).toBe(whole);
  expect(linkFault(typed)).toMatch(/leads nowhere: begin it with (https:\/\/|mailto:)\.$/);
  expect(linkFault(whole)).toBeNull();
});

it.each([
  '/sale',
  '//acme.co.uk/x',
  'htps://acme.co.uk',
  'https:/acme.co.uk',
  'http://',
  'sale.html',
  'our shop',
  'mailto:',
  'acme',
  '../x',
])('%j leads nowhere, and nobody knows what was meant', (href) => {
  expect(completedLink(href)).toBe(href);
  expect(linkFault(href)).toContain('write the whole address');
});
