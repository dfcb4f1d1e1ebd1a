import { describe, expect, it } from 'vitest';
import { connectingProblem, identityOf, welcomeOf } from './provider.ts';

const issuer = 'https://id.harrowgatefoods.co.uk';

describe('who a person is to the provider', () => {
  it('is issuer and subject, never the subject alone', () => {
    const key = (from: string) => identityOf(from, { sub: 'u-1' }).key;
    expect(key(issuer)).toBe('https://id.harrowgatefoods.co.uk#u-1');
    expect(key('https://id.elsewhere.example')).not.toBe(key(issuer));
  });

  it.each([
    [{ email: 'Ann@Firm.co.uk' }, 'ann@firm.co.uk'],
    [{ email: ' ann@firm.co.uk ' }, 'ann@firm.co.uk'],
    [{ email: 'ann' }, null],
    [{ email: 'ann@firm.co.uk, bob@firm.co.uk' }, null],
    [{ email: ['ann@firm.co.uk'] }, null],
    [{ email: `${'a'.repeat(250)}@firm.co.uk` }, null],
    [{}, null],
  ])('%j has the address %j', (claims, email) => {
    expect(identityOf(issuer, { sub: 'u-1', ...claims }).email).toBe(email);
  });

  it.each([
    [{ email_verified: true }, true],
    [{ email_verified: 'true' }, true],
    [{ email_verified: false }, false],
    [{ email_verified: 'false' }, false],
    [{ email_verified: 'yes' }, false],
    [{}, false],
    [{ xms_edov: true }, true],
    [{ xms_edov: '1' }, true],
    [{ xms_edov: false }, false],
    [{ email_verified: false, xms_edov: true }, false],
  ])('%j: the address is proven: %j', (claims, proven) => {
    expect(identityOf(issuer, { sub: 'u-1', email: 'ann@firm.co.uk', ...claims }).emailVerified).toBe(proven);
  });

  it('has nothing proven without an address', () => {
    expect(identityOf(issuer, { sub: 'u-1', email_verified: true }).emailVerified).toBe(false);
  });

  it.each([
    [{ given_name: 'Ann', family_name: 'Reed', name: 'Reed, Ann' }, 'Ann Reed'],
    [{ given_name: 'Ann' }, 'Ann'],
    [{ name: '  Ann   Reed ' }, 'Ann Reed'],
    [{ name: 'Ann\nReed' }, 'Ann Reed'],
    [{ name: 'Ann\u202eReed' }, 'ann.reed'],
    [{ name: 'A'.repeat(200) }, 'A'.repeat(100)],
    [{ preferred_username: 'areed' }, 'areed'],
    [{}, 'ann.reed'],
  ])('%j is called %j', (claims, name) => {
    expect(identityOf(issuer, { sub: 'u-1', email: 'ann.reed@firm.co.uk', ...claims }).name).toBe(name);
  });

  it('has a name without any claim at all', () => {
    expect(identityOf(issuer, { sub: 'u-1' }).name).toBe('New user');
  });
});

describe('who comes back from the provider', () => {
  const proven = { email: 'ann@firm.co.uk', emailVerified: true };
  const nobody = { identity: proven, holder: null, namesake: null, mayJoin: true, passwordsToo: true };
  const ann = { suspended: false, emailVerified: true, twoFactorOn: false, hasOtherIdentity: false };

  it.each([
    ['somebody new', {}, 'join'],
    ['somebody new whom nobody invited', { mayJoin: false }, { failure: 'uninvited' }],
    [
      'somebody without an address',
      { identity: { email: null, emailVerified: false } },
      { failure: 'no_address' },
    ],
    [
      'somebody new with an unproven address',
      { identity: { ...proven, emailVerified: false } },
      { failure: 'unproven_address' },
    ],
    ['who is connected', { holder: { suspended: false } }, 'enter'],
    [
      'who is connected, whatever their address is by now',
      { holder: { suspended: false }, identity: { email: null, emailVerified: false } },
      'enter',
    ],
    ['who is connected, invited or not', { holder: { suspended: false }, mayJoin: false }, 'enter'],
    ['who is connected and suspended', { holder: { suspended: true } }, { failure: 'suspended' }],
    ['who has an account with the same proven address', { namesake: ann }, 'connect'],
    ['who has one, invited or not', { namesake: ann, mayJoin: false }, 'connect'],
    [
      'an unproven address that has an account',
      { namesake: ann, identity: { ...proven, emailVerified: false } },
      { failure: 'unproven_address' },
    ],
    [
      'the address of an account that never confirmed it',
      { namesake: { ...ann, emailVerified: false } },
      { failure: 'unconfirmed_account' },
    ],
    [
      'the address of a suspended account',
      { namesake: { ...ann, suspended: true } },
      { failure: 'suspended' },
    ],
    [
      'the next person with an address',
      { namesake: { ...ann, hasOtherIdentity: true } },
      { failure: 'other_identity' },
    ],
    [
      'the address of an account with two-factor sign-in',
      { namesake: { ...ann, twoFactorOn: true } },
      { failure: 'two_factor_account' },
    ],
    [
      'the same where nobody signs in with a password',
      { namesake: { ...ann, twoFactorOn: true }, passwordsToo: false },
      'connect',
    ],
  ])('%s', (_who, arrival, welcome) => {
    expect(welcomeOf({ ...nobody, ...arrival })).toEqual(welcome);
  });
});

describe('connecting the provider to one’s account', () => {
  it.each([
    [{ holderId: null, userId: 1, hasOtherIdentity: false }, null],
    [{ holderId: 1, userId: 1, hasOtherIdentity: false }, null],
    [{ holderId: 2, userId: 1, hasOtherIdentity: false }, 'taken_identity'],
    [{ holderId: null, userId: 1, hasOtherIdentity: true }, 'other_identity'],
  ])('%j: %j', (connection, problem) => {
    expect(connectingProblem(connection)).toBe(problem);
  });
});
