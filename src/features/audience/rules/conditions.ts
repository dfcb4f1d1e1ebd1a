import { z } from 'zod';
import { type ContactStatus, contactStatuses } from '#features/contacts/contract.ts';
import type { ConditionRule } from './tree.ts';

/**
 * The audience's own conditions: what a contact says about itself. Features that know more about
 * contacts contribute theirs.
 */

/** One or two days in London time, both included. At least one is given. */
export interface Days {
  from?: string | undefined;
  to?: string | undefined;
}

const text = (most: number) => z.string().max(most);
/** Whether anything is left after removing what no address can hold. */
export const hasText = (given: string): boolean => given.replaceAll('\0', '').trim() !== '';
/** A day in the database's calendar, which begins with the year 1. */
const day = z.iso.date().refine((given) => !given.startsWith('0000'));
const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

export const searchRule: ConditionRule<string> = {
  key: 'search',
  schema: text(320).refine(hasText),
  bound: 'text',
  words: (term) => `the address contains “${term.trim()}”`,
};

export const domainRule: ConditionRule<string> = {
  key: 'domain',
  schema: text(253).refine(hasText),
  bound: 'rollup',
  words: (domain) => `the domain is ${domain.trim()}`,
};

export const statusRule: ConditionRule<ContactStatus> = {
  key: 'status',
  schema: z.enum(contactStatuses),
  bound: 'rollup',
  words: (status) => `the status is ${status}`,
};

export const sourceRule: ConditionRule<string> = {
  key: 'source',
  schema: text(1000).min(1),
  bound: 'index',
  words: (source) => `the source is “${source}”`,
};

export const importRule: ConditionRule<number> = {
  key: 'import',
  schema: id,
  bound: 'range',
  words: (importId) => `it came with import ${importId}`,
};

export const addedRule: ConditionRule<Days> = {
  key: 'added',
  schema: z
    .strictObject({ from: day.optional(), to: day.optional() })
    .refine(({ from, to }) => from !== undefined || to !== undefined),
  bound: 'range',
  words: ({ from, to }) =>
    `it was added ${[from && `on ${from} or later`, to && `on ${to} or earlier`].filter(Boolean).join(' and ')}`,
};

/** More than anybody picks by hand. Larger selections are filters. */
export const mostIds = 100_000;

/** No ids at all mean nobody. */
export const idsRule: ConditionRule<number[]> = {
  key: 'ids',
  schema: z.array(id).max(mostIds),
  bound: 'ids',
  words: (ids) =>
    ids.length === 0
      ? 'it is nobody'
      : ids.length === 1
        ? 'it is the one named'
        : `it is one of ${ids.length} named`,
};
