import { generateKeyPairSync } from 'node:crypto';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSmtpSink, type SmtpSink } from '#test/support/smtp-sink.ts';
import { asciiAddress, composer, signer } from './index.ts';

let sink: SmtpSink;
beforeAll(async () => {
  sink = await openSmtpSink();
});
afterAll(() => sink?.close());

it('a signed message arrives byte for byte as it was made', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const compose = composer({
    from: { name: 'Harbour & Pine', address: 'news@bücher.example' },
    replyTo: null,
    feedbackId: null,
    headers: [],
  });
  const to = 'jo@example.org';
  const { raw } = compose(
    { subject: 'Grüße 🍂', html: '<p>.\n.\r\nFrom me \t\n</p>\n\n', text: '.\n..\n\n ' },
    {
      to: { name: 'Zoë', address: to },
      messageId: '1@bücher.example',
      date: new Date(),
      unsubscribeUrl: 'https://mail.example.org/u/1',
    },
  );
  const signed = signer({ domain: 'bücher.example', selector: 'em1', privateKey })(raw, new Date());
  const transport = createTransport({ url: sink.url });
  await transport.sendMail({
    envelope: { from: asciiAddress('news@bücher.example')?.address ?? '', to: [to] },
    raw: signed,
  });
  transport.close();

  expect(sink.messages).toEqual([signed.toString().replace(/\r\n$/, '')]);
  const der = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const { results } = await dkimVerify(`${sink.messages[0]}\r\n`, {
    resolver: async (name) =>
      name === 'em1._domainkey.xn--bcher-kva.example' ? [[`v=DKIM1; k=rsa; p=${der}`]] : [],
    strict: true,
  });
  expect(results.map(({ status }) => status.result)).toEqual(['pass']);
});
