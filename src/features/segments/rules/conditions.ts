import { z } from 'zod';
import type { ConditionRule } from '#features/audience/rules/tree.ts';
import { type Test, testInWords, testSchema } from './test.ts';

/** What segments ask that the audience's own conditions do not. */

export const comparedTexts = ['name', 'firstName', 'lastName', 'source'] as const;
export type ComparedText = (typeof comparedTexts)[number];

const nouns: Record<ComparedText, string> = {
  name: 'name',
  firstName: 'first name',
  lastName: 'last name',
  source: 'source',
};

export const textRule: ConditionRule<{ field: ComparedText; test: Test }> = {
  key: 'text',
  schema: z.strictObject({ field: z.enum(comparedTexts), test: testSchema }),
  bound: 'nothing',
  words: ({ field, test }) => `the ${nouns[field]} ${testInWords(test)}`,
};

/** About the domain alone, so that the domains' rollup counts its contacts. */
export const domainTextRule: ConditionRule<Test> & { bound: 'domains' } = {
  key: 'domainText',
  schema: testSchema,
  bound: 'domains',
  words: (test) => `the domain ${testInWords(test)}`,
};

/** The day a contact was added, as text. */
export const addedDayRule: ConditionRule<Test> = {
  key: 'addedDay',
  schema: testSchema,
  bound: 'nothing',
  words: (test) => `the day it was added ${testInWords(test)}`,
};

export const attributeRule: ConditionRule<{ name: string; test: Test }> = {
  key: 'attribute',
  schema: z.strictObject({ name: z.string().min(1).max(200), test: testSchema }),
  bound: 'nothing',
  words: ({ name, test }) => `${name} ${testInWords(test)}`,
};

export const lastActivityRule: ConditionRule<Test> = {
  key: 'lastActivity',
  schema: testSchema,
  bound: 'nothing',
  words: (test) => `the last activity ${testInWords(test)}`,
};
