import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isAdministrator,
  localPath,
  nameProblem,
  passwordLength,
  passwordProblem,
  splitName,
} from './rules.ts';

describe('splitName', () => {
  it.each([
    ['Priya Shah', 'Priya', 'Shah'],
    ['  Priya   Anand  Shah ', 'Priya', 'Anand Shah'],
    ['Priya', 'Priya', ''],
    ['', '', ''],
  ])('%j is %j and %j', (name, firstName, lastName) => {
    expect(splitName(name)).toEqual({ firstName, lastName });
  });
});

describe('isAdministrator', () => {
  const proven = { email: 'Ann@Firm.co.uk', emailVerified: true };
  it.each([
    [proven, 'ann@firm.co.uk', true],
    [{ ...proven, emailVerified: false }, 'ann@firm.co.uk', false],
    [proven, 'ann@firm.co', false],
    [proven, undefined, false],
    [{ email: '', emailVerified: true }, '', false],
  ])('%j with ADMIN_EMAIL %j: %j', (user, adminEmail, expected) => {
    expect(isAdministrator(user, adminEmail)).toBe(expected);
  });
});

describe('localPath', () => {
  it.each(['/', '/emails', '/emails?page=2&q=a%20b', '/imports/12#receipt', '/authors', '/apiary'])(
    'keeps %j',
    (path) => {
      expect(localPath(path)).toBe(path);
    },
  );

  it.each([
    '',
    'emails',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/emails\\..\\x',
    '/café',
    '/auth',
    '/auth?next=/auth',
    '/api/auth/sign-out',
    `/${'a'.repeat(2000)}`,
    undefined,
    ['/emails'],
  ])('refuses %j', (path) => {
    expect(localPath(path)).toBeNull();
  });

  it('never lets through what a browser takes to another site', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '\t',
      '\n',
      '@',
      ':',
      '.',
      'evil.example',
      'http',
      '?',
      '#',
      '%2f',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const path = localPath(`/${parts.join('')}`);
        expect(path === null || new URL(path, 'https://own.example').origin === 'https://own.example').toBe(
          true,
        );
      }),
    );
  });
});

describe('passwordProblem', () => {
  it.each([
    'seven quiet herons wade',
    'xK9#mQ2$vL',
    'blå himmel över Leeds',
    'passwordless llamas',
    'liverpool street at dawn',
    '83920174659301',
  ])('takes %j', (password) => {
    expect(passwordProblem(password, 'priya.shah@gmail.com')).toBeNull();
  });

  it.each([
    'password123',
    'Password123',
    'P@ssw0rd123',
    'p4$$word2024!!',
    'Password!!!!!!',
    'qwertyuiop',
    'QWERTYUIOP',
    '1234567890',
    '0987654321',
    'abcdefghij',
    'aaaaaaaaaaaa',
    'abababababab',
    'letmeinplease',
    'Liverpool1892',
    '2024Summer2024',
    '1q2w3e4r5t6y',
    'iloveyou123',
  ])('refuses the common %j', (password) => {
    expect(passwordProblem(password, null)).toMatch(/first that anybody would guess/);
  });

  it.each([
    ['priya.shah.1990', 'priya.shah@gmail.com'],
    ['xxPriyaShahxx', 'priya.shah@gmail.com'],
    ['harrowgate-77', 'Harrowgate@foods.co.uk'],
  ])('refuses %j for %s', (password, email) => {
    expect(passwordProblem(password, email)).toMatch(/little more than the name in your email address/);
  });

  it.each([
    ['priya.shah@gmail.com', 'priya.shah@gmail.com'],
    ['my Priya.Shah@Gmail.com is long', 'priya.shah@gmail.com'],
    ['jo@acme.co.uk!!', 'jo@acme.co.uk'],
    ['--PRIYA-SHAH-gmail-com--', 'priya.shah@gmail.com'],
  ])('refuses %j, which contains %s', (password, email) => {
    expect(passwordProblem(password, email)).toMatch(/must not contain your email address/);
  });

  it.each([
    ['summary of events', 'mary@gmail.com'],
    ['remarkable otters', 'mark@acme.co.uk'],
    ['information desk 12', 'info@acme.co.uk'],
    ['mary had a little lamb', 'mary@gmail.com'],
    ['salesmen never sleep', 'sales@acme.co.uk'],
    ['a-thousand-hellos', 'hello@acme.co.uk'],
  ])('takes %j of %s, where the letters only happen to stand', (password, email) => {
    expect(passwordProblem(password, email)).toBeNull();
  });

  it('does not find an address that is empty or has no letters', () => {
    expect(passwordProblem('joyful green otters', '')).toBeNull();
    expect(passwordProblem('joyful green otters', '@')).toBeNull();
  });

  it('does not mind a local part too short to guess by', () => {
    expect(passwordProblem('joyful green otters', 'jo@gmail.com')).toBeNull();
  });

  it.each(['my-Email-Manager-9', 'emailmanager2026', 'the marketing database'])('refuses %j', (password) => {
    expect(passwordProblem(password, null)).toMatch(/this product's name/);
  });

  it('refuses anything shorter or longer than the limits, and what is no text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: passwordLength.min - 1 }), (short) => {
        expect(passwordProblem(short, null)).toMatch(/at least 10/);
      }),
    );
    expect(passwordProblem('x7!'.repeat(43), null)).toMatch(/at most 128/);
    expect(passwordProblem(undefined, null)).toMatch(/at least 10/);
  });
});

describe('nameProblem', () => {
  it.each(['Priya Shah', "Siân O'Neill-Łukasz", '李小龍'])('takes %j', (name) => {
    expect(nameProblem(name)).toBeNull();
  });
  it.each([
    '',
    '   ',
    undefined,
    7,
    'a'.repeat(101),
    'Priya\nBcc: x',
    'nul\u0000',
    'lone\ud800',
    'ab\u202ecd',
  ])('refuses %j', (name) => {
    expect(nameProblem(name)).not.toBeNull();
  });
});
