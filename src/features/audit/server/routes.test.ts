import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import { recordAudit } from './index.ts';

let test: TestApp;
let owner: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
  owner = await signUp(test.app);
  await test.database.asTenant(owner.workspaceId, async (tx) => {
    for (const [actor, action, subject] of [
      ['ann@harbour.co.uk', 'member.joined', 'invitation:1'],
      ['bob@harbour.co.uk', 'contacts.cleaned', 'contacts'],
      [null, 'contacts.removed', 'contacts'],
      ['ann@harbour.co.uk', 'api_key.created', 'api_key:7'],
    ] as const)
      await recordAudit(tx, owner.workspaceId, { actor, action, subject, details: { name: '=1+1, "x"' } });
  });
});
afterAll(() => test?.close());

const read = (query = '', who: SignedIn = owner, path = '/api/audit') =>
  test.app.inject({ url: `${path}?${query}`, headers: { cookie: who.cookie } });
const actions = async (query: string) =>
  ((await read(query)).json().items as { action: string }[]).map(({ action }) => action);

describe('the audit log', () => {
  it('is read newest first, page by page', async () => {
    const first = (await read('limit=3')).json();
    expect(first.items.map(({ action }: { action: string }) => action)).toEqual([
      'api_key.created',
      'contacts.removed',
      'contacts.cleaned',
    ]);
    const rest = (await read(`limit=3&cursor=${first.nextCursor}`)).json();
    expect(rest).toMatchObject({ items: [{ action: 'member.joined' }], nextCursor: null });
  });

  it('is narrowed by who, what, to what and when', async () => {
    expect(await actions('actor=ANN@')).toEqual(['api_key.created', 'member.joined']);
    expect(await actions('area=contacts')).toEqual(['contacts.removed', 'contacts.cleaned']);
    expect(await actions('subject=api_key:7')).toEqual(['api_key.created']);
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' }).format(new Date());
    expect(await actions(`from=${today}&to=${today}`)).toHaveLength(4);
    expect(await actions('to=2020-01-01')).toEqual([]);
    expect((await read('from=yesterday')).statusCode).toBe(400);
  });

  it('is exported as CSV that a spreadsheet does not run', async () => {
    const answer = await read('area=keys', owner, '/api/audit/export');
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="audit-log-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const [head, line, end] = answer.body.split('\r\n');
    expect(head).toBe('time,who,what,action,subject,details');
    expect(line).toMatch(
      /Z,ann@harbour\.co\.uk,API key made,api_key\.created,api_key:7,"name: =1\+1, ""x"""$/,
    );
    expect(end).toBe('');
  });

  it.each(['viewer', 'editor', 'sender'] as const)('is closed to a %s', async (role) => {
    const member = await signUpMember(test.app, test.database, { workspaceId: owner.workspaceId, role });
    expect((await read('', member)).statusCode).toBe(403);
    expect((await read('', member, '/api/audit/export')).statusCode).toBe(403);
  });

  it('shows nothing of another workspace', async () => {
    const stranger = await signUp(test.app);
    expect((await read('', stranger)).json().items).toEqual([]);
    expect((await read('', stranger, '/api/audit/export')).body.split('\r\n')).toHaveLength(2);
  });

  it('has no call that changes it', async () => {
    await expect(sql`delete from audit_log`.execute(test.database.system)).rejects.toThrow(
      /permission denied/,
    );
  });
});
