import { z } from 'zod';
import { access, endpoint, type ResponseOf } from '#platform/shared/contract.ts';

/** Days that events stay in the stream. */
export const keptDays = 90;

/** The calls of a stream whose events have these types. */
export const eventCalls = (types: Readonly<Record<string, string>>) => {
  const names = Object.keys(types) as [string, ...string[]];
  const known = names.length > 0 ? z.enum(names) : z.string();
  return {
    listEvents: endpoint({
      method: 'GET',
      path: '/api/events',
      access: access.member('viewer', 'events:read'),
      summary:
        'What happened, in the order in which it was committed. Keep the `cursor` of the answer and send it as `after`: ' +
        'each event comes exactly once, and none is left out.',
      limits: `Events stay ${keptDays} days. A new event can be read within a second or two.`,
      tag: 'Events',
      query: z.object({
        after: z
          .string()
          .regex(/^(\d{1,18}|now)$/, { error: 'Send the cursor of an earlier answer, as it is.' })
          .optional()
          .describe(
            'The `cursor` of the answer before. Absent: from the oldest event on. `now`: a cursor for what comes from here on.',
          ),
        types: z
          .string()
          .transform((text) => text.split(','))
          .pipe(z.array(known).min(1).max(100))
          .optional()
          .describe(`Only these, separated by commas. ${inWords(types)}`),
        limit: z.coerce.number().int().min(1).max(1_000).default(100),
      }),
      response: z.object({
        items: z.array(
          z.object({
            id: z.string().describe('Its place in the stream; unique.'),
            // Not an enum: while versions change, a newer process may already write further types.
            type: z.string().describe(`What happened. A later version may add types. ${inWords(types)}`),
            at: z.iso.datetime(),
            subject: z
              .object({ kind: z.string(), id: z.number().int() })
              .nullable()
              .describe(
                'What it is about beside contacts: a `campaign`, `batch` of transactional messages, `list`, `tag`, `import` or `contact`.',
              ),
            contactIds: z
              .array(z.number().int())
              .describe('The contacts that it is about, up to 1,000. More of them have further events.'),
            data: z.record(z.string(), z.unknown()).describe('What else is known, by type.'),
          }),
        ),
        cursor: z.string().describe('Where this answer ends. There is one even when nothing was found.'),
        hasMore: z.boolean(),
      }),
    }),
  };
};

export type StreamedEvent = ResponseOf<ReturnType<typeof eventCalls>['listEvents']>['items'][number];

const inWords = (types: Readonly<Record<string, string>>): string =>
  Object.entries(types)
    .map(([name, words]) => `\`${name}\`: ${words}`)
    .join(' ');
