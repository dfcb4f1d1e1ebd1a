import type { References, SendReference } from '#features/messages/server/index.ts';
import type { Batches } from '#platform/server/batches.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import { port } from '#platform/server/ports.ts';
import type { NewEvent } from './queries.ts';

/** A message that was sent, as its links need to know it. */
export interface TrackedSend {
  /** As the person was when the audience was frozen. */
  local: string;
  domain: string;
  handedAt: Date | null;
}

/** What the feature that sends tells of its messages. */
export interface TrackedSends {
  find(
    tx: TenantTx,
    workspaceId: number,
    send: { mailingId: number; sendId: number },
  ): Promise<TrackedSend | null>;
  /** The message as a page; null when it cannot be shown any more. */
  page(
    tx: TenantTx,
    workspaceId: number,
    send: { mailingId: number; sendId: number },
  ): Promise<string | null>;
}

export const trackedSendsPort = port<TrackedSends>('tracking.sends');

/** What the routes work with. */
export interface TrackingContext {
  db: Database;
  references: References;
  sends: () => TrackedSends | undefined;
  /** Answers once the event is safe. */
  events: Batches<NewEvent & { workspaceId: number }, null>;
}

export type { SendReference };
