import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '#platform/server/logging.ts';
import { openTestProvider, type TestProvider, type Twist } from '#test/support/identity-provider.ts';
import { currentUser, openPeopleBench, type PeopleBench } from '#test/support/people.ts';
import {
  beginSignIn,
  comeBack,
  comeIn,
  failureOf,
  oidcOf,
  sessionIn,
  somebody,
} from '#test/support/provider-visits.ts';
import { signUp } from '#test/support/sign-in.ts';

let bench: PeopleBench;
let provider: TestProvider;
let app: FastifyInstance;

beforeAll(async () => {
  [bench, provider] = await Promise.all([openPeopleBench(), openTestProvider()]);
  app = await bench.start({ oidc: oidcOf(provider) });
});
afterAll(async () => {
  await bench?.close();
  await provider?.close();
});
beforeEach(() => provider.setAway(false));

/** Every user and every way in. */
async function people(): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select concat((select jsonb_agg(to_jsonb(u) order by u.id) from users u),
                  (select jsonb_agg(to_jsonb(a) order by a.id) from accounts a)) as text`.execute(
    bench.database.system,
  );
  return rows[0]?.text ?? '';
}
const whoIs = async (cookie: string) => (await currentUser(app, cookie)).json();

describe('what is made up on the way', () => {
  it.each<[string, Twist]>([
    ['an ID token for another client', { claims: { aud: 'another-client' } }],
    [
      'one for several clients, made for another',
      { claims: { aud: ['email-manager', 'other'], azp: 'other' } },
    ],
    ['one for several clients that names none', { claims: { aud: ['email-manager', 'other'] } }],
    ['one of another issuer', { claims: { iss: 'https://elsewhere.example' } }],
    ['one that ran out', { claims: { exp: 1_700_000_000 } }],
    ['one without an end', { claims: { exp: undefined } }],
    ['one of another sign-in', { claims: { nonce: 'of another' } }],
    ['one of no sign-in', { claims: { nonce: undefined } }],
    ['one about nobody', { claims: { sub: undefined } }],
    ['one signed with another key', { signedWith: 'another key' }],
    ['one signed with the secret', { signedWith: 'the secret' }],
    ['an answer that names another issuer', { iss: 'https://elsewhere.example' }],
    ['an answer that names no issuer, of a provider that promised to', { iss: undefined }],
    ['user info about somebody else', { onlyInUserInfo: { sub: 'somebody-else' } }],
  ])('lets nobody in: %s', async (_what, twist) => {
    const before = await people();
    const answer = await comeIn(app, provider, somebody(), { twist });
    expect([answer.statusCode, failureOf(answer), sessionIn(answer)]).toEqual([302, 'refused', '']);
    expect(await people()).toBe(before);
  });

  it('is told of in the log with its reason, and without anything of the person', async () => {
    let written = '';
    const log = createLogger('info', {
      write: (line: string) => {
        written += line;
      },
    });
    const telling = await bench.start({ oidc: oidcOf(provider) }, { log });
    const ann = somebody({ name: 'Ann Reed' });
    await comeIn(telling, provider, ann, { twist: { claims: { aud: 'another-client' } } });
    expect(written).toMatch(/"failure":"refused".*unexpected \\"aud\\" claim value/);
    await comeIn(telling, provider, { ...ann, email_verified: false });
    expect(written).toContain('"failure":"unproven_address"');
    for (const secret of [ann.email, ann.sub, 'Ann Reed', provider.env.OIDC_CLIENT_SECRET ?? ''])
      expect(written).not.toContain(secret);
  });

  it('lets nobody in with an answer that was used', async () => {
    const begun = await beginSignIn(app);
    const answer = await provider.approve(begun.url, somebody());
    expect(sessionIn(await comeBack(app, answer, begun.cookie))).not.toBe('');
    const again = await comeBack(app, answer, begun.cookie);
    expect([failureOf(again), sessionIn(again)]).toEqual(['expired', '']);
  });

  it('lets nobody in with the answer to another browser', async () => {
    const attacker = await beginSignIn(app);
    const answer = await provider.approve(attacker.url, somebody());
    const victim = await beginSignIn(app);
    for (const cookie of ['', victim.cookie, 'email-manager.state=made-up.signature']) {
      const refused = await comeBack(app, answer, cookie);
      expect([failureOf(refused), sessionIn(refused)]).toEqual(['expired', '']);
    }
  });

  it('lets nobody in with the code of one sign-in and the state of another', async () => {
    const [one, two] = [await beginSignIn(app), await beginSignIn(app)];
    const stolen = await provider.approve(one.url, somebody());
    const own = await provider.approve(two.url, somebody());
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    const answer = await comeBack(app, own, two.cookie);
    expect([failureOf(answer), sessionIn(answer)]).toEqual(['refused', '']);
  });

  it('plants no session: the one that is brought along is not the one that is signed in', async () => {
    const attacker = await signUp(app);
    const ann = somebody();
    const answer = await comeIn(app, provider, ann, { cookie: attacker.cookie });
    expect(sessionIn(answer)).not.toBe(attacker.cookie);
    expect((await whoIs(sessionIn(answer))).email).toBe(ann.email);
    expect((await whoIs(attacker.cookie)).email).toBe(attacker.email);
  });

  it.each([
    ['access_denied', 'cancelled'],
    ['login_required', 'cancelled'],
    ['temporarily_unavailable', 'unreachable'],
    ['invalid_scope', 'refused'],
  ])('is no sign-in: the error %s, which counts once', async (error, failure) => {
    const begun = await beginSignIn(app, '/bin');
    const state = new URL(begun.url).searchParams.get('state') ?? '';
    const url = new URL(
      `http://localhost:3000/api/auth/oauth2/callback/oidc?${new URLSearchParams({ error, state })}`,
    );
    const answer = await comeBack(app, url, begun.cookie);
    expect(answer.headers.location).toBe(`/auth?failure=${failure}&next=%2Fbin`);
    expect(failureOf(await comeBack(app, url, begun.cookie))).toBe('expired');
  });

  it.each(['', '?code=x', '?state=x&code=x', '?error=access_denied', `?code=x&state=${'a'.repeat(32)}`])(
    'is no sign-in: a callback with %j',
    async (search) => {
      const url = new URL(`http://localhost:3000/api/auth/oauth2/callback/oidc${search}`);
      expect((await comeBack(app, url, '')).headers.location).toBe('/auth?failure=expired');
    },
  );

  it('is told from a provider that went away half way', async () => {
    const begun = await beginSignIn(app);
    const answer = await provider.approve(begun.url, somebody());
    provider.setAway(true);
    expect(failureOf(await comeBack(app, answer, begun.cookie))).toBe('unreachable');
  });
});
