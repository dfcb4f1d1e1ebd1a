import { z } from 'zod';
import { isSenderAddress, notSenderAddress } from '#features/addresses/rules/sender-address.ts';

/** Variants of a test, the campaign itself among them. */
export const mostVariants = 5;
/** What decides which variant the rest gets. */
export const decideByChoices = ['clicks', 'opens', 'hand'] as const;
/** What can differ between variants. */
export const differences = ['subject', 'sender', 'content', 'hour'] as const;
export type Difference = (typeof differences)[number];

/** “A” for the first. */
export const variantName = (number: number): string => String.fromCharCode(64 + number);

const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, { error: 'Write this in one line, without control characters.' });

const content = z
  .string()
  .max(1_000_000)
  .optional()
  .describe('Written in the way that `content` of the campaign is.');

const variant = z.strictObject({
  subject: line(300).optional(),
  preheader: line(300).optional(),
  fromName: line(100).optional(),
  fromAddress: line(254).refine(isSenderAddress, { error: notSenderAddress }).optional(),
  content: content.refine((text) => text?.trim() !== '', 'Content is required'),
  delayHours: z.number().int().min(1).max(23).optional().describe('Leaves so many hours later.'),
});

const variants = <T extends z.ZodType>(one: T) =>
  z
    .array(one)
    .min(1)
    .max(mostVariants - 1)
    .describe('Variants B to E. What one leaves out is as in the campaign.');

/** A/B test: variant A is the campaign itself; the others say what is different in them. */
export const abTest = z
  .strictObject({
    differs: z.enum(differences).default('subject').describe('For the screen: what people compare.'),
    variants: variants(
      variant.refine((given) => Object.values(given).some((value) => value !== undefined), {
        error: 'Say what is different in each variant.',
      }),
    ),
    share: z
      .number()
      .int()
      .min(5)
      .max(100)
      .default(20)
      .describe('Percent of the recipients who are in the test, shared evenly among the variants.'),
    decideBy: z
      .enum(decideByChoices)
      .default('clicks')
      .describe('The rest gets the variant with the most human clicks, the most human opens, or yours.'),
    hours: z.number().int().min(1).max(72).default(4).describe('From the start to the decision.'),
  })
  .meta({ id: 'AbTest' });
export type AbTest = z.output<typeof abTest>;

/** The same as it is shown. In lists the content of variants is empty. */
export const shownTest = abTest
  .extend({
    variants: variants(variant.extend({ content, fromAddress: z.string().optional() })),
  })
  .meta({ id: 'ShownAbTest' });

/** How a test stands. */
export const testStanding = z.object({
  share: z.number().int(),
  decideBy: z.enum(decideByChoices),
  dueAt: z.iso
    .datetime()
    .nullable()
    .describe('When it is decided by itself. Null while the recipients are being written down, and by hand.'),
  winner: z.number().int().nullable().describe('1 is variant A. Null: not decided yet.'),
  decidedAt: z.iso.datetime().nullable(),
  decidedBy: z.string().nullable().describe('Null: by itself.'),
  variants: z.array(
    z.object({
      number: z.number().int(),
      name: z.string(),
      subject: z.string(),
      fromName: z.string(),
      fromAddress: z.string(),
      hasOwnContent: z.boolean(),
      delayHours: z.number().int(),
      people: z.number().int().describe('Who are in its part of the test.'),
      sent: z.number().int(),
      opened: z.number().int().describe('People, without machines. So is the next.'),
      clicked: z.number().int(),
      chance: z
        .number()
        .describe('How probable it is that this variant is the best, from 0 to 1, by what decides.'),
    }),
  ),
});
export type TestStanding = z.output<typeof testStanding>;
