import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

let product: TestApp;
let person: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
});
afterAll(() => product.close());
beforeEach(async () => {
  person = await signUp(product.app);
});

/** A text whose first `length` UTF-16 units end in the middle of an emoji. */
const cutAt = (length: number, before = ''): string =>
  `${before}${'x'.repeat(length - 1 - before.length)}😀 end`;

const shown = 500;
const head = 'email,notes';
const twice = cutAt(shown, 'bob@acme.co.uk,');
const wrong = cutAt(shown, 'jo@gmail,');
const file = [head, 'bob@acme.co.uk,first', twice, wrong].join('\n');

async function run(csv: string, form: Parameters<typeof importCsv>[3] = {}) {
  const answer = await importCsv(product.app, person.cookie, csv, form);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

async function call(method: 'GET' | 'POST', url: string, payload?: object) {
  const answer = await product.app.inject({
    ...{ method, url, headers: { cookie: person.cookie } },
    ...(payload ? { payload } : {}),
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

/** A text cut in the middle of an emoji, as it is kept. */
const kept = (text: string, length: number): string => `${text.slice(0, length - 1)}\ufffd`;

it('imports a file although an emoji stands where a kept line is cut', async () => {
  const done = await run(file);
  expect(done).toMatchObject({ imported: 1, duplicates: 1, invalid: 1 });
  const { items } = await call('GET', `/api/imports/${done.id}/rejected`);
  expect(items.map(({ text }: { text: string }) => text)).toEqual([kept(twice, shown), kept(wrong, shown)]);
});

it('checks such a file too', async () => {
  const { check } = await run(file, { dryRun: true });
  expect(check.sample.map(({ text }: { text: string }) => text)).toEqual([
    'bob@acme.co.uk,first',
    kept(twice, shown),
    kept(wrong, shown),
  ]);
});

it('corrects a row that is cut there', async () => {
  // More rows than a record keeps, so that the last one is read from the receipt.
  const others = Array.from({ length: 201 }, (_, n) => `p${n}@gmail,`);
  const { id } = await run([head, ...others, wrong].join('\n'));
  const line = others.length + 2;
  const corrected = await call('POST', `/api/imports/${id}/rejected/correct`, {
    line,
    email: 'jo@gmail.com',
  });
  expect(corrected.corrected).toMatchObject({ email: 'jo@gmail.com' });
});

it('keeps what a column about mailing says, cut there', async () => {
  const said = cutAt(100);
  const rows = Array.from({ length: 6 }, (_, n) => `p${n}@acme.co.uk,${n % 2 ? said : 'Q'}`);
  const unsure = ['email,Unsubscribed', ...rows].join('\n');
  const seen = await run(unsure, { dryRun: true });
  const values = [
    { value: 'Q', rows: 3 },
    { value: kept(said, 100), rows: 3 },
  ];
  expect(seen.check.unclear).toMatchObject([{ name: 'Unsubscribed', values }]);
  expect((await run(unsure)).notes.unclear).toMatchObject([{ name: 'Unsubscribed', values }]);
  const rule = { index: 1, values: { q: 'unsubscribed' }, mail: [] };
  const told = await run(unsure, { dryRun: true, reading: { doNotMail: [rule] } });
  expect(told.check.doNotMail[0].values).toMatchObject(values);
});
