import { z } from 'zod';
import { dayIn } from './days.ts';
import { folded, trimmed } from './fold.ts';

/**
 * What a condition asks of a field, ready to compare: texts are folded, days and numbers are read.
 * `holds` is its plain reading. `server/test-sql.ts` says the same to PostgreSQL.
 */
const text = z.string().min(1).max(1000);
const day = z.iso.date();

export const testSchema = z.union([
  /** There is no text, or only blanks. */
  z.strictObject({ is: z.literal('empty') }),
  /** One of the values fits. `of: 'day'` compares the day that the text begins with. */
  z.strictObject({
    is: z.enum(['equals', 'contains', 'starts_with', 'ends_with']),
    of: z.enum(['text', 'day']),
    values: z.array(text).min(1).max(200),
  }),
  /** The day lies between these, both included. */
  z.strictObject({ is: z.literal('within'), from: day.optional(), to: day.optional() }),
  /** It is a number: one of these, above one or below one. */
  z.strictObject({
    is: z.literal('number'),
    equals: z.array(z.number()).min(1).max(200).optional(),
    above: z.number().optional(),
    below: z.number().optional(),
  }),
]);

export type Test = z.output<typeof testSchema>;
export type TextTest = Extract<Test, { values: string[] }>;
export type NumberTest = Extract<Test, { is: 'number' }>;

/** A number as files write it: `1,204.50` or `£12`. PostgreSQL uses the same pattern. */
export const numberPattern = '^-?[0-9]{1,15}([.][0-9]{1,9})?$';
const isNumber = new RegExp(numberPattern);

/** The number that a text is. Null when it is none. */
export function numberIn(given: string): number | null {
  const plain = trimmed(given).replaceAll(/[,£]/g, '');
  return isNumber.test(plain) ? Number(plain) : null;
}

const fits: Record<TextTest['is'], (has: string, wanted: string) => boolean> = {
  equals: (has, wanted) => has === wanted,
  contains: (has, wanted) => has.includes(wanted),
  starts_with: (has, wanted) => has.startsWith(wanted),
  ends_with: (has, wanted) => has.endsWith(wanted),
};

/**
 * Whether what somebody has fulfils a test: one text is enough. Nobody without any has a fitting
 * one.
 */
export function holds(test: Test, has: readonly string[]): boolean {
  const texts = has.map(folded).filter((one) => one !== '');
  if (test.is === 'empty') return texts.length === 0;
  if (test.is === 'number') return texts.some((one) => isSuchNumber(test, numberIn(one)));
  const days = has.map((one) => dayIn(trimmed(one))).filter((one) => one !== null);
  if (test.is === 'within')
    return days.some((one) => one >= (test.from ?? '') && (test.to === undefined || one <= test.to));
  const fit = fits[test.is];
  return (test.of === 'day' ? days : texts).some((one) => test.values.some((wanted) => fit(one, wanted)));
}

const isSuchNumber = ({ equals, above, below }: NumberTest, has: number | null): boolean =>
  has !== null &&
  (equals === undefined || equals.includes(has)) &&
  (above === undefined || has > above) &&
  (below === undefined || has < below);

const quoted = (values: readonly (string | number)[]): string =>
  values.map((one) => (typeof one === 'string' ? `“${one}”` : String(one))).join(' or ');

/** A test as the end of "the domain …", for the audit log. */
export function testInWords(test: Test): string {
  if (test.is === 'empty') return 'is empty';
  if (test.is === 'within')
    return `is ${[test.from && `${test.from} or later`, test.to && `${test.to} or earlier`].filter(Boolean).join(' and ')}`;
  if (test.is === 'number') {
    const { equals, above, below } = test;
    const parts = [equals && quoted(equals), above !== undefined && `more than ${above}`];
    return `is ${[...parts, below !== undefined && `less than ${below}`].filter(Boolean).join(' and ')}`;
  }
  return `${test.is === 'equals' ? 'is' : test.is.replace('_', ' ')} ${quoted(test.values)}`;
}
