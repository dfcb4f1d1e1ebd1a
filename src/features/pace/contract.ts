import { z } from 'zod';
import { access, endpoint } from '#platform/shared/contract.ts';

/** More than any mail server takes. */
const mostMessages = 100_000_000;
/** More domains than one warms up at a time. */
export const mostWarmUps = 50;
/** More receivers than anybody tells apart. */
export const mostReceivers = 50;

const limit = z.number().int().min(1).max(mostMessages).nullable();
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'Write a time as 20:00.' });

export const quietHours = z
  .strictObject({ from: time, to: time })
  .refine(({ from, to }) => from !== to, { error: 'Quiet hours cannot last all day.' })
  .nullable()
  .describe('On the clocks in London. From 20:00 to 08:00 goes over midnight.');

export const frequencyCap = z
  .strictObject({ messages: z.number().int().min(1).max(100), days: z.number().int().min(1).max(90) })
  .nullable()
  .describe('Campaigns to one person in so many days. Whoever has had them is left out. Null: no cap.');
export type FrequencyCap = NonNullable<z.output<typeof frequencyCap>>;

/** Longer than any domain: it may be written as an address or a web address. */
const written = z.string().max(320);
const isNew = z
  .boolean()
  .optional()
  .describe('True: it is answered 409 `already_exists` when it is there already.');

const warmUp = z
  .strictObject({
    domain: written.describe(
      'As after the @ of a sender. An address or a web address stands for its domain. It is answered in ASCII.',
    ),
    begunOn: z.iso.date().describe('The first day, in the calendar of London.'),
    first: z.number().int().min(1).max(mostMessages).describe('Messages on the first day.'),
    doubleEvery: z.number().int().min(1).max(30).describe('Days after which it is twice as many.'),
    most: z.number().int().min(1).max(mostMessages).describe('From this many a day on it is warm.'),
  })
  .refine(({ first, most }) => most >= first, {
    error: 'A domain is warm at no fewer messages than on its first day.',
    path: ['most'],
  });

const receiver = z.strictObject({
  receiver: written.describe(
    'The domain of mail servers, such as google.com for all whose mail Google takes, or one after the @ of recipients. ' +
      'It is answered in ASCII.',
  ),
  perHour: z.number().int().min(1).max(mostMessages).describe('Campaign messages an hour.'),
});

const pace = {
  perHour: limit.describe('Campaign messages an hour. Null: no limit.'),
  perDay: limit.describe('Campaign messages a day of the calendar of London. Null: no limit.'),
  quietHours,
  frequencyCap,
};

const settled = z.object({
  ...pace,
  receivers: z.array(receiver).describe('Who gets no more than so many an hour.'),
  sentToday: z
    .number()
    .int()
    .describe('Campaign messages that were handed over today, while a limit is set.'),
  warmUps: z.array(
    warmUp.safeExtend({
      allowedToday: z.number().int().nullable().describe('Null: the domain is warm.'),
      sentToday: z.number().int(),
      steps: z.array(z.object({ day: z.iso.date(), messages: z.number().int() })),
      warmFrom: z.iso.date(),
    }),
  ),
});
export type SendingPace = z.output<typeof settled>;

const ended = (one: string) =>
  z
    .string()
    .max(320)
    .describe(
      `The name of one that ends, as it is answered. With \`${one}\`, that one takes its place, and is refused with 409 ` +
        '`already_exists` when another has its name.',
    );

const tag = 'Sending';

export const getPace = endpoint({
  method: 'GET',
  path: '/api/pace',
  access: access.member('viewer'),
  summary:
    'How fast campaigns leave: limits an hour and a day, for all and for single receivers, quiet hours, and new domains that warm up.',
  tag,
  response: settled,
});

export const changePace = endpoint({
  method: 'PATCH',
  path: '/api/pace',
  access: access.member('admin'),
  summary:
    'Change how fast campaigns leave. Holds at once, for what is under way too. What is left out stays. One domain or receiver ' +
    'can be written or ended by itself, which leaves those that others have written.',
  tag,
  body: z
    .strictObject({
      ...pace,
      warmUps: z.array(warmUp).max(mostWarmUps).describe('All of them, in place of those that are there.'),
      warmUp: warmUp.safeExtend({ isNew }).describe('One, new or changed. The others stay.'),
      endWarmUp: ended('warmUp'),
      receivers: z
        .array(receiver)
        .max(mostReceivers)
        .describe('All of them, in place of those that are there.'),
      receiver: receiver.extend({ isNew }).describe('One, new or changed. The others stay.'),
      endReceiver: ended('receiver'),
    })
    .partial(),
  response: settled,
  fails: ['already_exists', 'conflict'],
  limits: `At most ${mostWarmUps} domains warm up, and ${mostReceivers} receivers have a limit.`,
});
