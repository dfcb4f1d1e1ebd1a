import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { port } from '#platform/server/ports.ts';

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
  /** It went to people of the workspace, to be looked at. Its links change nothing. */
  isTest: boolean;
}

/** What the feature that sends tells of its messages. */
export interface TrackedSends {
  /** SQL that yields (workspace_id, mailing_id, send_id, contact_id, handed_at) of all of them. */
  all: Fragment;
  /** Those of these that there are, in any order. */
  find(tx: TenantTx, workspaceId: number, sends: readonly SendKey[]): Promise<TrackedSend[]>;
  /** The message as a page; null when it cannot be shown any more. */
  page(tx: TenantTx, workspaceId: number, send: SendKey): Promise<string | null>;
}

export const trackedSendsPort = port<TrackedSends>('tracking.sends');
