import { describe, expect, it } from 'vitest';
import { idna } from '../server/index.ts';
import { writtenDomain } from './written-domain.ts';

describe('a domain that somebody writes', () => {
  it.each([
    ...['Acme.co.uk ', 'hello@acme.co.uk', '@acme.co.uk', 'https://acme.co.uk/contact?x=1'],
    ...['acme.co.uk.', 'acme.co.uk:25'],
  ])('is read out of %j', (text) => {
    expect(writtenDomain(text, idna)).toBe('acme.co.uk');
  });

  it('is written in ASCII', () => {
    expect(writtenDomain('Müller.de', idna)).toBe('xn--mller-kva.de');
  });

  it.each(['', 'acme', 'co.uk', 'a b.uk', '10.0.0.1', '-acme.co.uk', 'acme..uk', 'acme.nowhere'])(
    'is none in %j',
    (text) => {
      expect(writtenDomain(text, idna)).toBeNull();
    },
  );
});
