import { describe, expect, it } from 'vitest';
import { safePath } from './safe-path.ts';

describe('where to go after signing in', () => {
  it.each(['/', '/email-database?search=a&page=2', '/imports/42#rows', '/authors'])(
    '%s is a path of this site',
    (path) => {
      expect(safePath(path)).toBe(path);
    },
  );

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'email-database',
    '',
    '/auth',
    '/auth?next=/',
    undefined,
    ['/a', '/b'],
  ])('%j leads to the start instead', (next) => {
    expect(safePath(next)).toBe('/');
  });
});
