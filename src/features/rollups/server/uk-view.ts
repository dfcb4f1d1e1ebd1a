import { createDomainSorter, ukClass } from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/index.ts';
import type { EmailValidation } from '#features/settings/contract.ts';
import { readSettings } from '#features/settings/server/index.ts';
import { inBackground } from '#platform/server/call-context.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { UkView } from '../contract.ts';
import { eachDomain } from './domain-queries.ts';
import { keepUkCounts, selectUkCounts } from './uk-view-queries.ts';

/**
 * How many contacts each UK class has, and what Clean would remove, from the domains' rollup.
 * Looks at each domain once. The counts are kept until the books or the settings change. With few
 * domains they are then recounted at once. With many, the old counts are returned, marked as old,
 * and recounted in the background, which takes a second per 200,000.
 */
const fewDomains = 50_000;

type Counts = Pick<UkView, 'contacts' | 'leftOut'>;

const none = () => ({ uk: 0, likely_uk: 0, global: 0, not_uk: 0 });

async function countByDomain(tx: TenantTx, workspaceId: number, settings: EmailValidation): Promise<Counts> {
  const fateOf = createDomainSorter(settings, idna);
  const counts: Counts = { contacts: none(), leftOut: none() };
  await eachDomain(tx, workspaceId, (domains) => {
    for (const { domain, valid, invalid, duplicate } of domains) {
      const found = ukClass(domain);
      counts.contacts[found] += valid + invalid + duplicate;
      if (valid > 0 && fateOf(domain) === 'nonUk') counts.leftOut[found] += valid;
    }
  });
  return counts;
}

/** Workspaces whose counts are being made in this process. */
const underWay = new Set<number>();

async function countAnew(db: Database, workspaceId: number): Promise<void> {
  if (underWay.has(workspaceId)) return;
  underWay.add(workspaceId);
  try {
    await db.asTenant(workspaceId, async (tx) => void (await freshView(tx, workspaceId)));
  } finally {
    underWay.delete(workspaceId);
  }
}

async function freshView(tx: TenantTx, workspaceId: number): Promise<UkView> {
  const { emailValidation } = await readSettings(tx, workspaceId);
  const { books } = await selectUkCounts(tx, workspaceId);
  const counts = await countByDomain(tx, workspaceId, emailValidation);
  await keepUkCounts(tx, workspaceId, basisOf(books, emailValidation), counts);
  return { ...counts, policy: emailValidation.ukPolicy, countedAt: new Date().toISOString(), isOld: false };
}

const basisOf = (books: string, settings: EmailValidation): string => {
  const { allowedDomains, ukPolicy, strictValidation } = settings;
  return JSON.stringify([books, ukPolicy, allowedDomains, strictValidation]);
};

/**
 * What is known, recounted first if that is quick. `onFailure` is called when a background count
 * fails.
 */
export async function readUkView(
  db: Database,
  workspaceId: number,
  onFailure: (error: unknown) => void,
): Promise<UkView> {
  return db.asTenant(workspaceId, async (tx) => {
    const { emailValidation } = await readSettings(tx, workspaceId);
    const known = await selectUkCounts(tx, workspaceId);
    const isOld = known.basis !== basisOf(known.books, emailValidation);
    if (known.countedAt === null || (isOld && known.domains <= fewDomains)) return freshView(tx, workspaceId);
    if (isOld) inBackground(() => countAnew(db, workspaceId)).catch(onFailure);
    const counts = known.counts as Counts;
    return { ...counts, policy: emailValidation.ukPolicy, countedAt: known.countedAt.toISOString(), isOld };
  });
}
