import { z } from 'zod';
import { type UkClass, ukClasses } from '#features/addresses/contract.ts';
import {
  type AddressKind,
  addressKinds,
  type Verdict,
  type VerdictReason,
  verdictReasons,
  verdicts,
} from '#features/addresses/rules.ts';
import type { ConditionRule, Leaf } from '#features/audience/rules/tree.ts';

/**
 * Conditions on what the last verification found. A contact that was never verified has a kind, by
 * its address, and fulfils none of the others. The UK class is always that of the domain, as in the
 * figures of the list.
 */

/** Points of risk, both ends included. At least one is given. */
export interface RiskRange {
  from?: number | undefined;
  to?: number | undefined;
}

/** One combination of verification results, as far as conditions ask for it. */
export interface Profile {
  verdict: string;
  reasons: readonly string[];
  risk: number;
  kind: string | null;
}

/** A condition and a test for the profiles that fulfil it. */
interface ProfileRule<Value> extends ConditionRule<Value> {
  bound: 'lists';
  has(profile: Profile, value: Value): boolean;
}

const verdictRule: ProfileRule<Verdict> = {
  key: 'verdict',
  schema: z.enum(verdicts),
  bound: 'lists',
  words: (verdict) => `the verdict is ${verdict}`,
  has: (profile, verdict) => profile.verdict === verdict,
};

const reasonRule: ProfileRule<VerdictReason> = {
  key: 'reason',
  schema: z.enum(verdictReasons),
  bound: 'lists',
  words: (reason) => `the verdict has the reason ${reason}`,
  has: (profile, reason) => profile.reasons.includes(reason),
};

export const kindRule: ProfileRule<AddressKind> = {
  key: 'kind',
  schema: z.enum(addressKinds),
  bound: 'lists',
  words: (kind) => `the kind of address is ${kind}`,
  has: (profile, kind) => profile.kind === kind,
};

export const ukRule: ConditionRule<UkClass> & { bound: 'domains' } = {
  key: 'uk',
  schema: z.enum(ukClasses),
  bound: 'domains',
  words: (uk) => `the UK class is ${uk}`,
};

const points = z.number().int().min(0).max(100).optional();

const riskRule: ProfileRule<RiskRange> = {
  key: 'risk',
  schema: z
    .strictObject({ from: points, to: points })
    .refine(({ from, to }) => from !== undefined || to !== undefined),
  bound: 'lists',
  words: ({ from = 0, to = 100 }) => `the risk is ${from} to ${to}`,
  has: ({ risk }, { from = 0, to = 100 }) => risk >= from && risk <= to,
};

/** What only a verification knows. */
export const verdictRules: readonly ProfileRule<unknown>[] = [verdictRule, reasonRule, riskRule];

const byKey = new Map([...verdictRules, kindRule].map((rule) => [rule.key, rule]));

/** The profiles that fulfil all of these conditions. */
export const chooseProfiles = <P extends Profile>(leaves: readonly Leaf[], profiles: readonly P[]): P[] =>
  profiles.filter((profile) =>
    leaves.every(({ condition, value }) => byKey.get(condition)?.has(profile, value)),
  );
