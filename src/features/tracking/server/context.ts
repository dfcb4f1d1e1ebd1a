import type { LinkSite } from '#features/links/server/index.ts';
import type { Mailer } from '#features/mail/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import type { Jobs } from '#platform/server/jobs.ts';
import type { Log } from '#platform/server/logging.ts';
import type { AddressChanges } from './address/changes-port.ts';
import type { EventWriter } from './counting/event-writer.ts';
import type { Countries } from './countries.ts';
import type { Guard } from './http/guard.ts';
import type { Turns } from './http/turns.ts';
import type { AgentBook } from './judging/agent-book.ts';
import type { BurstWatch } from './judging/burst-watch.ts';
import type { WishBook } from './leaving/wish-book.ts';
import type { TrackedSends } from './sends-port.ts';
import type { TargetCache } from './target-cache.ts';
import type { Topics } from './topics-port.ts';

/** What the routes work with. */
export interface TrackingContext {
  db: Database;
  log: Log;
  site: LinkSite;
  targets: TargetCache;
  guard: Guard;
  turns: Turns;
  sends: () => TrackedSends | undefined;
  /** The job queue; undefined until it is up. */
  jobs: () => Jobs | undefined;
  mail: Mailer;
  /** What links in the product's own mails begin with. */
  linkBase: string;
  addressChanges: () => AddressChanges | undefined;
  topics: () => Topics | undefined;
  wishes: WishBook;
  agents: AgentBook;
  bursts: BurstWatch;
  countries: Countries;
  events: EventWriter;
}
