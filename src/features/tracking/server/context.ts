import type { Batches } from '#platform/server/batches.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { Log } from '#platform/server/logging.ts';
import { port } from '#platform/server/ports.ts';
import type { Guard } from './http/guard.ts';
import type { LinkSite } from './links/mailing-links.ts';
import type { TargetCache } from './links/target-cache.ts';

/** Names one message to one person. */
export interface SendKey {
  mailingId: number;
  sendId: number;
}

/** A message that was sent, as its links need to know it. */
export interface TrackedSend extends SendKey {
  /** Null when it went to nobody who was a contact. */
  contactId: number | null;
  /** As the person was when the audience was frozen. */
  local: string;
  domain: string;
  handedAt: Date | null;
  /** The name of its mailing. */
  mailing: string;
}

/** What the feature that sends tells of its messages. */
export interface TrackedSends {
  /** Those of these that there are, in any order. */
  find(tx: TenantTx, workspaceId: number, sends: readonly SendKey[]): Promise<TrackedSend[]>;
  /** The message as a page; null when it cannot be shown any more. */
  page(tx: TenantTx, workspaceId: number, send: SendKey): Promise<string | null>;
}

export const trackedSendsPort = port<TrackedSends>('tracking.sends');

/** An open or a click as it came in, before anybody has judged it. */
export interface Sighting extends SendKey {
  workspaceId: number;
  kind: 'open' | 'click';
  link: number | null;
  userAgent: string;
  isHead: boolean;
  /** Milliseconds since 1970. */
  at: number;
}

/** What the routes work with. */
export interface TrackingContext {
  db: Database;
  log: Log;
  site: LinkSite;
  targets: TargetCache;
  guard: Guard;
  sends: () => TrackedSends | undefined;
  /** Answers once the event is safe. */
  events: Batches<Sighting, null>;
}
