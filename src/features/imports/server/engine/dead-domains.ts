import type pg from 'pg';
import {
  createMailLookup,
  createMailServers,
  findDeadDomains,
} from '#features/verification/server/thread.ts';
import { openDatabase } from '#platform/server/database.ts';
import { noteDeadDomains, stagedDomains } from '../staging-queries.ts';
import type { EngineJob } from './messages.ts';

const domainsAtOnce = 1000;
/**
 * The questions may take this share of the import's remaining time. A domain not asked about by
 * then passes.
 */
const shareOfTime = 0.5;

/**
 * Notes beside the staged rows which of their domains take no mail, and asks about each domain
 * once. Returns whether there are any. A row passes when the answer is unknown. Does nothing when
 * the workspace does not check mail servers or the import does not validate.
 */
export async function noteDeadOnes(job: EngineJob, client: pg.Client, slot: number): Promise<boolean> {
  if (!job.validation.checkMXRecords || !job.options.validateEmails) return false;
  const db = openDatabase({ ...job.database, maxConnections: 1, onIdleError: () => undefined });
  const mailServers = createMailServers({ db, lookup: createMailLookup({ servers: job.dnsServers }) });
  const signal = AbortSignal.timeout(Math.max(0, Math.floor((job.deadline - Date.now()) * shareOfTime)));
  let any = false;
  try {
    for await (const domains of stagedDomains(client, slot, domainsAtOnce)) {
      const dead = await findDeadDomains(mailServers, domains, signal);
      if (dead.length > 0) {
        await noteDeadDomains(client, slot, dead);
        any = true;
      }
      if (signal.aborted) break;
    }
  } finally {
    mailServers.close();
    await db.close();
  }
  return any;
}
