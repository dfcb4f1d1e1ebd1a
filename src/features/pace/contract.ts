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
  .object({ from: time, to: time })
  .refine(({ from, to }) => from !== to, { error: 'Quiet hours cannot last all day.' })
  .nullable()
  .describe('On the clocks in London. From 20:00 to 08:00 goes over midnight.');

export const frequencyCap = z
  .object({ messages: z.number().int().min(1).max(100), days: z.number().int().min(1).max(90) })
  .nullable()
  .describe('Campaigns to one person in so many days. Whoever has had them is left out. Null: no cap.');
export type FrequencyCap = NonNullable<z.output<typeof frequencyCap>>;

const warmUp = z
  .object({
    domain: z.string().trim().toLowerCase().min(3).max(253).describe('ASCII, as after the @ of a sender.'),
    begunOn: z.iso.date().describe('The first day, in the calendar of London.'),
    first: z.number().int().min(1).max(mostMessages).describe('Messages on the first day.'),
    doubleEvery: z.number().int().min(1).max(30).describe('Days after which it is twice as many.'),
    most: z.number().int().min(1).max(mostMessages).describe('From this many a day on it is warm.'),
  })
  .refine(({ first, most }) => most >= first, {
    error: 'A domain is warm at no fewer messages than on its first day.',
    path: ['most'],
  });

const receiver = z.object({
  receiver: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, { error: 'Write a domain as google.com.' })
    .max(253)
    .describe(
      'The domain of mail servers, such as google.com for all whose mail Google takes, or one after the @ of recipients. ASCII.',
    ),
  perHour: z.number().int().min(1).max(mostMessages).describe('Campaign messages an hour.'),
});

const isOnce = (names: readonly string[]): boolean => new Set(names).size === names.length;

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
    'Change how fast campaigns leave. Holds at once, for what is under way too. What is left out stays.',
  tag,
  body: z
    .strictObject({
      ...pace,
      warmUps: z.array(warmUp).max(mostWarmUps).describe('All of them.'),
      receivers: z.array(receiver).max(mostReceivers).describe('All of them.'),
    })
    .partial()
    .refine(({ warmUps = [] }) => isOnce(warmUps.map(({ domain }) => domain)), {
      error: 'A domain stands there twice.',
      path: ['warmUps'],
    })
    .refine(({ receivers = [] }) => isOnce(receivers.map(({ receiver }) => receiver)), {
      error: 'A receiver stands there twice.',
      path: ['receivers'],
    }),
  response: settled,
});
