import { domainToASCII } from 'node:url';
import { expect, it } from 'vitest';
import { storedDomain, storedSource, storedTerm } from './stored-text.ts';

it.each([
  ['  Tom@ACME ', 'tom@acme'],
  ['tom@Müller.de', 'tom@xn--mller-kva.de'],
  ['müller', 'müller'],
  ['tom@%ü', 'tom@%ü'],
  ['\0to\ud800m', 'to\ufffdm'],
  [' ', null],
  ['\0', null],
])('the term %j is searched for as %j', (typed, stored) => {
  expect(storedTerm(typed, domainToASCII)).toBe(stored);
});

it.each([
  ['Müller.DE', 'xn--mller-kva.de'],
  [' acme.co.uk ', 'acme.co.uk'],
  ['%ü', '%ü'],
  ['a\0b.uk', 'ab.uk'],
])('the domain %j stands as %j', (typed, stored) => {
  expect(storedDomain(typed, domainToASCII)).toBe(stored);
});

it('a source is as it was given, but for what cannot be stored', () => {
  expect(storedSource(" Trade 'fair'\0 ")).toBe(" Trade 'fair' ");
});
