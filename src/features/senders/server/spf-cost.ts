import type { Dns } from '#platform/server/dns.ts';
import type { SpfCost } from '../rules/facts.ts';
import { isSpf, mostLookups, type SpfTerm, spfTerms, takesLookup } from '../rules/spf.ts';

/** After so many names that do not exist, receivers give up (RFC 7208, section 4.6.4). */
const mostVoid = 2;

/**
 * Counts the questions that a receiver asks for this SPF record, with those of the records it
 * includes. It stops where receivers do.
 */
export async function spfCostOf(dns: Dns, domain: string, record: string): Promise<SpfCost> {
  const cost: SpfCost = { lookups: 0, problem: null, isPartial: false };
  let voids = 0;
  const include = async ({ name, value }: SpfTerm, path: readonly string[]): Promise<void> => {
    const target = value.toLowerCase();
    // A macro stands for something that only the receiver knows.
    if (target.includes('%')) return;
    if (target === '' || path.includes(target)) {
      cost.problem = `The part ${name} ${target === '' ? 'names no domain' : `leads back to ${target}`}.`;
      return;
    }
    const { state, values } = await dns.txt(target);
    if (state === 'unknown') {
      cost.isPartial = true;
      return;
    }
    if (state !== 'found') voids += 1;
    const [found, ...others] = values.filter(isSpf);
    if (found === undefined || others.length > 0)
      cost.problem = `The domain ${target}, which the record includes, has ${found === undefined ? 'no SPF record' : 'several SPF records'}.`;
    else await walk(found, [...path, target]);
  };
  const walk = async (text: string, path: readonly string[]): Promise<void> => {
    const terms = spfTerms(text).filter((term) => term !== null);
    const hasAll = terms.some(({ name }) => name === 'all');
    for (const term of terms.filter(takesLookup)) {
      // Section 6.1: `all` makes a redirect count for nothing.
      if (term.name === 'redirect' && hasAll) continue;
      cost.lookups += 1;
      if (cost.lookups > mostLookups)
        cost.problem = `The SPF record takes more than ${mostLookups} lookups. Receivers then ignore it: remove senders that you do not use.`;
      if (cost.problem === null && (term.name === 'include' || term.name === 'redirect'))
        await include(term, path);
      if (cost.problem === null && voids > mostVoid)
        cost.problem = `The SPF record names more than ${mostVoid} domains that do not exist. Receivers then ignore it.`;
      if (cost.problem !== null) return;
    }
  };
  await walk(record, [domain]);
  return cost;
}
