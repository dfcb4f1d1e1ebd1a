import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import type { TemplateField } from '../../contract/fields.ts';

let test: TestApp;
let me: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
});
beforeEach(async () => {
  me = await signUp(test.app);
});
afterAll(() => test.close());

async function fields() {
  const answer = await test.app.inject({ url: '/api/templates/fields', headers: { cookie: me.cookie } });
  const { items, ...rest } = answer.json() as {
    items: TemplateField[];
    contacts: number;
    isEstimate: boolean;
  };
  return { ...rest, of: (name: string) => items.find((item) => item.name === name) };
}
async function bring(csv: string, columns: string[]): Promise<void> {
  const answer = await importCsv(test.app, me.cookie, csv, { reading: { columns } });
  expect(answer.statusCode, answer.body).toBe(200);
}

it('the picker lists what exists, with how many contacts have a value', async () => {
  const before = await fields();
  expect(before).toMatchObject({ contacts: 0, isEstimate: false });
  expect(before.of('first_name')).toMatchObject({ label: 'First name', kind: 'contact', contacts: 0 });
  expect(before.of('unsubscribe_link')).toMatchObject({ kind: 'sender', contacts: null });
  expect(before.of('coupon_code')).toMatchObject({ kind: 'message', contacts: null });
  await bring(
    'email,Name,Shoe size,First name\nann@kent.co.uk,Ann Bell,4,Annie\nbob@kent.co.uk,,7,\ncyd@kent.co.uk,Cyd,,\n',
    ['email', 'name', 'extra:Shoe size', 'extra:First name'],
  );
  const after = await fields();
  expect(after.contacts).toBe(3);
  expect(after.of('email')).toMatchObject({ contacts: 3 });
  expect(after.of('name')).toMatchObject({ contacts: 2 });
  expect(after.of('shoe_size')).toMatchObject({ kind: 'extra', contacts: 2 });
  // It would be hidden behind the field that all contacts have.
  expect(after.of('attributes["First name"]')).toMatchObject({ kind: 'extra', contacts: 1 });
});

it('samples many contacts, and says so', async () => {
  const rows = Array.from({ length: 21_000 }, (_, n) => `a${n}@york.co.uk,${n % 4 === 0 ? n : ''}`);
  await bring(`email,Points\n${rows.join('\n')}\n`, ['email', 'extra:Points']);
  const found = await fields();
  expect(found).toMatchObject({ contacts: 21_000, isEstimate: true });
  const points = found.of('points')?.contacts ?? 0;
  expect(Math.abs(points - 5_250)).toBeLessThan(500);
}, 120_000);
