import { narrowestPolicy } from '#features/addresses/rules.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { type CleanReason, type CleanReasonView, cleanReasons, usualReasons } from '../../contract.ts';
import type { CleanDone } from './clean-contacts.ts';
import { type CleanPlan, planClean } from './clean-plan.ts';
import { sampleForeign, sampleInvalid, sampleState } from './sample-queries.ts';

const shownDomains = 10;
const shownSamples = 5;

/** What a clean would remove now for these reasons, and every reason closer. It only reads. */
export async function previewClean(
  tx: TenantTx,
  workspaceId: number,
  reasons: readonly CleanReason[] = usualReasons,
): Promise<CleanDone & { reasons: CleanReasonView[] }> {
  const { emailValidation } = await readSettings(tx, workspaceId);
  const plan = await planClean(tx, workspaceId, emailValidation);
  const views: CleanReasonView[] = [];
  for (const reason of cleanReasons) views.push(await viewOf(tx, workspaceId, plan, reason));
  const letIn = plan.keptByImports(reasons);
  return { ...plan.counts(reasons), removalId: null, letIn, reasons: views };
}

async function viewOf(
  tx: TenantTx,
  workspaceId: number,
  plan: CleanPlan,
  reason: CleanReason,
): Promise<CleanReasonView> {
  const contacts = plan.count(reason);
  if (contacts === 0) return { reason, contacts, samples: [], domains: [] };
  const domains = largest(plan, reason);
  return { reason, contacts, samples: await samplesOf(tx, workspaceId, plan, reason, domains), domains };
}

type DomainCount = CleanReasonView['domains'][number];

/** The domains with the most contacts that have the reason. */
function largest({ byDomain, letIn }: CleanPlan, reason: CleanReason): DomainCount[] {
  const counts = reason === 'letIn' ? letIn.byDomain : byDomain[reason];
  const top: DomainCount[] = [];
  for (const [domain, all] of counts) {
    const contacts = reason === 'nonUk' ? all - (letIn.byDomain.get(domain) ?? 0) : all;
    if (contacts > 0 && domain !== '') putIn(top, { domain, contacts });
  }
  return top;
}

/** Puts a domain at its place among the largest, if it is one of them. */
function putIn(top: DomainCount[], one: DomainCount): void {
  const isBefore = (other: DomainCount) =>
    one.contacts > other.contacts || (one.contacts === other.contacts && one.domain < other.domain);
  const last = top.at(-1);
  if (top.length === shownDomains && last && !isBefore(last)) return;
  const place = top.findIndex(isBefore);
  top.splice(place < 0 ? top.length : place, 0, one);
  if (top.length > shownDomains) top.pop();
}

async function samplesOf(
  tx: TenantTx,
  workspaceId: number,
  plan: CleanPlan,
  reason: CleanReason,
  domains: readonly DomainCount[],
): Promise<string[]> {
  if (reason === 'duplicate') return sampleState(tx, workspaceId, 2, shownSamples);
  if (reason === 'invalid') {
    const judged = { ids: plan.invalidIds.slice(0, shownSamples), domains: firstOf(plan.invalidDomains) };
    return oneOfEachFirst(await sampleInvalid(tx, workspaceId, judged, shownSamples));
  }
  const lists: string[][] = [];
  for (const { domain } of domains.slice(0, shownSamples)) {
    const chosen = { domain, narrowest: narrowestPolicy(domain), letIn: reason === 'letIn' };
    lists.push(await sampleForeign(tx, workspaceId, chosen, plan.invalidForeignIds, shownSamples));
  }
  return oneOfEachFirst(lists);
}

const firstOf = (domains: ReadonlySet<string>): string[] => [...domains].slice(0, shownSamples);

/** The first of each list, then the second of each, until there are enough. */
function oneOfEachFirst(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const places = Array.from({ length: longest }, (_, place) => place);
  return places.flatMap((place) => lists.flatMap((list) => list[place] ?? [])).slice(0, shownSamples);
}
