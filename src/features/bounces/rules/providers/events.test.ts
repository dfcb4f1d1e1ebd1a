import { describe, expect, it } from 'vitest';
import { eventsOf, verdictOf } from './events.ts';
import { type Provider, providers } from './providers.ts';

const only = (provider: Provider, body: unknown) => {
  const [event, ...more] = eventsOf(provider, body);
  expect(more).toEqual([]);
  if (!event) return null;
  const verdict = verdictOf(event);
  return verdict === 'complaint' ? verdict : `${verdict.class} ${verdict.kind}`;
};
const email = 'jo@acme.co.uk';
const ses = (bounceType: string, diagnosticCode?: string) => ({
  notificationType: 'Bounce',
  bounce: { bounceType, bouncedRecipients: [{ emailAddress: email, diagnosticCode }] },
  mail: {},
});
const postmark = (Type: string, Details = '') => ({ RecordType: 'Bounce', Type, Email: email, Details });
const mailgun = (more: object, message = '', code = 550) => ({
  'event-data': {
    event: 'failed',
    severity: 'permanent',
    recipient: email,
    'delivery-status': { message, code },
    ...more,
  },
});

describe('what a service tells', () => {
  it.each<[string, Provider, unknown, string | null]>([
    ['Amazon: no such user', 'ses', ses('Permanent', 'smtp; 550 5.1.1 user unknown'), 'hard no_such_user'],
    ['Amazon: its own suppression list', 'ses', ses('Permanent'), 'hard other'],
    ['Amazon: a full mailbox', 'ses', ses('Transient', 'smtp; 552 5.2.2 mailbox full'), 'soft full'],
    ['Amazon: nobody knows', 'ses', ses('Undetermined'), 'soft other'],
    [
      'Amazon: hard, and yet about the sender',
      'ses',
      ses('Permanent', 'smtp; 550 5.7.1 blocked by spamhaus'),
      'soft reputation',
    ],
    ['Amazon: delivered', 'ses', { notificationType: 'Delivery', mail: {} }, null],
    [
      'Amazon: no spam after all',
      'ses',
      {
        notificationType: 'Complaint',
        complaint: { complaintFeedbackType: 'not-spam', complainedRecipients: [{ emailAddress: email }] },
      },
      null,
    ],
    [
      'Postmark: no such user',
      'postmark',
      postmark('HardBounce', 'smtp;550 5.1.1 User unknown'),
      'hard no_such_user',
    ],
    ['Postmark: a wrong address', 'postmark', postmark('BadEmailAddress'), 'hard other'],
    ['Postmark: blocked', 'postmark', postmark('Blocked', 'smtp;550 5.7.1 blocked by policy'), 'soft policy'],
    ['Postmark: its reader complained', 'postmark', postmark('SpamComplaint'), 'complaint'],
    ['Postmark: somebody is away', 'postmark', postmark('AutoResponder'), null],
    ['Postmark: a delivery', 'postmark', { RecordType: 'Delivery', Recipient: email }, null],
    [
      'SendGrid: blocked',
      'sendgrid',
      [{ event: 'bounce', type: 'blocked', email, reason: '550 blocked' }],
      'soft policy',
    ],
    [
      'SendGrid: given up before',
      'sendgrid',
      [{ event: 'dropped', email, reason: 'Bounced Address' }],
      'hard known_bad',
    ],
    [
      'SendGrid: left before',
      'sendgrid',
      [{ event: 'dropped', email, reason: 'Unsubscribed Address' }],
      null,
    ],
    ['SendGrid: deferred', 'sendgrid', [{ event: 'deferred', email, response: '451 later' }], null],
    ['Mailgun: no such user', 'mailgun', mailgun({}, 'User unknown'), 'hard no_such_user'],
    ['Mailgun: tried again', 'mailgun', mailgun({ severity: 'temporary' }), null],
    [
      'Brevo: a hard bounce',
      'brevo',
      { event: 'hard_bounce', email, reason: '550 5.1.1 no such user' },
      'hard no_such_user',
    ],
    [
      'Brevo: a soft bounce',
      'brevo',
      { event: 'soft_bounce', email, reason: '452 4.2.2 over quota' },
      'soft full',
    ],
    ['Brevo: spam', 'brevo', { event: 'spam', email }, 'complaint'],
    ['Brevo: opened', 'brevo', { event: 'opened', email }, null],
  ])('%s', (_what, provider, body, told) => {
    expect(only(provider, body)).toBe(told);
  });

  it.each(providers)('may be anything at all: %s', (provider) => {
    const deep = {
      event: { toString: null },
      bounce: [],
      complaint: 'x',
      'event-data': [[]],
      Email: {},
      RecordType: 'Bounce',
    };
    for (const body of [
      null,
      undefined,
      7,
      'text',
      [],
      [null, 7],
      {},
      deep,
      [deep],
      { event: 'constructor', email },
    ])
      expect(eventsOf(provider, body)).toEqual([]);
  });

  it('is never more than a service puts into one call', () => {
    const many = Array.from({ length: 5_000 }, () => ({ event: 'spamreport', email }));
    expect(eventsOf('sendgrid', many)).toHaveLength(2_000);
  });
});
