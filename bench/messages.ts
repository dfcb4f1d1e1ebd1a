import { generateKeyPairSync, sign as rsaSign } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createTransport } from 'nodemailer';
import { composer, signer } from '#features/messages/server/index.ts';
import { report } from './report.ts';

/**
 * Messages of a campaign, composed and signed on one core. The yardstick is nodemailer, with its
 * own MIME and DKIM, one message after the other in the same run. Signing with RSA costs most of
 * the time, so that alone is printed too.
 */
const { values } = parseArgs({
  options: { messages: { type: 'string', default: '400' }, rounds: { type: 'string', default: '5' } },
});
const count = Number(values.messages);
/** The whole signed message at most this part of what nodemailer needs, and composing alone. */
const goal = { composed: 1 / 5, signed: 1 / 2 };

const row =
  '    <tr><td style="padding:0 24px;font:16px/24px Arial,sans-serif;color:#334155">Lovely things – £25.</td></tr>\n';
const html = (name: string): string =>
  `<!doctype html><html lang="en"><body><p>Dear ${name},</p>\n<table>\n${row.repeat(280)}</table></body></html>`;
const text = (name: string): string => `Dear ${name},\n\n${'Lovely things – £25.\n'.repeat(280)}`;
const subject = (name: string): string => `${name}, the autumn range is here 🍂`;

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const dkim = { domainName: 'harbour.co.uk', keySelector: 'em1', privateKey: pem };
const from = { name: 'Harbour & Pine', address: 'news@harbour.co.uk' };
const people = Array.from({ length: count }, (_, index) => ({
  name: `Zoë ${index}`,
  address: `zoe${index}@example.org`,
  link: `https://mail.harbour.co.uk/u/${index}`,
}));
const date = new Date('2026-11-23T11:00:00Z');

const compose = composer({ from, replyTo: null, feedbackId: '1:2:campaign:harbour', headers: [] });
const sign = signer({ domain: dkim.domainName, selector: dkim.keySelector, privateKey });
const ours = ({ name, address, link }: (typeof people)[number]): Buffer =>
  compose(
    { subject: subject(name), html: html(name), text: text(name) },
    {
      to: { name, address },
      messageId: `${address}.1@harbour.co.uk`,
      date,
      unsubscribeUrl: link,
    },
  ).raw;

const nodemailerWith = (options: object) => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...options });
  return ({ name, address, link }: (typeof people)[number]) =>
    transport.sendMail({
      from,
      to: { name, address },
      subject: subject(name),
      html: html(name),
      text: text(name),
      date,
      list: { unsubscribe: link },
      headers: {
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'Feedback-ID': '1:2:campaign:harbour',
      },
    });
};

/** Milliseconds of processor time for each message: other work on the machine counts less in it. */
async function timed(make: (person: (typeof people)[number]) => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (const person of people) await make(person);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / count;
}

const hashed = Buffer.alloc(600, 7);
const kinds = {
  composed: ours,
  signed: (person: (typeof people)[number]) => sign(ours(person), date),
  rsa: () => rsaSign('sha256', hashed, privateKey),
  theirsComposed: nodemailerWith({}),
  theirsSigned: nodemailerWith({ dkim }),
};
const best: Record<string, number> = {};
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const [kind, make] of Object.entries(kinds))
    best[kind] = Math.min(best[kind] ?? Number.POSITIVE_INFINITY, await timed(make));
}
const of = (kind: keyof typeof kinds): number => best[kind] as number;
const perSecond = (kind: keyof typeof kinds): string =>
  `${Math.round(1000 / of(kind)).toLocaleString('en-GB')}/s`;
console.log(
  `${Math.round(ours(people[0] as (typeof people)[number]).length / 1000)} kB each; composed ${perSecond('composed')}, ` +
    `signed ${perSecond('signed')}, RSA-2048 alone ${perSecond('rsa')}; ` +
    `nodemailer composed ${perSecond('theirsComposed')}, signed ${perSecond('theirsSigned')}`,
);
report({
  promise: 'Messages composed on one core',
  figure: perSecond('composed'),
  against: `5 times nodemailer's ${perSecond('theirsComposed')}`,
  ratio: of('composed') / of('theirsComposed') / goal.composed,
});
report({
  promise: 'Messages composed and signed on one core',
  figure: perSecond('signed'),
  against: `twice nodemailer's ${perSecond('theirsSigned')}`,
  ratio: of('signed') / of('theirsSigned') / goal.signed,
});
