import { readSettings } from '#features/settings/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { type CleanReason, type CleanReasonView, cleanReasons, usualReasons } from '../../contract.ts';
import type { CleanDone } from './clean-contacts.ts';
import { estimateClean } from './clean-estimate.ts';
import type { CleanPlan } from './clean-plan.ts';
import { narrowestChoice } from './keepers.ts';
import { sampleForeign, sampleInvalid, sampleState } from './sample-queries.ts';

const shownDomains = 10;
const shownSamples = 5;

/**
 * What a clean would remove now for these reasons, and every reason closer. It only reads. In a
 * large workspace, some figures are estimates, and say so.
 */
export async function previewClean(
  tx: TenantTx,
  workspaceId: number,
  reasons: readonly CleanReason[] = usualReasons,
): Promise<CleanDone & { reasons: CleanReasonView[]; isEstimate: boolean }> {
  const { emailValidation } = await readSettings(tx, workspaceId);
  const plan = await estimateClean(tx, workspaceId, emailValidation);
  const views: CleanReasonView[] = [];
  for (const reason of cleanReasons) views.push(await viewOf(tx, workspaceId, plan, reason));
  const letIn = plan.keptByImports(reasons);
  const isEstimate = reasons.some((reason) => plan.isEstimate(reason));
  return { ...plan.counts(reasons), removalId: null, letIn, isEstimate, reasons: views };
}

async function viewOf(
  tx: TenantTx,
  workspaceId: number,
  plan: CleanPlan,
  reason: CleanReason,
): Promise<CleanReasonView> {
  const contacts = plan.count(reason);
  const isEstimate = plan.isEstimate(reason);
  if (contacts === 0) return { reason, contacts, isEstimate, samples: [], domains: [] };
  const domains = largest(plan, reason);
  return {
    reason,
    contacts,
    isEstimate,
    samples: await samplesOf(tx, workspaceId, plan, reason, domains),
    domains,
  };
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
    const judged = { ids: plan.invalidSamples, domains: firstOf(plan.judge.invalidDomains) };
    return oneOfEachFirst(await sampleInvalid(tx, workspaceId, judged, shownSamples));
  }
  const lists: string[][] = [];
  for (const { domain } of domains.slice(0, shownSamples)) {
    const chosen = { domain, narrowest: narrowestChoice(domain), letIn: reason === 'letIn' };
    const found = await sampleForeign(tx, workspaceId, chosen, shownSamples * 10);
    const sound = found.filter((one) => !plan.judge.isUnsound(one)).slice(0, shownSamples);
    lists.push(sound.map(({ address }) => address));
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
