import { createAddressParser, createDomainSorter, narrowestPolicy } from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/index.ts';
import { eachDomain } from '#features/rollups/server/index.ts';
import type { Settings } from '#features/settings/contract.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { CleanReason } from '../../contract.ts';
import type { CleanedCounts } from '../removal-queries.ts';
import { type Judged, type LocalToJudge, selectLocalsToJudge } from './clean-queries.ts';
import { inTurns } from './in-turns.ts';
import { LetIn } from './let-in.ts';
import { selectImportsWithPolicy } from './let-in-queries.ts';

/**
 * What a clean finds by the current settings. Each contact has the first reason that fits: a
 * further copy, invalid, not UK. The last is parted by what imports let in by a policy of their
 * own. Each domain is judged once, not once per contact. Local parts are judged only when strict
 * validation is on, and only if a coarse test in the database does not clear them.
 */
export class CleanPlan {
  /** Contacts that have the reason, by domain. Of `nonUk`, those that are let in as well. */
  readonly byDomain: Record<'duplicate' | 'invalid' | 'nonUk', Map<string, number>>;
  readonly letIn: LetIn;
  readonly invalidDomains = new Set<string>();
  readonly invalidIds: number[] = [];
  readonly invalidForeignIds: number[] = [];
  readonly #totals = { duplicate: 0, invalid: 0, nonUk: 0 };

  constructor(letIn: LetIn) {
    this.letIn = letIn;
    this.byDomain = { duplicate: new Map(), invalid: new Map(), nonUk: new Map() };
  }

  add(reason: 'duplicate' | 'invalid' | 'nonUk', domain: string, contacts: number): void {
    if (contacts === 0) return;
    const counts = this.byDomain[reason];
    counts.set(domain, (counts.get(domain) ?? 0) + contacts);
    this.#totals[reason] += contacts;
  }

  isForeign(domain: string): boolean {
    return this.byDomain.nonUk.has(domain);
  }

  /** How many contacts have the reason. */
  count(reason: CleanReason): number {
    if (reason === 'letIn') return Math.max(this.letIn.contacts, 0);
    // Contacts may come and go between two looks at them.
    return Math.max(this.#totals[reason] - (reason === 'nonUk' ? this.letIn.contacts : 0), 0);
  }

  /** How many contacts outside the UK rule stay because an import's own policy let them in. */
  keptByImports(reasons: readonly CleanReason[]): number {
    return reasons.includes('letIn') ? 0 : this.count('letIn');
  }

  /** What the chosen reasons amount to, as people are told. */
  counts(reasons: readonly CleanReason[]): CleanedCounts & { removed: number } {
    const of = (reason: CleanReason) => (reasons.includes(reason) ? this.count(reason) : 0);
    const counts = { duplicates: of('duplicate'), invalid: of('invalid'), nonUk: of('nonUk') + of('letIn') };
    return { ...counts, removed: counts.duplicates + counts.invalid + counts.nonUk };
  }
}

const batch = 20_000;

type ValidationSettings = Settings['emailValidation'];

export async function planClean(
  tx: TenantTx,
  workspaceId: number,
  settings: ValidationSettings,
): Promise<CleanPlan> {
  const plan = new CleanPlan(new LetIn(await selectImportsWithPolicy(tx, workspaceId)));
  await judgeDomains(tx, workspaceId, settings, plan);
  if (settings.strictValidation) {
    const parser = createAddressParser({ ...idna, strict: true, cacheSlots: 2 ** 12 });
    await judgeLocals(tx, workspaceId, (local, domain) => parser.parse(`${local}@${domain}`).ok, plan);
  }
  if (plan.byDomain.nonUk.size > 0) {
    await plan.letIn.count(tx, workspaceId, (domain) => plan.isForeign(domain));
  }
  return plan;
}

async function judgeDomains(
  tx: TenantTx,
  workspaceId: number,
  settings: ValidationSettings,
  plan: CleanPlan,
): Promise<void> {
  const fateOf = createDomainSorter(settings, idna);
  await eachDomain(tx, workspaceId, (domains) =>
    inTurns(domains, ({ domain, valid, invalid, duplicate }) => {
      plan.add('duplicate', domain, duplicate);
      const fate = valid === 0 ? 'kept' : fateOf(domain);
      plan.add('invalid', domain, invalid + (fate === 'invalid' ? valid : 0));
      if (fate === 'invalid') plan.invalidDomains.add(domain);
      if (fate === 'nonUk') plan.add('nonUk', domain, valid);
    }),
  );
}

async function judgeLocals(
  tx: TenantTx,
  workspaceId: number,
  isValid: (local: string, domain: string) => boolean,
  plan: CleanPlan,
): Promise<void> {
  const judge = (contacts: LocalToJudge[]) =>
    inTurns(contacts, ({ id, local, domain, importId }) => {
      if (plan.invalidDomains.has(domain) || isValid(local, domain)) return;
      plan.invalidIds.push(id);
      plan.add('invalid', domain, 1);
      if (!plan.isForeign(domain)) return;
      plan.invalidForeignIds.push(id);
      plan.add('nonUk', domain, -1);
      plan.letIn.leaveOut(domain, importId);
    });
  const few = await selectLocalsToJudge(tx, workspaceId, null, batch);
  if (few.length < batch) return judge(few);
  for (let after = 0; ; ) {
    const contacts = await selectLocalsToJudge(tx, workspaceId, after, batch);
    await judge(contacts);
    if (contacts.length < batch) return;
    after = contacts.at(-1)?.id ?? after;
  }
}

/** The plan as the database needs it, to find the contacts that go for one of the reasons. */
export function judgedBy(plan: CleanPlan, workspaceId: number, reasons: readonly CleanReason[]): Judged {
  const foreign = { likely: [] as string[], any_but_foreign_cctld: [] as string[], never: [] as string[] };
  for (const domain of plan.byDomain.nonUk.keys()) foreign[narrowestPolicy(domain) ?? 'never'].push(domain);
  const invalidGoes = reasons.includes('invalid');
  return {
    workspaceId,
    foreign,
    invalidDomains: [...plan.invalidDomains],
    invalidIds: invalidGoes ? plan.invalidIds.toSorted((one, other) => one - other) : [],
    // Only needed to keep them: when the invalid ones go too, it does not matter why.
    invalidForeignIds: invalidGoes ? [] : plan.invalidForeignIds,
  };
}
