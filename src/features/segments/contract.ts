import { z } from 'zod';
import { contact } from '#features/contacts/contract.ts';
import { access, endpoint } from '#platform/shared/contract.ts';
import { segmentRules } from './contract/segment-rules.ts';
import { fieldTypes, operatorRules, operators } from './rules/operators.ts';

export * from './contract/segment-rules.ts';

/** A number of contacts. */
const figure = z.object({
  count: z.number().int(),
  isEstimate: z.boolean().describe('True when it comes from a sample. Zero then means few or none.'),
});
export type Figure = z.output<typeof figure>;

const steps = z.object({
  conditions: z.array(z.number().int()),
  groups: z.array(z.object({ count: z.number().int(), conditions: z.array(z.number().int()) })),
  isEstimate: z.boolean(),
});
export type Steps = z.output<typeof steps>;

const tag = 'Segments';
const reads = { access: access.member('viewer', 'contacts:read'), tag, writesLittle: true } as const;

/** Contacts that are looked at one by one while somebody waits. */
export const mostTested = 1_000_000;
/** The same of more contacts. The estimate is good there, and an exact count has its own call. */
export const mostTestedOfMore = 300_000;

export const previewSegment = endpoint({
  ...reads,
  method: 'POST',
  path: '/api/segments/preview',
  summary: 'How many contacts a segment means, step by step, and a sample of ten of them.',
  limits:
    'Counted exactly where at most a million contacts have to be looked at and that takes at most two seconds. In a workspace of more than ' +
    'a million, where it is at most 300,000 and 0.4 seconds. Otherwise estimated from about 16,000 of them. ' +
    '`POST /api/segments/count` counts exactly.',
  body: z.strictObject({
    segmentRules,
    quick: z.boolean().optional().describe('Only the estimate, which takes no longer for millions.'),
    seed: z.number().int().min(0).max(1_000_000).optional().describe('Another number, another sample.'),
  }),
  response: z.object({
    words: z.string().describe('Whom it means, as a sentence.'),
    all: z.number().int().describe('All contacts of the workspace.'),
    total: figure,
    statuses: z
      .object({
        active: z.number().int().describe('Can be mailed.'),
        suppressed: z.number().int(),
        invalid: z.number().int(),
        duplicate: z.number().int(),
        isEstimate: z.boolean(),
      })
      .describe('The same contacts by their status.'),
    steps: steps.describe(
      'The contacts left after each condition and group, in their order. Where one of them is enough, each counts alone ' +
        'among those left before.',
    ),
    sample: z.array(contact).describe('Up to ten, taken at random where there are more.'),
    milliseconds: z.number().int(),
  }),
});

export const countSegment = endpoint({
  ...reads,
  method: 'POST',
  path: '/api/segments/count',
  summary: 'How many contacts a segment means, counted exactly however many there are.',
  limits:
    'Two of these run at once for a workspace, and the others wait. Of one person or key, up to ' +
    '50 wait. A call that is given up ends its count.',
  body: z.strictObject({ segmentRules }),
  response: z.object({ count: z.number().int() }),
});

const answer = z.object({
  holds: z.boolean(),
  words: z.string().describe('The condition, as the end of “contacts …”.'),
  has: z.array(z.string()).describe('What the contact has in this field. Empty when there is nothing.'),
});
export type Answer = z.output<typeof answer>;

export const explainSegment = endpoint({
  ...reads,
  method: 'POST',
  path: '/api/segments/explain',
  summary: 'Whether a segment means a contact, and which of its conditions hold.',
  body: z.strictObject({
    segmentRules,
    contactId: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  }),
  response: z.object({
    isIn: z.boolean(),
    why: z.string().describe('The answer as a sentence.'),
    conditions: z.array(answer),
    groups: z.array(z.object({ holds: z.boolean(), conditions: z.array(answer) })),
  }),
  fails: ['not_found'],
});

export const listSegmentFields = endpoint({
  method: 'GET',
  path: '/api/segments/fields',
  access: access.member('viewer', 'contacts:read'),
  summary: 'What a segment can ask of contacts: fields, their operators, and what is on offer.',
  tag,
  response: z.object({
    fields: z.array(
      z.object({
        key: z.string(),
        label: z.string(),
        group: z.string(),
        type: z.enum(fieldTypes),
        operators: z.array(z.enum(operators)),
        options: z
          .array(z.object({ value: z.string(), label: z.string() }))
          .nullable()
          .describe('What can be chosen. Null where anything can be typed.'),
      }),
    ),
    operators: z.array(
      z.object({
        key: z.enum(operators),
        label: z.string(),
        takes: z.enum(['nothing', 'text', 'day', 'days', 'month_day', 'number']),
        several: z.boolean().describe('It takes several values, of which one is enough.'),
      }),
    ),
  }),
});

/** The operators, for the editor. */
export const operatorList = operators.map((key) => {
  const { label, takes, several = false } = operatorRules[key];
  return { key, label, takes, several };
});
