import { z } from 'zod';
import type { ConditionRule } from '#features/audience/rules/tree.ts';
import { type ContactIndex, listedCondition } from '#features/audience/server/index.ts';
import { type Basis, bases } from '#features/contacts/contract.ts';
import { basisLabels, codeOf } from '../rules.ts';
import { type BasisCounts, selectBasisCounts } from './count-queries.ts';

const rule: ConditionRule<Basis[]> & { bound: 'lists' } = {
  key: 'basis',
  schema: z
    .array(z.enum(bases))
    .min(1)
    .transform((given) => bases.filter((one) => given.includes(one))),
  bound: 'lists',
  words: (given) =>
    `the marketing basis is ${given.map((one) => basisLabels[one].toLowerCase()).join(' or ')}`,
};

type Named = keyof BasisCounts;

/** Contacts by the basis that somebody named. */
const byBasis: ContactIndex<BasisCounts> = {
  table: 'contact_bases',
  list: 'basis',
  load: selectBasisCounts,
  choose(leaves, counts) {
    const named = Object.keys(counts) as Named[];
    const wanted = named.filter((one) => leaves.every(({ value }) => (value as Basis[]).includes(one)));
    return wanted.map((one) => ({ id: codeOf(one), contacts: counts[one] }));
  },
  size: (counts) => Object.values(counts).reduce((sum, contacts) => sum + contacts, 0),
};

/** Unknown is whoever has none of the others, so most of them need no row. */
export const basisCondition = listedCondition(rule, byBasis as ContactIndex, {
  async expand(_tx, _workspaceId, asked) {
    if (!asked.includes('unknown')) return null;
    const others = bases.filter((one) => !asked.includes(one));
    if (others.length === 0) return { version: 1, all: [] };
    return { version: 1, none: [{ condition: 'basis', value: others }] };
  },
});
