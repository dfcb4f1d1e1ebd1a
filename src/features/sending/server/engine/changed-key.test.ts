import { sql } from 'kysely';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { expect, it } from 'vitest';
import { openSendingApp } from '#test/support/sending-app.ts';

// The sender domain is changed while a campaign waits for its pace.

const app = openSendingApp({
  ...{ people: 2, anew: 'owner', environment: { PUBLIC_URL: 'https://mail.app.co.uk' } },
});
const { call, send, stands } = app;
const path = '/api/sender-domains';

interface SenderKeyRecord {
  host: string;
  value: string;
}
async function addDomain(): Promise<{ id: number; record: SenderKeyRecord }> {
  const { id, records } = await call('POST', path, { domain: 'harbour.co.uk' });
  return { id, record: records.find(({ selector }: { selector: string }) => selector === 'em1') };
}
const isSignedBy = async ({ host, value }: SenderKeyRecord, raw = '') => {
  const { results } = await dkimVerify(Buffer.from(`${raw}\r\n`, 'latin1'), {
    resolver: async (name) => (name === host ? [[value]] : []),
    strict: true,
  });
  return results.map(({ status }) => status.result);
};

/** A campaign of which one message has left. */
async function sendOne(): Promise<number> {
  const sender = { fromName: 'Harbour', fromAddress: 'news@harbour.co.uk' };
  await call('PATCH', '/api/settings', { sender });
  await call('PATCH', '/api/pace', { perDay: 1 });
  const id = await send();
  await stands(id, { sent: 1, pending: 1, notice: expect.stringMatching(/have left today/) });
  return id;
}
async function sendTheOther(id: number): Promise<void> {
  await call('PATCH', '/api/pace', { perDay: null });
  await stands(id, { status: 'completed', sent: 2 });
}

it('signs what is left with the key of a domain that was added anew', async () => {
  const first = await addDomain();
  const id = await sendOne();
  await call('DELETE', `${path}/${first.id}`);
  const second = await addDomain();
  await sendTheOther(id);
  const [early, late] = app.peer.taken;
  expect(await isSignedBy(first.record, early?.raw)).toEqual(['pass']);
  expect(await isSignedBy(second.record, late?.raw)).toEqual(['pass']);
});

it('lets readers leave at a host that is still there', async () => {
  const { id: domain } = await addDomain();
  const leadsHere = { tracking: { values: ['mail.app.co.uk'] }, linkProblem: null };
  await sql`
    update sender_domains set facts = ${JSON.stringify(leadsHere)}::jsonb where id = ${domain}`.execute(
    app.test.owner.system,
  );
  const id = await sendOne();
  await call('DELETE', `${path}/${domain}`);
  await sendTheOther(id);
  const hosts = app.peer.taken.map(({ raw }) => /^List-Unsubscribe:\s*<https:\/\/([^/]+)/m.exec(raw)?.[1]);
  expect(hosts).toEqual(['links.harbour.co.uk', 'mail.app.co.uk']);
});
