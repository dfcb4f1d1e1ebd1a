import { generateKeyPairSync } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import type { MailingRow } from '../mailing-queries.ts';
import type { DueSend } from '../send-queries.ts';
import type { WritingOf } from './writer.ts';
import { WriterThreads } from './writer-threads.ts';

const threads = new WriterThreads();
afterAll(() => threads.stop());

const mailing = {
  ...{ workspaceId: 1, id: 7, kind: 'campaign', mergeData: {}, tracksOpens: true, tracksClicks: true },
  ...{ subject: 'For {{ name }}', preheader: '', html: '<p>Dear {{ name }}</p>', text: 'Dear {{ name }}' },
  ...{ fromName: 'Harbour', fromAddress: 'news@harbour.co.uk', replyTo: null },
} as MailingRow;
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const what: WritingOf = {
  ...{ mailing, publicUrl: 'https://mail.harbour.co.uk', secretKeys: ['a secret of some length or other'] },
  bounceDomain: 'bounces.acme.co.uk',
  dkim: { domain: 'harbour.co.uk', selector: 'em1', privateKey },
};
const send = (id: number, local = `p${id}`): DueSend => ({
  ...{
    id,
    triedSeconds: 0,
    local,
    domain: 'shop.co.uk',
    address: `${local}@shop.co.uk`,
    name: `Person ${id}`,
  },
  ...{ firstName: null, lastName: null, source: null, date: null, attributes: {}, data: null, tags: null },
});

describe('threads that write messages', () => {
  it('write each for its own person, signed, and leave out what cannot be written', async () => {
    const writer = threads.writer(what);
    const sends = Array.from({ length: 40 }, (_, n) => send(n, n === 5 ? 'a\nb' : undefined));
    const written = await Promise.all(sends.map((one) => writer.write(one)));
    expect(written.flatMap((message, n) => (message ? [] : [n]))).toEqual([5]);
    const source = written[39]?.raw.toString() ?? '';
    expect(source).toMatch(/^DKIM-Signature: /);
    expect(source).toContain('Dear Person 39');
    expect(written[39]).toMatchObject({ id: 39, recipient: 'p39@shop.co.uk', subject: 'For Person 39' });
  });

  it('begin anew after they were stopped, and know the mailing', async () => {
    const writer = threads.writer(what);
    await writer.write(send(1));
    await threads.stop();
    expect(await writer.write(send(2))).toMatchObject({ id: 2 });
    writer.close();
    expect(await writer.write(send(3))).toMatchObject({ id: 3 });
  });

  it('say that they cannot write, in place of leaving people out', async () => {
    const writer = threads.writer({
      ...what,
      dkim: { domain: 'harbour.co.uk', selector: 'em1', privateKey: 'no key' },
    });
    const [failed, written] = await Promise.allSettled([
      writer.write(send(1)),
      threads.writer(what).write(send(2)),
    ]);
    expect(failed.status).toBe('rejected');
    expect(written).toMatchObject({ value: { id: 2 } });
  });
});
