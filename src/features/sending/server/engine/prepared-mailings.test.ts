import { describe, expect, it } from 'vitest';
import type { TenantTx } from '#platform/server/database.ts';
import type { MailingRow } from '../mailing-queries.ts';
import type { PartRow } from '../part-queries.ts';
import type { Ledger } from './ledger.ts';
import { PreparedMailings } from './prepared-mailings.ts';

const tx = {} as TenantTx;
const partOf = (mailingId: number) => ({ workspaceId: 1, mailingId, variant: null }) as PartRow;

/** With the selectors of the writers that were made and closed, and a key that can be changed. */
function open() {
  const key = { domain: 'acme.co.uk', selector: 'em1', privateKey: 'first' };
  const now = { dkim: key, publicUrl: 'https://links.acme.co.uk' };
  const made: string[] = [];
  const closed: string[] = [];
  const mailings = new PreparedMailings({
    mailingOf: async (_tx, { mailingId }) => ({ id: mailingId }) as MailingRow,
    writtenWith: async () => ({ ...now, dkim: { ...now.dkim }, secretKeys: ['secret'], bounceDomain: null }),
    writerOf: ({ mailing, dkim, publicUrl }) => {
      const name = `${mailing.id} ${dkim?.privateKey} ${publicUrl}`;
      made.push(name);
      return { write: async () => null, close: () => closed.push(name) };
    },
    ledgerOf: () => ({}) as Ledger,
  });
  const take = async (mailingId: number) => {
    const taken = await mailings.take(tx, partOf(mailingId));
    if (!taken) throw new Error('there is no such mailing');
    return taken;
  };
  return { mailings, now, made, closed, take };
}

describe('the mailings that are prepared', () => {
  it('are made once for all parts, also of two runs that begin together', async () => {
    const { mailings, made, closed, take } = open();
    const [one, other] = await Promise.all([take(7), take(7)]);
    expect(other).toBe(one);
    mailings.letGo(one);
    mailings.letGo(other);
    expect(await take(7)).toBe(one);
    expect([made.length, closed]).toEqual([1, []]);
  });

  it.each([
    { dkim: { domain: 'acme.co.uk', selector: 'em1', privateKey: 'second' } },
    { publicUrl: 'https://mail.app.co.uk' },
  ])('get another writer with another key or host, and keep their ledger: %j', async (change) => {
    const { mailings, now, closed, take } = open();
    const before = await take(7);
    Object.assign(now, change);
    const after = await take(7);
    expect(after.writer).not.toBe(before.writer);
    expect(after.ledger).toBe(before.ledger);
    // The run that has begun with it goes on.
    expect(closed).toEqual([]);
    mailings.letGo(before);
    expect(closed).toEqual(['7 first https://links.acme.co.uk']);
    mailings.letGo(after);
    expect(closed).toHaveLength(1);
  });

  it('are forgotten when twenty others came after them, but not while a run writes them', async () => {
    const { mailings, closed, take } = open();
    const used = await take(1);
    mailings.letGo(await take(2));
    for (let id = 3; id <= 30; id++) mailings.letGo(await take(id));
    expect(closed.map((name) => Number.parseInt(name, 10))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(await take(1)).toBe(used);
    mailings.letGo(used);
    mailings.letGo(used);
    for (let id = 31; id <= 50; id++) mailings.letGo(await take(id));
    expect(closed.some((name) => name.startsWith('1 '))).toBe(true);
  });
});
