import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { migrateJobs } from '#platform/server/jobs.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

// Segments ask what contacts were sent, and what they did with it.

let test: TestApp;
let person: SignedIn;
const campaigns: Record<string, number> = {};
const ids: Record<string, number> = {};

// biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
async function call(method: 'GET' | 'POST', url: string, payload?: object): Promise<any> {
  const headers = { cookie: person.cookie };
  return (await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })).json();
}

/** Sends a campaign to a list of these people. */
async function send(name: string, ...people: string[]): Promise<void> {
  const list = await call('POST', '/api/lists', { name });
  await call('POST', `/api/lists/${list.id}/contacts`, { ids: people.map((one) => ids[one]) });
  const body = { name, subject: name, content: 'Hello', template: 'simple' };
  const { id } = await call('POST', '/api/campaigns', {
    ...body,
    audience: { include: [{ list: list.id }] },
  });
  await call('POST', `/api/campaigns/${id}/send`);
  campaigns[name] = id;
  await vi.waitFor(
    async () => expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject({ sent: people.length }),
    { timeout: 20_000, interval: 50 },
  );
}

/** What somebody did so many days ago. */
const did = (name: string, who: string, days: number, { clicked = false, byMachine = false } = {}) =>
  sql`
    insert into tracked_sends (workspace_id, mailing_id, send_id, contact_id, opened_at, human_opened_at, human_clicked_at)
    select workspace_id, id, ${ids[who]}::bigint, ${ids[who]}::bigint, now(),
      case when ${!byMachine} then now() - make_interval(days => ${days}::int) end,
      case when ${clicked} then now() - make_interval(days => ${days}::int) end
    from mailings where campaign_id = ${campaigns[name]}`.execute(test.owner.system);

beforeAll(async () => {
  test = await openTestApp();
  await migrateJobs(test.ownerUrl);
  await test.startWork();
  person = await signUp(test.app);
  await importCsv(
    test.app,
    person.cookie,
    'email\nann@acme.co.uk\nbob@acme.co.uk\ntom@acme.co.uk\nzoe@acme.co.uk\n',
  );
  for (const { address, id } of (await call('GET', '/api/emails')).emails) ids[address.slice(0, 3)] = id;
  await send('Spring', 'ann', 'bob', 'tom');
  await send('Summer sale', 'ann', 'bob');
  await did('Spring', 'ann', 40, { clicked: true });
  await did('Spring', 'tom', 3, { byMachine: true });
  await did('Summer sale', 'bob', 2);
});
afterAll(() => test?.close());

async function whom(field: string, operator: string, value?: string | string[]): Promise<string> {
  const segmentRules = { conditions: [{ field, operator, ...(value === undefined ? {} : { value }) }] };
  const found = await call('POST', '/api/segments/preview', { segmentRules });
  if (!found.sample) return found.message;
  expect(found.sample).toHaveLength(found.total.count);
  return found.sample
    .map((one: { address: string }) => one.address.slice(0, 3))
    .sort()
    .join(' ');
}

it.each<[string, string, string | string[] | undefined, string]>([
  ['sentCampaign', 'equals', 'Spring', 'ann bob tom'],
  ['sentCampaign', 'equals', 'summer sale', 'ann bob'],
  ['sentCampaign', 'not_equals', 'Spring', 'zoe'],
  ['sentCampaign', 'contains', 's', 'ann bob tom'],
  ['sentCampaign', 'is_empty', undefined, 'zoe'],
  ['openedCampaign', 'equals', 'Spring', 'ann'],
  ['openedCampaign', 'one_of', ['Spring', 'Summer sale'], 'ann bob'],
  ['openedCampaign', 'not_equals', 'Spring', 'bob tom zoe'],
  ['openedCampaign', 'is_not_empty', undefined, 'ann bob'],
  ['clickedCampaign', 'is_empty', undefined, 'bob tom zoe'],
  ['clickedCampaign', 'equals', 'Spring', 'ann'],
  ['lastOpened', 'in_last_days', '7', 'bob'],
  ['lastOpened', 'not_in_last_days', '7', 'ann tom zoe'],
  ['lastOpened', 'is_empty', undefined, 'tom zoe'],
  ['lastClicked', 'is_not_empty', undefined, 'ann'],
])('%s %s %s means %s', async (field, operator, value, expected) => {
  expect(await whom(field, operator, value)).toBe(expected);
});

it('names campaigns by their number too, and refuses one that was never sent', async () => {
  expect(await whom('openedCampaign', 'equals', String(campaigns.Spring))).toBe('ann');
  expect(await whom('openedCampaign', 'equals', 'Autumn')).toMatch(/Autumn/);
});

it('says of a contact what it was sent and what it opened', async () => {
  const conditions = [
    { field: 'sentCampaign', operator: 'equals', value: 'Spring' },
    { field: 'openedCampaign', operator: 'equals', value: 'Summer sale' },
  ];
  const why = await call('POST', '/api/segments/explain', {
    segmentRules: { conditions },
    contactId: ids.ann,
  });
  expect(why).toMatchObject({
    isIn: false,
    conditions: [
      { holds: true, has: ['Summer sale', 'Spring'] },
      { holds: false, has: ['Spring'] },
    ],
  });
});

it('offers the campaigns that were sent, the newest first', async () => {
  const { fields } = await call('GET', '/api/segments/fields');
  const field = fields.find(({ key }: { key: string }) => key === 'sentCampaign');
  expect(field.group).toBe('Campaigns');
  expect(field.options.map(({ label }: { label: string }) => label.replace(/ \(.*/, ''))).toEqual([
    'Summer sale',
    'Spring',
  ]);
});
