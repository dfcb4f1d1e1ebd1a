import { setImmediate as nextTurn } from 'node:timers/promises';
import { createAddressParser, createDomainSorter } from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/index.ts';
import { eachDomain } from '#features/rollups/server/index.ts';
import type { Settings } from '#features/settings/contract.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { type Judged, type LocalToJudge, selectLocalsToJudge } from './clean-queries.ts';

/**
 * What a clean removes by the current settings. Each contact goes for the first reason that fits: a
 * further copy, invalid, not UK. Each domain is judged once, not once per contact. Local parts are
 * judged only when strict validation is on, and only if a coarse test in the database does not
 * clear them.
 */
export interface CleanPlan extends Judged {
  duplicates: number;
  invalid: number;
  nonUk: number;
}

const batch = 20_000;

type ValidationSettings = Settings['emailValidation'];

export async function planClean(
  tx: TenantTx,
  workspaceId: number,
  settings: ValidationSettings,
): Promise<CleanPlan> {
  const plan: CleanPlan = {
    duplicates: 0,
    invalid: 0,
    nonUk: 0,
    invalidDomains: [],
    foreignDomains: [],
    invalidIds: [],
  };
  await judgeDomains(tx, workspaceId, settings, plan);
  if (settings.strictValidation) {
    const parser = createAddressParser({ ...idna, strict: true, cacheSlots: 2 ** 12 });
    await judgeLocals(tx, workspaceId, (local, domain) => parser.parse(`${local}@${domain}`).ok, plan);
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
      plan.duplicates += duplicate;
      plan.invalid += invalid;
      const fate = valid === 0 ? 'kept' : fateOf(domain);
      if (fate === 'invalid') {
        plan.invalidDomains.push(domain);
        plan.invalid += valid;
      } else if (fate === 'nonUk') {
        plan.foreignDomains.push(domain);
        plan.nonUk += valid;
      }
    }),
  );
}

async function judgeLocals(
  tx: TenantTx,
  workspaceId: number,
  isValid: (local: string, domain: string) => boolean,
  plan: CleanPlan,
): Promise<void> {
  const counted = new Set(plan.invalidDomains);
  const foreign = new Set(plan.foreignDomains);
  const judge = (contacts: LocalToJudge[]) =>
    inTurns(contacts, ({ id, local, domain }) => {
      if (counted.has(domain) || isValid(local, domain)) return;
      plan.invalidIds.push(id);
      plan.invalid += 1;
      if (foreign.has(domain)) plan.nonUk -= 1;
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

/** Few enough to take some milliseconds. Other calls are answered between two turns. */
const aTurn = 200;

/** Runs the work on each item, and gives other work the thread in between. */
async function inTurns<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  for (let start = 0; start < items.length; start += aTurn) {
    for (const item of items.slice(start, start + aTurn)) work(item);
    await nextTurn();
  }
}
