// Tests of: platform
import { afterEach, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';

let test: TestApp;

afterEach(() => test.close());

const balancer = '203.0.113.9';

/** A wrong sign-in from `address`, as the balancer passes it on. */
async function signIn(address: string, nearest = balancer): Promise<number> {
  const { statusCode } = await test.app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    remoteAddress: nearest,
    headers: { 'x-forwarded-for': address },
    payload: { email: `${address.replaceAll('.', '-')}@acme.co.uk`, password: 'not the right words' },
  });
  return statusCode;
}

it.each(['203.0.113.0/24', '1'])('limits each person for themselves with TRUST_PROXY=%s', async (trusted) => {
  test = await openTestApp({ TRUST_PROXY: trusted }, { rateLimits: { signIns: 2 } });
  expect(await signIn('198.51.100.1')).toBe(401);
  expect(await signIn('198.51.100.1')).toBe(401);
  expect(await signIn('198.51.100.1')).toBe(429);
  expect(await signIn('198.51.100.2')).toBe(401);
  // The address that a caller claims, before the balancer adds the real one, does not count.
  expect(await signIn('198.51.100.77, 198.51.100.1')).toBe(429);
});

it('believes no stranger about where a call came from', async () => {
  test = await openTestApp({ TRUST_PROXY: '203.0.113.0/24' }, { rateLimits: { signIns: 2 } });
  const stranger = '192.0.2.66';
  expect(await signIn('198.51.100.1', stranger)).toBe(401);
  expect(await signIn('198.51.100.2', stranger)).toBe(401);
  expect(await signIn('198.51.100.3', stranger)).toBe(429);
});
