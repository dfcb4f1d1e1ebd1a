import { expect, it } from 'vitest';
import type { MailingRow } from '../mailing-queries.ts';
import type { DueSend } from '../send-queries.ts';
import { domainOf, writerOf } from './writer.ts';

const mailing = {
  ...{ workspaceId: 1, id: 7, kind: 'campaign', mergeData: {}, tracksOpens: false, tracksClicks: false },
  ...{ subject: 'News', preheader: '', html: '<p>Hello</p>', text: 'Hello' },
  ...{ fromName: 'Bücher', fromAddress: 'news@bücher.co.uk', replyTo: null },
} as MailingRow;
const send: DueSend = {
  ...{ id: 5, triedSeconds: 0, local: 'jo', domain: 'shop.co.uk', address: 'jo@shop.co.uk', name: null },
  ...{ firstName: null, lastName: null, source: null, date: null, attributes: {}, data: null, tags: null },
};

it('writes a sender beyond ASCII so that any mail server takes it', () => {
  const writer = writerOf({
    ...{ mailing, publicUrl: 'https://mail.app.co.uk', secretKeys: ['a secret of some length or other'] },
    ...{ dkim: null, bounceDomain: null },
  });
  const message = writer.write(send, new Date());
  expect(message).toMatchObject({ returnPath: 'news@xn--bcher-kva.co.uk', needsSmtpUtf8: false });
  expect(message?.raw.toString('latin1')).toMatch(/^Message-ID: <[\w.-]+@xn--bcher-kva\.co\.uk>\r$/m);
});

it('knows the domain of a sender as the DNS does', () => {
  expect(domainOf('news@BÜCHER.co.uk')).toBe('xn--bcher-kva.co.uk');
  expect(domainOf('news@Shop.co.uk')).toBe('shop.co.uk');
});
