// Tests of: rollups, dashboard, lists, tags, segments, basis
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { signUp } from '#test/support/sign-in.ts';
import { callsOf, surroundings } from './figures/calls.ts';
import { allPlaces } from './figures/places.ts';
import { anyWork, carryOut, type Work } from './figures/work.ts';

// One workspace, two hundred random pieces of work, and every place where a figure stands: each
// must show what the tables hold. `FAST_CHECK_SEED=7 npm test -- figures` tries another history.

let product: TestApp;

beforeAll(async () => {
  product = await openTestApp(surroundings);
  product.tasks.startWork();
});
afterAll(() => product?.close());

const pieces = 200;
/** Places are compared after every so many pieces. */
const between = 20;

it('every place shows the same figures, whatever was done before', { timeout: 300_000 }, async () => {
  const { seed = 0 } = fc.readConfigureGlobal();
  const history = fc.array(anyWork, { minLength: pieces, maxLength: pieces });
  const [work = []] = fc.sample(history, { numRuns: 1, seed });
  const administrator = await signUp(product.app, { email: surroundings.ADMIN_EMAIL });
  const calls = callsOf(product, await signUp(product.app), administrator);
  const done: (Work & { status: number | null })[] = [];
  for (const piece of work) {
    done.push({ ...piece, status: await carryOut(calls, piece) });
    if (done.length % between > 0) continue;
    const wrong = (await allPlaces(calls)).filter(([, shown, counted]) => !isSame(shown, counted));
    const last = done.slice(-between).map((one) => JSON.stringify(one));
    expect(wrong, `seed ${seed}, after ${done.length} pieces:\n${last.join('\n')}`).toEqual([]);
  }
  // A history in which most calls have nothing to do would prove little.
  const succeeded = done.filter(({ status }) => status === 200 || status === 201);
  expect(succeeded.length).toBeGreaterThan(pieces * 0.6);
  expect(new Set(succeeded.map(({ does }) => does)).size).toBeGreaterThan(25);
});

const isSame = (one: unknown, other: unknown): boolean => {
  try {
    expect(one).toEqual(other);
    return true;
  } catch {
    return false;
  }
};
